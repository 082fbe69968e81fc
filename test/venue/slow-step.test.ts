/** A service that moves seldom is not silent: its subscriptions are not begun again for that. */
import { expect, it } from "vitest";
import { createSubscriptions, keyOf, type Subscriptions } from "../../src/venue/subscriptions.ts";

const BOOK = { channel: "ORDER_BOOK", symbol: "EXCHANGE_A_BTC_USDT_PERP" } as const;

const promised = (stepMs?: number): Subscriptions => {
  const subscriptions = createSubscriptions(stepMs);
  subscriptions.want([BOOK], 0);
  subscriptions.asked([BOOK], 0);
  subscriptions.acknowledged(keyOf(BOOK), 0);
  return subscriptions;
};

it("waits for three beats of a slow service, and ten seconds of any other", () => {
  expect(promised(20_000).due(59_000).silent).toEqual([]);
  expect(promised(20_000).due(61_000).silent).toEqual([BOOK]);
  expect(promised(100).due(9_000).silent).toEqual([]);
  expect(promised(100).due(11_000).silent).toEqual([BOOK]);
  expect(promised().due(11_000).silent).toEqual([BOOK]);
});
