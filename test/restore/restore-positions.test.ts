/** What a new run knows of positions from the rows of earlier ones. */
import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { positionsOf } from "../../src/restore/restore-positions.ts";
import { wholeRows } from "../support/rows.ts";

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
type Row = { readonly kind: string; readonly body: object };
const read = (rows: readonly Row[], state = "ok") =>
  positionsOf({ rows: () => wholeRows(rows), opened: { state } } as unknown as JournalReader);

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

test("a position that fills have taken whole stays away once a list lacks it", () => {
  const fill = (atMs: number, qty: string, opening = false) => ({
    ...{ kind: "fill", decisionId: null, atMs },
    body: { leg: POSITION, qty, opening, atMs: 100 + atMs },
  });
  const leg = (...rows: readonly Row[]) => read([position(7, "opened"), ...rows]).positions.get(POSITION);
  expect(leg(fill(8, "0.001"), fill(9, "0.003"))).toMatchObject({ reportedMs: 0, takenBy: { atMs: 109, heardMs: 9 } });
  for (const held of [
    leg(fill(8, "0.003")),
    leg(fill(8, "0.004", true)),
    leg(fill(8, "0.004"), position(9, "resized")),
  ]) {
    expect(held?.reportedMs).toBe(7);
    expect(held?.takenBy).toBeUndefined();
  }
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

test("when it last grew counts unless it was reduced or closed since, or the journal is damaged", () => {
  const grewMs = (rows: readonly Row[], state?: string) => read(rows, state).positions.get(POSITION)?.grewMs;
  const grown = [
    position(1, "opened"),
    position(5, "resized", { qty: "0.006" }),
    position(9, "resized", { qty: "0.006" }),
  ];
  expect(grewMs(grown)).toBe(5);
  expect(grewMs([...grown, position(12, "resized", { qty: "0.005" })])).toBeUndefined();
  expect(grewMs([position(7, "opened", { doubted: true })])).toBeUndefined();
  expect(grewMs(grown, "damaged")).toBeUndefined();
  const closing = { kind: "wire-out", decisionId: null, atMs: 10 };
  const params = { symbol: "EXCHANGE_A_PERP_BTC_USDT", reduceOnly: true };
  for (const positionSide of [{ positionSide: "LONG" }, {}])
    expect(
      grewMs([...grown, { ...closing, body: { action: "position.close", params: { ...params, ...positionSide } } }]),
    ).toBeUndefined();
});
