import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { createUserStream, type UserStreamOptions } from "../../src/venue/user-stream.ts";
import { type Peer, realEnv, recordingLog, socketServer, until } from "../net/servers.ts";
import { BTC, keys } from "./venue-server.ts";

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Message {
  readonly id?: string;
  readonly action: string;
  readonly args: Record<string, unknown>;
}
const asMessage = (text: string): Message | null => (text === "ping" ? null : (JSON.parse(text) as Message));
const loginOk = { event: "login", code: 0, msg: "" };

/** A venue that lets everybody in; `answer` replies to the actions. */
async function stream(
  answer: (message: Message, peer: Peer, nth: number) => void = () => undefined,
  given: Partial<UserStreamOptions> & { scale?: number } = {},
) {
  let actions = 0;
  const server = await socketServer((peer, text) => {
    const message = asMessage(text);
    if (!message) return peer.say("pong");
    if (message.action === "login") return peer.say(loginOk);
    answer(message, peer, ++actions);
  });
  open.push(server.close);
  return { server, ...connect(server.url, given) };
}

function connect(url: string, { scale = 1, ...given }: Partial<UserStreamOptions> & { scale?: number }) {
  const story: string[] = [];
  const log = recordingLog();
  const user = createUserStream({
    env: realEnv(scale),
    log,
    url: `${url}/v1/private`,
    keys,
    on: {
      up: () => void story.push("up"),
      down: () => void story.push("down"),
      order: (update) =>
        void story.push(`order ${update.clientOrderId} ${update.state} ${update.executedQty.toFixed()}`),
      execution: (fill) => void story.push(`fill ${fill.qty.toFixed()} @ ${fill.price.toFixed()}`),
      position: (update) => void story.push(`position ${update.symbol} ${update.qty.toFixed()}`),
      asset: (asset) => void story.push(`asset ${asset.coin} ${asset.balance.toFixed()}`),
      marginCall: (account) => void story.push(`margin call ${account.status}`),
      liquidation: (event) => void story.push(`liquidation ${event.symbol} ${event.reducedQty.toFixed()}`),
      algo: (algo) => void story.push(`algo ${algo.algoOrderId} ${algo.state}`),
    },
    ...given,
  });
  open.push(() => user.stop());
  user.start();
  return { user, story, log };
}

const order: PlaceOrder = {
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "MARKET",
  qty: dec("0.01"),
  limitPrice: null,
  timeInForce: null,
  reduceOnly: false,
  clientOrderId: "intent-1",
};
const accepted = (message: Message, data: unknown) => ({
  id: message.id,
  event: message.action,
  code: 200000,
  msg: "Success",
  data,
});

describe("the session", () => {
  test("logs in with ten-digit seconds, signed, and says so", async () => {
    const { server, story, user } = await stream();
    await until(() => story.includes("up"), "the login");
    const login = server.peers[0]?.heard.map(asMessage).find((message) => message?.action === "login");
    const { timestamp, sign, apiKey } = login?.args as Record<string, string>;
    expect(timestamp).toMatch(/^\d{10}$/);
    expect(apiKey).toBe("access-key");
    expect(sign).toBe(createHmac("sha256", "secret-key").update(`${timestamp}GET/users/self/verify`).digest("hex"));
    expect(login?.args).not.toHaveProperty("onlyTrade");
    expect(user.health()).toMatchObject({ state: "up", loggedIn: true });
  });
  test("a refused login is tried again, not at once, and never reported as up", async () => {
    const server = await socketServer((peer, text) => {
      if (text !== "ping") peer.say({ event: "login", code: 601009, msg: "login failed" });
    });
    open.push(server.close);
    const { story, log } = connect(server.url, { scale: 100 });
    await until(() => server.peers.length >= 2, "the second connection");
    expect(story).toEqual([]);
    const down = log.lines.find((line) => line.evt === "stream.down");
    expect(down?.msg).toContain("login refused with 601009");
    expect(down?.fields["retryInMs"]).toBeGreaterThanOrEqual(5_000);
  });
  test("pings every ten seconds of its clock and rebuilds after thirty of silence", async () => {
    const server = await socketServer((peer, text) => {
      if (asMessage(text)?.action === "login") peer.say(loginOk);
    });
    open.push(server.close);
    const { story } = connect(server.url, { scale: 200 });
    await until(() => server.peers.length >= 2, "the second connection");
    expect(story.slice(0, 2)).toEqual(["up", "down"]);
    expect(server.peers[0]?.heard.filter((text) => text === "ping").length).toBeGreaterThanOrEqual(3);
  });
});

test("pushes arrive as domain values; unsound ones and unknown channels are counted and dropped", async () => {
  const { server, story, log } = await stream();
  await until(() => story.includes("up"), "the login");
  const peer = server.peers[0];
  const push = (channel: string, data: unknown): void => peer?.say({ channel, data });
  push("Orders", {
    orderId: "1",
    clientOrderId: "a",
    orderState: "FILLED",
    executedQty: "0.01",
    executedAvgPrice: "6",
  });
  push("orders", { orderId: "1", clientOrderId: "a", orderState: "CANCELED", executedQty: "0", executedAvgPrice: "" });
  push("Orders", { orderId: "1", orderState: "FILLED", executedQty: "NaN" });
  push("Trades", { transactionId: "5", orderId: "1", sym: BTC, side: "BUY", quantity: "0.01", price: "60000" });
  push("Positions", { sym: BTC, positionSide: "LONG", positionQty: "0.01", avgPrice: "60000", leverage: "2" });
  push("Assets", { coin: "USDT", balance: "999.5", available: "1", frozen: "0" });
  push("MarginCall", { exchangeType: "EXCHANGE_A", equity: "900", accountStatus: "MARGIN_CALL" });
  push("LiquidationPosition", { sym: BTC, reduceQty: "0.01", createAt: 1 });
  push("SomethingNew", {});
  push("ALGO_ORDER", { algoOrderId: "7", sym: BTC, orderState: "NEW" });
  await until(() => story.some((line) => line.startsWith("algo")), "the last push");
  expect(story).toEqual([
    "up",
    "order a FILLED 0.01",
    "order a CANCELLED 0",
    "fill 0.01 @ 60000",
    `position ${BTC} 0.01`,
    "asset USDT 999.5",
    "margin call MARGIN_CALL",
    `liquidation ${BTC} 0.01`,
    "algo 7 NEW",
  ]);
  expect(log.lines.filter((line) => line.evt === "frame.refused").map((line) => line.msg)).toEqual([
    expect.stringContaining("executedQty"),
    expect.stringContaining("unknown channel SomethingNew"),
  ]);
});

describe("order entry", () => {
  test("replies find their request by id, in whatever order they come", async () => {
    const waiting: Message[] = [];
    const { user, story } = await stream((message, peer) => {
      waiting.push(message);
      if (waiting.length < 2) return;
      for (const each of waiting.reverse()) {
        peer.say(accepted(each, { orderId: `for-${String(each.args["clientOrderId"])}` }));
      }
    });
    await until(() => story.includes("up"), "the login");
    const [first, second] = await Promise.all([
      user.placeOrder(order),
      user.placeOrder({ ...order, clientOrderId: "intent-2" }),
    ]);
    expect(first).toEqual({ kind: "done", value: { orderId: "for-intent-1" } });
    expect(second).toEqual({ kind: "done", value: { orderId: "for-intent-2" } });
  });
  test("each action goes out under its documented name and arguments", async () => {
    const heard: Message[] = [];
    const { user, story } = await stream((message, peer) => {
      heard.push(message);
      peer.say(accepted(message, { orderId: "2190000000590001", orderState: "OPEN" }));
    });
    await until(() => story.includes("up"), "the login");
    await user.replaceOrder({ orderId: "2190000000590001" }, { price: dec("59900.0") });
    await user.cancelOrder({ clientOrderId: "intent-1" });
    await user.cancelOrders({ symbol: BTC });
    expect(heard.map(({ action, args }) => [action, args])).toEqual([
      ["replace_order", { orderId: "2190000000590001", replacePrice: "59900" }],
      ["cancel_order", { clientOrderId: "intent-1" }],
      ["cancel_orders", { sym: BTC }],
    ]);
  });
  test("refused, unknown and over the rate", async () => {
    const codes = [401023, 987654, 429];
    const { user, story } = await stream((message, peer, nth) =>
      peer.say({ id: message.id, event: message.action, code: codes[nth - 1], msg: "no", data: null }),
    );
    await until(() => story.includes("up"), "the login");
    expect(await user.placeOrder(order)).toEqual(rejected("401023", "no"));
    expect((await user.placeOrder(order)).kind).toBe("unknown");
    expect((await user.placeOrder(order)).kind).toBe("rate-limited");
    // Learnt: the next one does not even leave while the venue wants peace (6 s is longer than 5 s, so it may wait).
    expect(user.health().pendingActions).toBe(0);
  });
  test("no reply is unknown, and so is a connection lost before the reply", async () => {
    const { user, story } = await stream(
      (_message, peer, nth) => {
        if (nth === 2) peer.socket.terminate();
      },
      { actionTimeoutMs: 40 },
    );
    await until(() => story.includes("up"), "the login");
    expect(await user.placeOrder(order)).toMatchObject({ kind: "unknown" });
    expect(await user.placeOrder(order)).toMatchObject({ kind: "unknown" });
    await until(() => story.includes("down"), "the loss");
    expect(await user.placeOrder(order)).toMatchObject({ kind: "not-sent" });
  });
  test("over our own limit it is refused without being sent", async () => {
    const limits = { cancel_order: { requests: 1, perMs: 60_000 } };
    const heard: Message[] = [];
    const { user, story } = await stream(
      (message, peer) => {
        heard.push(message);
        peer.say(accepted(message, { orderId: "1" }));
      },
      { limits },
    );
    await until(() => story.includes("up"), "the login");
    expect((await user.cancelOrder({ clientOrderId: "a" })).kind).toBe("done");
    expect((await user.cancelOrder({ clientOrderId: "b" })).kind).toBe("rate-limited");
    expect(heard).toHaveLength(1);
  });
});
