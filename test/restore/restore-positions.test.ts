/** What a new run knows of positions from the rows of earlier ones. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { JournalState } from "../../src/journal/reader.ts";
import { positionsOf } from "../../src/restore/restore-positions.ts";
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
const read = (rows: readonly Row[], state: JournalState["state"] = "ok") => positionsOf(readerOf(rows, state), 1_000);

test("a position is as old as its first row, and begins again after a close", () => {
  expect(
    read([position(1, "opened"), position(2, "resized"), position(3, "opened")]).positions.get(POSITION)?.reportedMs,
  ).toBe(1);
  const again = read([position(1, "opened"), position(2, "closed"), position(3, "opened")]);
  expect(again.positions.get(POSITION)?.reportedMs).toBe(3);
});

test("a position that is over reports since when, and whether no more was known than that a list lacked it", () => {
  const { positions: legs, closed } = read([
    position(1, "opened"),
    position(2, "closed", { missed: true }),
    position(5, "closed"),
  ]);
  expect(legs.size).toBe(0);
  expect(closed).toMatchObject([
    { closedAtMs: 2, missed: true },
    { closedAtMs: 5, missed: false },
  ]);
});

test("a position that a list lacked is over for good once fills have taken all that was left of it", () => {
  const fill = (atMs: number, qty: string) => ({
    ...{ kind: "fill", decisionId: null, atMs },
    body: { leg: POSITION, qty, opening: false },
  });
  const missed = position(4, "closed", { missed: true, qty: "0" });
  const isMissed = (...rows: readonly Row[]) => read([position(1, "opened"), ...rows]).closed.at(-1)?.missed;
  expect(isMissed(missed, fill(5, "0.004"))).toBe(false);
  expect(isMissed(fill(2, "0.001"), missed, fill(5, "0.003"))).toBe(false);
  expect(isMissed(missed, fill(5, "0.003"))).toBe(true);
  expect(isMissed(fill(2, "0.004"), position(3, "resized"), missed)).toBe(true);
});

test("a position that only a late push reported is missing from the first list like one of long ago", () => {
  expect(read([position(7, "opened", { doubted: true })]).positions.get(POSITION)?.reportedMs).toBe(0);
});

test("a late push of a position that a list then lacked leaves the end that was known before", () => {
  const late = [position(7, "opened", { doubted: true }), position(8, "closed", { doubted: true })];
  const { positions, closed } = read([position(1, "opened"), position(5, "closed"), ...late]);
  expect(positions.size).toBe(0);
  expect(closed.map(({ closedAtMs }) => closedAtMs)).toEqual([5]);
});

test("what fills have closed since the last word on a position is taken from it", () => {
  const fill = (atMs: number, qty: string, opening = false) => ({
    ...{ kind: "fill", decisionId: null, atMs },
    body: { leg: POSITION, qty, opening, atMs: 100 + atMs },
  });
  const leg = (...rows: readonly Row[]) => read([position(7, "opened"), ...rows]).positions.get(POSITION);
  const taken = leg(fill(8, "0.001"), fill(9, "0.003"));
  expect(taken).toMatchObject({ reportedMs: 7, takenQty: dec("0.004"), lastFill: { atMs: 109, heardMs: 9 } });
  expect(leg(fill(8, "0.003"))?.takenQty).toEqual(dec("0.003"));
  for (const held of [leg(fill(8, "0.004", true)), leg(fill(8, "0.004"), position(9, "resized"))])
    expect(held?.takenQty).toBeUndefined();
});

test("a fill from before the last record of a position, or from before it began, takes nothing from it", () => {
  const fill = (atMs: number) => ({
    ...{ kind: "fill", decisionId: null, atMs: 8 },
    body: { leg: POSITION, qty: "0.001", opening: false, atMs },
  });
  const takenBy = (atMs: number, dated: { readonly provenMs?: number; readonly begunMs?: number }) =>
    read([position(7, "opened", dated), fill(atMs)])
      .positions.get(POSITION)
      ?.takenQty?.toFixed();
  expect(takenBy(100, { provenMs: 100 })).toBeUndefined();
  expect(takenBy(101, { provenMs: 100 })).toBe("0.001");
  expect(takenBy(99, { begunMs: 100 })).toBeUndefined();
  expect(takenBy(100, { begunMs: 100 })).toBe("0.001");
});

test("a safer stop that stood is the wanted one; a less safe one changes nothing", () => {
  const stood = (stopPrice: string) => ({
    ...{ kind: "protection", decisionId: null, atMs: 2 },
    body: { leg: POSITION, standing: true, algoOrderId: "7", stopPrice, unprotectedMs: 0 },
  });
  const wanted = (stopPrice: string) =>
    read([position(1, "opened", { stopPrice: "58000" }), stood(stopPrice)])
      .positions.get(POSITION)
      ?.stopPrice?.toFixed();
  expect(wanted("58200")).toBe("58200");
  expect(wanted("57000")).toBe("58000");
});

test("a fill that is heard of late is no growth, where the position is known to include a newer one", () => {
  const late = {
    ...{ kind: "fill", decisionId: null, atMs: 9 },
    body: { leg: POSITION, qty: "0.004", opening: true, atMs: 100 },
  };
  const grown = position(7, "resized", { qty: "0.006", filledMs: 105 });
  const held = (...rows: readonly Row[]) => read([position(2, "opened"), ...rows]).positions.get(POSITION);
  expect(held(grown, late)).toMatchObject({ reportedMs: 7, lastFill: { atMs: 105, heardMs: 7 } });
  expect(held(late)).toMatchObject({ reportedMs: 9, lastFill: { atMs: 100, heardMs: 9 } });
});

test("when it last grew counts unless only a late push said so, or the journal is damaged", () => {
  const grewMs = (rows: readonly Row[], state?: "tail-lost" | "damaged") =>
    read(rows, state).positions.get(POSITION)?.reportedMs;
  const grown = [
    position(1, "opened"),
    position(5, "resized", { qty: "0.006" }),
    position(9, "resized", { qty: "0.006" }),
  ];
  expect(grewMs(grown)).toBe(5);
  expect(grewMs([...grown, position(12, "resized", { qty: "0.005" })])).toBe(5);
  expect(grewMs([position(7, "opened", { doubted: true })])).toBe(0);
  expect(grewMs(grown, "damaged")).toBe(0);
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
  const held = (...rows: readonly Row[]) => read([position(1, "opened"), ...rows]).positions.get(POSITION);
  const params = { symbol: "EXCHANGE_A_PERP_BTC_USDT", reduceOnly: true };
  for (const positionSide of [{ positionSide: "LONG" }, {}])
    expect(held(sent("position.close", { ...params, ...positionSide }))?.closeAskedMs).toBe(10);
  expect(held(sent("position.close", { ...params, positionSide: "SHORT" }))?.closeAskedMs).toBeUndefined();
  const asked = (algoOrderId: string) => sent("algo.replace", { algoOrderId, quantity: "0.002" });
  expect(held(stood, asked("7"))?.coverAsked).toEqual({ qty: dec("0.002"), atMs: 10 });
  expect(held(stood, asked("8"))?.coverAsked).toBeUndefined();
});
