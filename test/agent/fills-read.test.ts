/** How far the list of executions was read is measured by the venue's own time, not by ours. Fault C1; invariant I5. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import type { Execution, OrderUpdate } from "../../src/domain/order.ts";
import { BTC, position, ready, START_MS, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const filled = (transactionId: string, atMs: number): Execution => ({
  transactionId,
  orderId: "2190000000000301",
  clientOrderId: "2190000000000301",
  symbol: BTC,
  side: "BUY",
  qty: dec("0.004"),
  price: dec("60000"),
  fee: dec("0.1"),
  realizedPnl: dec("0"),
  liquidity: "TAKER",
  atMs,
});

/** The machine's clock is an hour ahead of the venue's. */
function anHourAhead() {
  const w = ready({ restored: { fills: { ids: ["1"], throughMs: START_MS - 2 * HOUR_MS } } });
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [filled("2", START_MS - HOUR_MS)] });
  return w;
}

test("with a clock that is ahead, a fill that the list shows late is still found", () => {
  const w = anHourAhead();
  w.tick(25_000);
  expect(w.last("read-fills").sinceMs).toBeLessThan(START_MS - HOUR_MS);
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [filled("3", START_MS - HOUR_MS + 5_000)] });
  const reported = w.effects.filter((effect) => effect.kind === "record" && effect.row === "fill");
  expect(reported).toHaveLength(2);
});

test("a new journal counts fills from its beginning, by the venue's clock", () => {
  const w = ready({ restored: { fills: { ids: [], throughMs: null } } });
  w.feed({ kind: "clock-checked", offsetMs: -HOUR_MS, uncertaintyMs: 500 });
  const fills = [filled("2", START_MS - HOUR_MS - 5_000), filled("3", w.nowMs - HOUR_MS)];
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills });
  w.tick(25_000);
  expect(w.last("read-fills").sinceMs).toBeLessThan(START_MS - HOUR_MS);
  const reported = w.effects.filter((effect) => effect.kind === "record" && effect.row === "fill");
  expect(reported.map((row) => row.kind === "record" && row.body["transactionId"])).toEqual(["3"]);
});

test("a journal that no run had read a list for counts fills from its first row, by the venue's clock", () => {
  const begun = START_MS - 60_000;
  const w = ready({ restored: { fills: { ids: [], throughMs: null, sinceMs: begun } } });
  w.feed({ kind: "clock-checked", offsetMs: -HOUR_MS, uncertaintyMs: 500 });
  const fills = [filled("2", begun - HOUR_MS - 5_000), filled("3", begun - HOUR_MS + 5_000)];
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills });
  const reported = w.effects.filter((effect) => effect.kind === "record" && effect.row === "fill");
  expect(reported.map((row) => row.kind === "record" && row.body["transactionId"])).toEqual(["3"]);
});

test("where our clock was set back since then, it leaves out none that its own clock of then would count", () => {
  const begun = START_MS - 30_000;
  const w = ready({ restored: { fills: { ids: [], throughMs: null, sinceMs: begun } } });
  w.feed({ kind: "clock-checked", offsetMs: 60_000, uncertaintyMs: 500 });
  const fills = [filled("2", begun - 5_000), filled("3", begun + 5_000)];
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills });
  const reported = w.effects.filter((effect) => effect.kind === "record" && effect.row === "fill");
  expect(reported.map((row) => row.kind === "record" && row.body["transactionId"])).toEqual(["3"]);
});

test("so it is in the next run, which goes by what the row reports", () => {
  const rows = anHourAhead().effects.filter((effect) => effect.kind === "record" && effect.body["event"] === "fills");
  expect(rows.at(-1)).toMatchObject({ body: { throughMs: START_MS - HOUR_MS, found: 1 } });
});

test("a time that lies ahead of every clock hides nothing", () => {
  const w = anHourAhead();
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [filled("4", START_MS + 100 * HOUR_MS)] });
  w.tick(25_000);
  expect(w.last("read-fills").sinceMs).toBeLessThan(w.nowMs);
});

test("one without a time was filled when the list came, at the latest", () => {
  const w = ready();
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [filled("2", 0)] });
  const reported = w.effects.filter((effect) => effect.kind === "record" && effect.row === "fill");
  expect(reported).toMatchObject([{ body: { transactionId: "2", atMs: w.nowMs } }]);
});

test("a list of a start that may be behind is read again soon, until it must show all that came before", () => {
  const SOON = `
    11 s                       -> reads fills once
    fills none
    11 s                       -> reads fills once
    fills none
    60 s                       -> nothing
  `;
  const w = story(`
    1 s
    fills none
    ${SOON}
    stream down
    stream up
    ${SOON}
  `);
  expect(w.of("read-fills")).toHaveLength(1 + 2 + 2);
});

test("a list that could not be read is requested again after half the interval", () => {
  const w = story(
    `
    fills none
    23 s
    `,
    ready({ restored: { fills: { ids: ["1"], throughMs: START_MS - HOUR_MS } } }),
  );
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: null });
  story("12 s                  -> reads fills once", w);
});

test("a list being read is not requested again, and a read that never ends is given up", () => {
  const w = story("18 s");
  expect(w.of("read-fills")).toHaveLength(1);
  story("20 s                  -> reads fills once", w);
});

test("what was filled before the journal began is in the positions it found, in later runs too", () => {
  const reported = (restored?: { ids: string[]; throughMs: number; sinceMs: number }) => {
    const w = ready(restored ? { restored: { fills: restored } } : {});
    w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [filled("2", START_MS - HOUR_MS)] });
    return w.effects.flatMap((effect) => (effect.kind === "record" ? [effect] : []));
  };
  const first = reported().findLast(({ body }) => body["event"] === "fills");
  const sinceMs = Number(first?.body["sinceMs"]);
  expect(sinceMs).toBeGreaterThan(START_MS - HOUR_MS);
  const later = reported({ ids: [], throughMs: sinceMs, sinceMs });
  expect(later.filter(({ row }) => row === "fill")).toEqual([]);
  expect(later.findLast(({ body }) => body["event"] === "fills")?.body).toMatchObject({ sinceMs });
});

test("executions are read in their turn while something is held or rests, not of an idle account", () => {
  /** How many lists are asked for in the last minute of three. */
  const asked = (w: World): number => {
    let last = 0;
    for (let second = 0; second < 180; second++) {
      const before = w.of("read-fills").length;
      w.tick(1_000);
      const now = w.of("read-fills").length;
      if (now > before) w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [] });
      if (second >= 120) last += now - before;
    }
    return last;
  };
  const rests: OrderUpdate = {
    ...{ orderId: "2190000000000301", clientOrderId: "by-hand", state: "OPEN", symbol: BTC, side: "BUY" },
    ...{ positionSide: "LONG", qty: dec("0.004"), executedQty: dec("0"), avgPrice: dec("0"), limitPrice: dec("50000") },
    ...{ fee: null, reason: "", cancelPending: false, updatedAtMs: null },
  };
  const resting = ready();
  resting.feed({ kind: "order", update: rests });
  const held = ready({}, { positions: [position(BTC, "0.004", "60000", "LONG")] });
  expect([asked(ready()), asked(held) > 1, asked(resting) > 1]).toEqual([0, true, true]);
});

test("what was filled in one instant is taken in the list's own sequence, the newest of which comes first", () => {
  const w = ready();
  const atMs = w.nowMs;
  const closed = { ...filled("2", atMs), orderId: "2190000000000302", clientOrderId: "2190000000000302", side: "SELL" };
  const fills = [closed as Execution, filled("1", atMs), filled("0", atMs - 1)];
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills });
  const reported = w.effects.filter((effect) => effect.kind === "record" && effect.row === "fill");
  expect(reported.map((row) => row.kind === "record" && row.body["transactionId"])).toEqual(["0", "1", "2"]);
});
