/** The venue's clock runs apart from ours: fills and records have its time, and some pushes have none. Faults C1, C3. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { BTC, position, ready, scripted, target, update, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** An order to open 0.003 is under way; the venue's clock is `offsetMs` ahead of ours, give or take 50 ms. */
function opening(offsetMs: number) {
  const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
  const w = ready({ strategies: { chosen, fallback: chosen } });
  w.feed({ kind: "clock-checked", offsetMs, uncertaintyMs: 50 });
  story("until place", w);
  const { clientOrderId } = w.last("place").intent;
  const venueMs = (): number => w.nowMs + offsetMs;
  const fill = (qty: string, atMs = venueMs()): void => {
    const ids = { transactionId: `t-${qty}`, orderId: "2190000000000001", clientOrderId, symbol: BTC };
    const sums = { qty: dec(qty), price: dec("60000"), fee: dec("0.1"), realizedPnl: dec("0") };
    w.feed({ kind: "fill", execution: { ...ids, ...sums, side: "BUY", liquidity: "TAKER", atMs } });
  };
  const list = (qty: string): void => {
    const times = { updatedAtMs: venueMs(), createdAtMs: venueMs() - 60_000 };
    w.account({ positions: [{ ...position(BTC, qty, "60000", "LONG"), ...times }], openAlgos: null });
  };
  return { w, venueMs, fill, list };
}

const held = (w: World): string =>
  w.agent
    .status(w.nowMs)
    .positions.map(({ side, qty }) => `${side} ${qty}`)
    .join();

const GAPS = [0, 200, 1_000, 4_000, 30_000, -200, -4_000, -30_000];

test.each(GAPS)("a fill and the record of its order, which has no time, count once (%i ms)", (offsetMs) => {
  const { w, fill } = opening(offsetMs);
  w.tick(250);
  fill("0.003");
  w.quote(50);
  w.feed({
    kind: "order",
    update: update(w.last("place"), { state: "FILLED", executedQty: dec("0.003"), updatedAtMs: null }),
  });
  expect(held(w)).toBe("LONG 0.003");
  w.tick(1_000);
  expect(held(w)).toBe("LONG 0.003");
});

test("an order and the record of its position count once, by a clock that is known to half a second", () => {
  const { w, list } = opening(0);
  w.feed({ kind: "clock-checked", offsetMs: 400, uncertaintyMs: 500 });
  w.tick(100);
  list("0.003");
  w.tick(100);
  w.feed({
    kind: "order",
    update: update(w.last("place"), { state: "FILLED", executedQty: dec("0.003"), updatedAtMs: null }),
  });
  expect(held(w)).toBe("LONG 0.003");
});

test.each(GAPS)("an own fill counts at once and gets a stop, though lists still lack it (%i ms)", (offsetMs) => {
  const { w, fill } = opening(offsetMs);
  w.account();
  w.tick(1_000);
  fill("0.003");
  expect(held(w)).toBe("LONG 0.003");
  w.account();
  w.tick(1_000);
  expect(held(w)).toBe("LONG 0.003");
  expect(w.of("protect")).toHaveLength(1);
});

test.each(GAPS)("what fills half a second after a record of the position adds to it (%i ms)", (offsetMs) => {
  const { w, fill, list } = opening(offsetMs);
  fill("0.001");
  w.tick(250);
  list("0.001");
  w.tick(500);
  fill("0.002");
  expect(held(w)).toBe("LONG 0.003");
});

test.each(GAPS)("what fills a second after the position was flat opens it again (%i ms)", (offsetMs) => {
  const { w, venueMs, fill, list } = opening(offsetMs);
  fill("0.001");
  w.tick(250);
  list("0.001");
  w.tick(250);
  const flat = { symbol: BTC, positionSide: "LONG" as const, qty: dec("0"), avgPrice: dec("0"), leverage: 2 };
  w.feed({ kind: "position", update: { ...flat, atMs: venueMs() } });
  expect(held(w)).toBe("");
  w.tick(1_000);
  fill("0.002");
  expect(held(w)).toBe("LONG 0.002");
});

test.each(GAPS)("a list without it does not end a position that a list showed a moment ago (%i ms)", (offsetMs) => {
  const { w, fill, list } = opening(offsetMs);
  fill("0.001");
  w.tick(250);
  list("0.001");
  w.tick(1_000);
  w.account({ openAlgos: null });
  expect(held(w)).toBe("LONG 0.001");
});

test.each(GAPS)("a push of a fill without a time is of the moment in which it was heard (%i ms)", (offsetMs) => {
  const { w, fill } = opening(offsetMs);
  w.account();
  w.tick(1_000);
  fill("0.003", 0);
  expect(held(w)).toBe("LONG 0.003");
  w.account();
  expect(held(w)).toBe("LONG 0.003");
});
