/** What a new run knows of legs from the rows of earlier ones. */
import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { legsOf } from "../../src/restore/restore-legs.ts";
import { wholeRows } from "../support/rows.ts";

const LEG = "EXCHANGE_A_PERP_BTC_USDT|LONG";
const position = (atMs: number, kind: string, more: object = {}) => ({
  kind: "position",
  decisionId: null,
  atMs,
  body: { leg: LEG, symbol: "EXCHANGE_A_PERP_BTC_USDT", side: "LONG", kind, qty: "0.004", avgPrice: "60000", ...more },
});
type Row = { readonly kind: string; readonly body: object };
const read = (rows: readonly Row[]) => legsOf({ rows: () => wholeRows(rows) } as unknown as JournalReader);

test("a leg is as old as its first row, however often later runs tell of it, and begins anew after a close", () => {
  expect(read([position(1, "opened"), position(2, "resized"), position(3, "opened")]).legs.get(LEG)?.toldMs).toBe(1);
  const again = read([position(1, "opened"), position(2, "closed"), position(3, "opened")]);
  expect(again.legs.get(LEG)?.toldMs).toBe(3);
});

test("a leg that is over tells since when, and whether no more was known than that a list lacked it", () => {
  const { legs, closed } = read([
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

test("a leg that a list lacked is over for good once fills have taken all that was left of it", () => {
  const fill = (atMs: number, qty: string) => ({
    ...{ kind: "fill", decisionId: null, atMs },
    body: { leg: LEG, qty, opening: false },
  });
  const missed = position(4, "closed", { missed: true, qty: "0" });
  const isMissed = (...rows: readonly Row[]) => read([position(1, "opened"), ...rows]).closed.at(-1)?.missed;
  expect(isMissed(missed, fill(5, "0.004"))).toBe(false);
  expect(isMissed(fill(2, "0.001"), missed, fill(5, "0.003"))).toBe(false);
  expect(isMissed(missed, fill(5, "0.003"))).toBe(true);
  expect(isMissed(fill(2, "0.004"), position(3, "resized"), missed)).toBe(true);
});

test("a leg that only a late push told of is missing from the first list like one of long ago", () => {
  expect(read([position(7, "opened", { doubted: true })]).legs.get(LEG)?.toldMs).toBe(0);
});

test("a leg that fills have taken whole since it was last told is missing from the first list for good", () => {
  const fill = (atMs: number, qty: string, opening = false) => ({
    ...{ kind: "fill", decisionId: null, atMs },
    body: { leg: LEG, qty, opening, atMs: 100 + atMs },
  });
  const leg = (...rows: readonly Row[]) => read([position(7, "opened"), ...rows]).legs.get(LEG);
  expect(leg(fill(8, "0.001"), fill(9, "0.003"))).toMatchObject({ toldMs: 0, takenBy: { atMs: 109, heardMs: 9 } });
  for (const held of [
    leg(fill(8, "0.003")),
    leg(fill(8, "0.004", true)),
    leg(fill(8, "0.004"), position(9, "resized")),
  ]) {
    expect(held?.toldMs).toBe(7);
    expect(held?.takenBy).toBeUndefined();
  }
});
