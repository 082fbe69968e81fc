/** After a close the account is read again before anything is opened: until then its loss has left the marks and is booked nowhere. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import {
  account,
  BTC,
  ETH,
  holding,
  position,
  ready,
  scripted,
  standingStop,
  update,
  target,
} from "../support/agent-world.ts";

/** BTC is held and shows a loss, ETH is wanted; then a push says how much BTC is left. No fill is reported. */
function afterPush(left: string) {
  const deciding = { symbol: BTC };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [target(deciding)], note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  const held = position(BTC, "0.004", "60000");
  w.account({ positions: [held] });
  w.feed({ kind: "algo", algo: standingStop() });
  deciding.symbol = ETH;
  const update = { symbol: BTC, positionSide: "LONG" as const, qty: dec(left), avgPrice: dec("60000"), leverage: 2 };
  w.feed({ kind: "position", update });
  return w;
}

const REFUSAL = /What was filled or closed a moment ago is in no reading of equity yet/;

describe.each([
  ["all", "0"],
  ["a part", "0.002"],
])("%s of a position is gone", (_, left) => {
  test("nothing is opened on the old figure, which is read again at once", () => {
    const w = afterPush(left);
    const asked = w.of("read-account").length;
    for (let second = 0; second < 4; second++) w.tick(1_000);
    expect(w.of("read-account").length).toBeGreaterThan(asked);
    for (let second = 0; second < 60; second++) w.tick(1_000);
    expect(w.of("place")).toEqual([]);
    expect(w.logs("review.verdict").join()).toMatch(REFUSAL);
  });

  test("a reading that began before does not count, one that began after does", () => {
    const w = afterPush(left);
    const positions = left === "0" ? [] : [position(BTC, left, "60000")];
    w.account({ positions, startedAtMs: w.nowMs - 1 });
    for (let second = 0; second < 70; second++) w.tick(1_000);
    expect(w.of("place")).toEqual([]);
    for (let second = 0; second < 70; second++) {
      w.account({ positions });
      w.tick(1_000);
    }
    expect(w.last("place").intent.draft.order.symbol).toBe(ETH);
  });
});

/** BTC was bought, by the order's own word alone; now ETH is wanted. */
function afterFill() {
  const deciding = { symbol: BTC };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [target(deciding)], note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  for (let second = 0; second < 3; second++) w.tick(1_000);
  const placed = w.last("place");
  const { qty } = placed.intent.draft.order;
  deciding.symbol = ETH;
  w.feed({ kind: "order", update: update(placed, { state: "FILLED", executedQty: qty, avgPrice: dec("60000") }) });
  return { w, qty };
}

test("what an order has filled is held at once, so that others may open beside it", () => {
  const { w, qty } = afterFill();
  expect(w.agent.status(w.nowMs).positions).toMatchObject([{ symbol: BTC, side: "LONG", qty: qty.toFixed() }]);
  w.feed({ kind: "algo", algo: standingStop({ qty }) });
  for (let second = 0; second < 62; second++) {
    w.account({ positions: [position(BTC, qty.toFixed(), "60000")], openAlgos: [standingStop({ qty })] });
    w.tick(1_000);
  }
  expect(w.last("place").intent.draft.order.symbol).toBe(ETH);
});

test("what was opened and gone again before any list showed it holds others up no longer than lists lag", () => {
  const { w } = afterFill();
  const pass = (count: number): void => {
    for (let second = 0; second < count; second++) {
      w.account();
      w.tick(1_000);
    }
  };
  pass(4);
  w.feed({ kind: "protect-sent", leg: w.last("protect").leg, sent: { kind: "unknown", message: "cut" } });
  pass(15);
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [] });
  expect(w.of("place")).toHaveLength(1);
  pass(60);
  expect(w.last("place").intent.draft.order.symbol).toBe(ETH);
});

/** BTC is held with what 900 USDT can carry; the market stream falls silent, then lists show it at 54,000. */
function silentFall() {
  const held = position(BTC, "0.01", "60000");
  const w = ready({}, { account: [account("900")], positions: [held] });
  w.feed({ kind: "algo", algo: standingStop({ stopLossPrice: dec("50000") }) });
  w.feed({
    kind: "asset",
    asset: { exchange: "EXCHANGE_A", coin: "USDT", balance: dec("900"), available: dec("900"), frozen: dec("0") },
  });
  w.feed({ kind: "stream", stream: "market", up: false, reason: "test" });
  const markPrice = dec("54000");
  const unrealizedPnl = dec("-60");
  for (let second = 0; second < 10; second++) {
    w.nowMs += 1_000;
    if (second === 6)
      w.account({
        account: [{ ...account("840"), unrealizedPnl }],
        positions: [{ ...held, markPrice, unrealizedPnl }],
      });
    w.feed({ kind: "tick" });
  }
  return w;
}

test("while no prices stream, the mark of the list counts for every witness of equity", () => {
  const w = silentFall();
  expect(w.agent.status(w.nowMs).equityUsdt).toBe("840");
  expect(w.logs("limit.fired").join()).toMatch(/^reducing in 1 symbol: a gap would cost .*allows 20.00 USDT/);
});
