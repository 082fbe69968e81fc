/** What a new run knows of positions from the rows of earlier ones. */
import { expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { JournalState } from "../../src/journal/reader.ts";
import { listedPositions } from "../../src/agent/positions/position-lists.ts";
import { recall } from "../../src/agent/positions/recall.ts";
import { openPositionsOf, positionFactsOf } from "../../src/restore/restore-positions.ts";
import { readerOf } from "../support/rows.ts";

const POSITION = "EXCHANGE_A_PERP_BTC_USDT|LONG";
const position = (atMs: number, kind: string, more: object = {}) => ({
  kind: "position",
  decisionId: null,
  atMs,
  body: {
    leg: POSITION,
    symbol: "EXCHANGE_A_PERP_BTC_USDT",
    side: "LONG",
    kind,
    qty: "0.004",
    avgPrice: "60000",
    ...more,
  },
});
type Row = { readonly kind: string; readonly atMs: number; readonly body: object };
const read = (rows: readonly Row[], state: JournalState["state"] = "ok") => {
  const book = recall(positionFactsOf(readerOf(rows, state), 1_000), 1_000);
  return { ...book, position: book.held.get(POSITION), lastFill: book.fills.newest(POSITION) };
};

test("a position is as old as its first row, and begins again after a close", () => {
  expect(read([position(1, "opened"), position(2, "resized"), position(3, "opened")]).position?.aheadMs).toBe(1);
  const again = read([position(1, "opened"), position(2, "closed"), position(3, "opened")]);
  expect(again.position?.aheadMs).toBe(3);
});

test("no position was opened after the first row about it, by a clock that was set back since", () => {
  // The run began at an hour of 3,600,000 by the clock of that time, and this one reads it at 1,000.
  const row = (monoMs: number, kind: string) => ({
    ...position(3_600_000 + monoMs, kind, { openedAtMs: 3_600_000 }),
    ...{ runId: "r1", monoMs },
  });
  const openedMs = (...rows: readonly Row[]) => read(rows).position?.meta.openedAtMs;
  expect(openedMs(row(100, "opened"), row(400, "resized"), row(500, "resized"))).toBe(600);
  expect(openedMs(row(100, "opened"), row(300, "closed"), row(400, "opened"), row(500, "resized"))).toBe(900);
  expect(openedMs(position(600, "opened", { openedAtMs: 550 }), position(700, "resized", { openedAtMs: 550 }))).toBe(
    550,
  );
});

test("a position that is over reports since when, and whether no more was known than that a list lacked it", () => {
  const missed = [position(1, "opened"), position(2, "closed", { missed: true })];
  const { held, past } = read(missed);
  expect([held.size, past.lastMs(POSITION), past.missing(POSITION)]).toEqual([0, 2, true]);
  const over = read([...missed, position(5, "closed")]);
  expect([over.held.size, over.past.lastMs(POSITION), over.past.missing(POSITION)]).toEqual([0, 5, false]);
});

test("a position that a list lacked is over for good once fills have taken all that was left of it", () => {
  const fill = (atMs: number, qty: string) => ({
    ...{ kind: "fill", decisionId: null, atMs },
    body: { leg: POSITION, qty, opening: false },
  });
  const missed = position(4, "closed", { missed: true, qty: "0" });
  const isMissed = (...rows: readonly Row[]) => read([position(1, "opened"), ...rows]).past.missing(POSITION);
  expect(isMissed(missed, fill(5, "0.004"))).toBe(false);
  expect(isMissed(fill(2, "0.001"), missed, fill(5, "0.003"))).toBe(false);
  expect(isMissed(missed, fill(5, "0.003"))).toBe(true);
  expect(isMissed(fill(2, "0.004"), position(3, "resized"), missed)).toBe(true);
});

test("a position that only a late push reported is as unsure as it was then: the first list decides", () => {
  const doubted = [position(7, "opened", { doubted: true })];
  expect(read(doubted).position).toMatchObject({ unsureSinceMs: 7, proven: { qty: ZERO } });
  expect(listedPositions(read(doubted), [], 8, 8)).toMatchObject([{ kind: "closed", unsure: true }]);
});

test("a late push of a position that a list then lacked leaves the end that was known before", () => {
  const late = [position(7, "opened", { doubted: true }), position(8, "closed", { doubted: true })];
  const { held, past } = read([position(1, "opened"), position(5, "closed"), ...late]);
  expect([held.size, past.lastMs(POSITION)]).toEqual([0, 5]);
});

test("what fills have closed since the last word on a position is taken from it", () => {
  const fill = (atMs: number, qty: string, opening = false) => ({
    ...{ kind: "fill", decisionId: null, atMs },
    body: { leg: POSITION, qty, opening, atMs: 100 + atMs },
  });
  const after = (...rows: readonly Row[]) => read([position(7, "opened"), ...rows]);
  const taken = after(fill(8, "0.001"), fill(9, "0.003"));
  expect(taken.position).toMatchObject({ aheadMs: 7, takenQty: dec("0.004") });
  expect(taken.lastFill).toMatchObject({ atMs: 109, heardMs: 9 });
  expect(after(fill(8, "0.003")).position?.takenQty).toEqual(dec("0.003"));
  for (const { position: held } of [after(fill(8, "0.004", true)), after(fill(8, "0.004"), position(9, "resized"))])
    expect(held?.takenQty).toEqual(ZERO);
});

test("in one-way mode a fill that opened the other side has closed this one first", () => {
  const fill = (more: object) => ({
    ...{ kind: "fill", decisionId: null, atMs: 8 },
    body: { leg: "EXCHANGE_A_PERP_BTC_USDT|SHORT", qty: "0.007", opening: true, ...more, atMs: 108 },
  });
  const takenBy = (more: object) => read([position(7, "opened"), fill(more)]).position?.takenQty.toFixed();
  expect([takenBy({ reverses: true }), takenBy({})]).toEqual(["0.004", "0"]);
});

test("a fill from before the last record of a position, or from before it began, takes nothing from it", () => {
  const fill = (atMs: number) => ({
    ...{ kind: "fill", decisionId: null, atMs: 8 },
    body: { leg: POSITION, qty: "0.001", opening: false, atMs },
  });
  const takenBy = (atMs: number, dated: { readonly provenMs?: number; readonly begunMs?: number }) =>
    read([position(7, "opened", dated), fill(atMs)]).position?.takenQty.toFixed();
  expect(takenBy(100, { provenMs: 100 })).toBe("0");
  expect(takenBy(101, { provenMs: 100 })).toBe("0.001");
  expect(takenBy(99, { begunMs: 100 })).toBe("0");
  expect(takenBy(100, { begunMs: 100 })).toBe("0.001");
});

test("a safer stop that stood is the wanted one; a less safe one changes nothing", () => {
  const stood = (stopPrice: string) => ({
    ...{ kind: "protection", decisionId: null, atMs: 2 },
    body: { leg: POSITION, standing: true, algoOrderId: "7", stopPrice, unprotectedMs: 0 },
  });
  const wanted = (stopPrice: string) =>
    read([position(1, "opened", { stopPrice: "58000" }), stood(stopPrice)]).position?.meta.stopPrice?.toFixed();
  expect(wanted("58200")).toBe("58200");
  expect(wanted("57000")).toBe("58000");
});

test("a fill that is heard of late is no growth, where the position is known to include a newer one", () => {
  const late = {
    ...{ kind: "fill", decisionId: null, atMs: 9 },
    body: { leg: POSITION, qty: "0.004", opening: true, atMs: 100 },
  };
  const grown = position(7, "resized", { qty: "0.006", filledMs: 105 });
  const after = (...rows: readonly Row[]) => read([position(2, "opened"), ...rows]);
  expect(after(grown, late)).toMatchObject({ position: { aheadMs: 7 }, lastFill: { atMs: 105, heardMs: 7 } });
  expect(after(late)).toMatchObject({ position: { aheadMs: 9 }, lastFill: { atMs: 100, heardMs: 9 } });
});

test("when it last grew counts unless the end of the journal is damaged", () => {
  const grewMs = (rows: readonly Row[], state?: "tail-lost" | "damaged") => read(rows, state).position?.aheadMs;
  const grown = [
    position(1, "opened"),
    position(5, "resized", { qty: "0.006" }),
    position(9, "resized", { qty: "0.006" }),
  ];
  expect(grewMs(grown)).toBe(5);
  expect(grewMs([...grown, position(12, "resized", { qty: "0.005" })])).toBe(5);
  expect(grewMs(grown, "damaged")).toBe(0);
});

test("its opening fills do not say when a position began if the end of the journal is damaged", () => {
  const fill = {
    ...{ kind: "fill", decisionId: null, atMs: 6 },
    body: { leg: POSITION, qty: "0.004", opening: true, atMs: 106 },
  };
  const began = (state: JournalState["state"]) => read([position(7, "opened"), fill], state).fills.openedMs(POSITION);
  expect([began("ok"), began("tail-lost")]).toEqual([106, Infinity]);
});

test("a close that was sent, and the size that a stop was last asked to cover, are known", () => {
  const sent = (action: string, params: Record<string, unknown>) => ({
    ...{ kind: "wire-out", decisionId: null, atMs: 10 },
    body: { action, params },
  });
  const stood = {
    ...{ kind: "protection", decisionId: null, atMs: 2 },
    body: { leg: POSITION, standing: true, algoOrderId: "7", stopPrice: "58000", unprotectedMs: 0 },
  };
  const held = (...rows: readonly Row[]) => read([position(1, "opened"), ...rows]).position;
  const params = { symbol: "EXCHANGE_A_PERP_BTC_USDT", reduceOnly: true };
  for (const positionSide of [{ positionSide: "LONG" }, {}])
    expect(held(sent("position.close", { ...params, ...positionSide }))?.closeAskedMs).toBe(10);
  expect(held(sent("position.close", { ...params, positionSide: "SHORT" }))?.closeAskedMs).toBeNull();
  const asked = (algoOrderId: string) => sent("algo.replace", { algoOrderId, quantity: "0.002" });
  expect(held(stood, asked("7"))?.shrinking).toEqual({ algoOrderId: "7", qty: dec("0.002"), updatedMs: 10 });
  expect(held(stood, asked("8"))?.shrinking).toBeNull();
});

test("a position that has long been held is known, however much was written about others since", () => {
  const other = "EXCHANGE_A_PERP_ETH_USDT|LONG";
  const fill = { kind: "fill", decisionId: null, atMs: 5, body: { leg: other, qty: "0.001", opening: true } };
  const planned = position(1, "opened", { stopPrice: "55000", targetPrice: "70000", thesis: "a breakout" });
  const rows = [planned, ...Array.from({ length: 10_000 }, () => fill)];
  const meta = { stopPrice: dec("55000"), targetPrice: dec("70000"), thesis: "a breakout" };
  expect(read(rows).position?.meta).toMatchObject(meta);
  expect(openPositionsOf(readerOf(rows), 1_000).get(POSITION)?.meta).toMatchObject(meta);
});
