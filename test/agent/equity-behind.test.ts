/** After a close the account is read again before anything is opened: until then its loss has left the marks and is booked nowhere. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { account, BTC, ETH, holding, position, ready, scripted, standingStop, target } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** BTC is held and shows a loss, ETH is wanted; then a push says how much BTC is left. No fill is reported. */
function afterPush(left: string) {
  const deciding = { symbol: BTC };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [target(deciding)], note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  story("list BTC LONG 0.004\nstop S1", w);
  deciding.symbol = ETH;
  return story(`push BTC LONG ${left}`, w);
}

const REFUSAL = /The latest equity reading predates the last fill/;

describe.each([
  ["all", "0"],
  ["a part", "0.002"],
])("%s of a position is gone", (_, left) => {
  test("nothing is opened on the old figure, which is read again at once", () => {
    const w = story("4 s -> reads", afterPush(left));
    story("60 s", w);
    expect(w.of("place")).toEqual([]);
    expect(w.logs("review.verdict").join()).toMatch(REFUSAL);
  });

  test("a reading that began before does not count, one that began after does", () => {
    const shown = left === "0" ? "nothing" : `BTC LONG ${left}`;
    const w = story(`list ${shown}, no stops, asked 0.001 s ago\n70 s`, afterPush(left));
    expect(w.of("place")).toEqual([]);
    story(`list ${shown}, no stops\n1 s\n`.repeat(70), w);
    expect(w.last("place").intent.draft.order.symbol).toBe(ETH);
  });
});

/** BTC was bought, by the order's own word alone; now ETH is wanted. */
function afterFill() {
  const deciding = { symbol: BTC };
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [target(deciding)], note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  story("3 s                 -> places BTC", w);
  deciding.symbol = ETH;
  story("order FILLED", w);
  return { w, qty: w.last("place").intent.draft.order.qty.toFixed() };
}

test("what an order has filled is held at once, so that others may open beside it", () => {
  const { w, qty } = afterFill();
  story(
    `
    0 s                      -> holds BTC LONG ${qty}
    stop S1 for ${qty}
    ${`list BTC LONG ${qty}, S1 for ${qty}\n1 s\n`.repeat(62)}
    `,
    w,
  );
  expect(w.last("place").intent.draft.order.symbol).toBe(ETH);
});

test("what was opened and gone again before any list showed it does not hold others up for good", () => {
  const { w } = afterFill();
  const pass = (count: number): string => "list nothing, no stops\n1 s\n".repeat(count);
  story(`${pass(4)}protect unknown\n${pass(15)}fills none\n${pass(60)}`, w);
  expect(w.of("place")).toHaveLength(2);
  expect(w.last("place").intent.draft.order.symbol).toBe(ETH);
});

/** BTC is held with what 900 USDT can carry; the market stream falls silent, then lists show it at 54,000. */
function silentFall() {
  const held = position(BTC, "0.01", "60000");
  const w = ready({}, { account: [account("900")], positions: [held] });
  w.feed({ kind: "algo", algo: standingStop({ stopLossPrice: dec("50000") }) });
  story("wallet 900", w);
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

test("while no prices stream, the mark of the list counts for every source of equity", () => {
  const w = silentFall();
  expect(w.agent.status(w.nowMs).equityUsdt).toBe("840");
  expect(w.logs("limit.fired").join()).toMatch(/^reducing in 1 symbol: a gap would cost .*allows 20.00 USDT/);
});
