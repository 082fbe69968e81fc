import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { err, ok } from "../../../../src/core/result.ts";
import { BTC } from "../fake-exchange.ts";
import { ACCOUNT, type Client, KEY, loginArgs, type Message, type Rig, startRig, until } from "../rig.ts";

let rig: Rig;
let client: Client;
beforeEach(async () => {
  rig = await startRig();
  client = await rig.socket("/v1/private");
});
afterEach(() => rig.stop());

const login = (on: Client, extra: Message = {}): Promise<Message> =>
  on.ask({ action: "login", args: { ...loginArgs(rig.clock), ...extra } });

/** The user stream's ping is raw text. */
const quiet = async (on: Client): Promise<Message[]> => {
  on.send("ping");
  const all: Message[] = [];
  for (let message = await on.next(); (message as unknown) !== "pong"; message = await on.next()) all.push(message);
  return all;
};

const placing = {
  id: "p1",
  action: "place_order",
  args: { sym: BTC, side: "BUY", positionSide: "LONG", orderType: "LIMIT", orderQty: "0.01", limitPrice: "60000" },
};

describe("the session", () => {
  test("login succeeds with the number 0 and fails with 601009, or 601016 for milliseconds", async () => {
    expect(await login(client, { sign: "00" })).toMatchObject({ event: "login", code: 601009 });
    await rig.clock.advance(1_000);
    expect(await login(client, loginArgs(rig.clock, KEY, 13))).toMatchObject({ code: 601016 });
    await rig.clock.advance(1_000);
    expect(await login(client)).toEqual({ event: "login", code: 0, msg: "" });
    expect(await login(await rig.socket("/v1/private"))).toMatchObject({
      code: 601009,
      msg: expect.stringMatching(/one login per second/),
    });
  });

  test("raw ping and pong; closed after 30 s of silence", async () => {
    client.send("ping");
    expect(await client.next()).toBe("pong");
    await rig.clock.advance(29_000);
    expect(rig.servers.user.connections).toBe(1);
    await rig.clock.advance(1_000);
    await client.closing();
  });

  test("pushes go to the account's sessions, not to outsiders and not to onlyTrade", async () => {
    const trader = await rig.socket("/v1/private");
    await login(client);
    await rig.clock.advance(1_000);
    await login(trader, { onlyTrade: true });
    rig.fake.push({ accountId: ACCOUNT, channel: "Orders", data: { orderId: "2190000000590001" } });
    rig.fake.push({ accountId: "2188000000000999", channel: "Orders", data: { orderId: "2190000000590002" } });
    expect(await quiet(client)).toEqual([{ channel: "Orders", data: { orderId: "2190000000590001" } }]);
    expect(await quiet(trader)).toEqual([]);
  });
});

describe("actions", () => {
  test("need a login, echo the id, and answer with the REST codes", async () => {
    expect(await client.ask(placing)).toMatchObject({ id: "p1", event: "place_order", code: 601009, data: null });
    await login(client);
    rig.fake.answer("place", () => ok({ orderId: "2190000000590001", clientOrderId: "a" }));
    expect(await client.ask(placing)).toEqual({
      id: "p1",
      event: "place_order",
      code: 200000,
      msg: "Success",
      data: { orderId: "2190000000590001", clientOrderId: "a" },
    });
    rig.fake.answer("cancel", () => err({ code: 401018, message: "Order not found" }));
    const cancel = { id: "c", action: "cancel_order", args: { orderId: "2190000000590001" } };
    expect(await client.ask(cancel)).toEqual({
      id: "c",
      event: "cancel_order",
      code: 401018,
      msg: "Order not found",
      data: null,
    });
    expect(await client.ask({ id: "b", action: "cancel_orders", args: {} })).toMatchObject({ code: 200000, data: {} });
    expect(await client.ask({ ...placing, args: { sym: "btc" } })).toMatchObject({ code: 400009 });
    expect(await client.ask({ id: "u", action: "dance" })).toMatchObject({ id: "u", code: 400001 });
    expect(rig.servers.wireLog.entries(9).map(({ via, call, result }) => `${via} ${call} ${result}`)).toEqual([
      "user-stream place_order 200000",
      "user-stream cancel_order 401018",
      "user-stream cancel_orders 200000",
      "user-stream place_order 400009",
    ]);
  });

  test("the reply goes out before the pushes that the action causes", async () => {
    await login(client);
    rig.fake.answer("place", () => {
      rig.fake.push({ accountId: ACCOUNT, channel: "Orders", data: { orderState: "NEW" } });
      return ok({ orderId: "2190000000590001", clientOrderId: "a" });
    });
    expect(await client.ask(placing)).toMatchObject({ id: "p1", code: 200000 });
    expect(await client.next()).toEqual({ channel: "Orders", data: { orderState: "NEW" } });
  });

  test("replace is limited to 300 in a minute", async () => {
    await login(client);
    const replace = { id: "r", action: "replace_order", args: { orderId: "2190000000590001", replacePrice: "1" } };
    for (let i = 0; i < 301; i++) client.send(replace);
    const replies = await quiet(client);
    expect(replies.filter(({ code }) => code === 200000)).toHaveLength(300);
    expect(replies.at(-1)).toMatchObject({ code: 429 });
  });

  test("a key without trade may watch and not act", async () => {
    const reader = { ...KEY, accessKey: "reads-only", permissions: ["read"] as const };
    rig.keys.add(reader);
    expect(await client.ask({ action: "login", args: loginArgs(rig.clock, reader) })).toMatchObject({ code: 0 });
    expect(await client.ask(placing)).toMatchObject({ code: 2003 });
  });
});

test("presence reports the gaps of an account's sockets", async () => {
  await login(client);
  await rig.clock.advance(9_000);
  client.ws.terminate();
  await client.closing();
  await until(() => rig.servers.user.connections === 0);
  await rig.clock.advance(1_000);
  await login(await rig.socket("/v1/private"));
  const report = rig.servers.presence.report(ACCOUNT, "user");
  expect(report).toMatchObject({ open: 1, upMs: 9_000, upShare: 0.9 });
  expect(report.gaps).toHaveLength(1);
});
