import { expect, test } from "vitest";
import type { Outcome } from "../../src/core/outcome.ts";
import { dec } from "../../src/core/decimal.ts";
import { routedClient } from "../../src/venue/order-route.ts";
import { rejected } from "../../src/protocol/codes.ts";
import type { TradingClient } from "../../src/venue/trading-client.ts";

const order = {
  symbol: "EXCHANGE_A_PERP_BTC_USDT",
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  qty: dec("1"),
  limitPrice: dec("1"),
  timeInForce: "IOC",
  reduceOnly: false,
  clientOrderId: "i-1",
} as const;

function routed(byStream: Outcome<{ orderId: string }> | null) {
  const sent: string[] = [];
  const client = {
    placeOrder: async () => {
      sent.push("rest");
      return { kind: "done", value: { orderId: "rest" } };
    },
  } as unknown as TradingClient;
  const entry = {
    placeOrder: async () => {
      sent.push("stream");
      return byStream;
    },
  };
  return { venue: routedClient(client, () => (byStream ? (entry as never) : null)), sent };
}

test.each([
  [null, ["rest"], "done"],
  [{ kind: "done", value: { orderId: "s" } }, ["stream"], "done"],
  [{ kind: "not-sent", message: "not logged in" }, ["stream", "rest"], "done"],
  [{ kind: "unknown", message: "no reply" }, ["stream"], "unknown"],
  [rejected("401023", "margin"), ["stream"], "rejected"],
] as const)("after %j by the stream it went by %j", async (byStream, ways, kind) => {
  const { venue, sent } = routed(byStream);
  expect((await venue.placeOrder(order)).kind).toBe(kind);
  expect(sent).toEqual(ways);
});

test.each(["amendOrder", "cancelOrder"] as const)("%s goes the same ways", async (call) => {
  const ways: string[] = [];
  const done = { kind: "done", value: { state: "OPEN" } } as const;
  const client = { [call]: async () => (ways.push("rest"), done) } as unknown as TradingClient;
  const name = call === "amendOrder" ? "replaceOrder" : call;
  let reply: Outcome<unknown> = done;
  const entry = { [name]: async () => (ways.push("stream"), reply) };
  let up = true;
  const venue = routedClient(client, () => (up ? (entry as never) : null));
  const key = { orderId: "2190000000000001" };
  const go = () => (call === "amendOrder" ? venue.amendOrder(key, { qty: dec("1") }) : venue.cancelOrder(key));
  await go();
  up = false;
  await go();
  up = true;
  reply = { kind: "not-sent", message: "not logged in" };
  await go();
  reply = { kind: "unknown", message: "no reply" };
  expect((await go()).kind).toBe("unknown");
  expect(ways).toEqual(["stream", "rest", "stream", "rest", "stream"]);
});
