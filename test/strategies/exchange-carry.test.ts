/** The carry between two exchanges: when it pays, and that neither side of it is left alone. */
import { describe, expect, test } from "vitest";
import type { HeldPosition, Snapshot, SymbolView } from "../../src/context/snapshot.ts";
import { dec } from "../../src/core/decimal.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { accountOf, headroomOf, heldOf, snapshotOf, viewOf } from "../strategy/snapshots.ts";
import { decided, targetsOf } from "./asking.ts";

const [A, B] = [perpSymbol("EXCHANGE_A", "BTC"), perpSymbol("EXCHANGE_B", "BTC")];
const RATES = { [A]: 0.0006, [B]: -0.0001 };

const coin = (changes: Readonly<Record<string, Partial<SymbolView>>> = {}): readonly SymbolView[] =>
  [A, B].map((symbol) => viewOf(symbol, { fundingRate: RATES[symbol] ?? 0, ...changes[symbol] }));
const decide = (snapshot: Partial<Snapshot>, settings = {}) =>
  decided("exchange-carry", snapshotOf({ symbols: coin(), ...snapshot }), settings);
const targetsFrom = async (snapshot: Partial<Snapshot>, settings = {}) =>
  targetsOf(await decide(snapshot, settings)).map(({ symbol, leg, size }) => [symbol, leg, size]);

const valued = (symbol: string, side: "LONG" | "SHORT", minutes: number, usdt: string): HeldPosition => ({
  ...heldOf(symbol, side, minutes),
  notionalUsdt: dec(usdt),
});
const holding = (...positions: readonly HeldPosition[]): Partial<Snapshot> => ({ account: accountOf(positions) });

describe("a pair is opened", () => {
  test("long where funding is lower and short where it is higher, of one size, in one decision", async () => {
    expect(await targetsFrom({})).toEqual([
      [B, "LONG", 0.5],
      [A, "SHORT", 0.5],
    ]);
  });

  test.each<[string, Partial<Snapshot>, object]>([
    ["the difference is small", { symbols: coin({ [A]: { fundingRate: 0 } }) }, {}],
    ["the payments do not cover four crossings", { headroom: headroomOf({ roundTripCost: 0.0025 }) }, {}],
    ["the dearer side would be bought", { symbols: coin({ [B]: { ask: 100.5, bid: 100.48 } }) }, {}],
    ["few payments lie inside the horizon", {}, { horizonHours: 24 }],
    ["a quote is old", { symbols: coin({ [B]: { ageMs: { ...viewOf(B).ageMs, book: 9_000, bbo: 9_000 } } }) }, {}],
    ["a rate is old", { symbols: coin({ [B]: { ageMs: { ...viewOf(B).ageMs, funding: 3_700_000 } } }) }, {}],
    ["a spread is wide", { symbols: coin({ [A]: { spreadBps: 12 } }) }, {}],
    ["nothing may be opened", { headroom: headroomOf({ mayOpen: false, reason: "floor" }) }, {}],
    ["as many pairs are held", holding(valued(B, "LONG", 60, "200"), valued(A, "SHORT", 60, "200")), { maxPairs: 1 }],
  ])("not while %s", async (_why, snapshot, settings) => {
    expect(await targetsFrom(snapshot, settings)).toEqual([]);
  });

  test("never on one exchange alone: without a second one it leaves the decision to the fallback", async () => {
    expect(await decide({ symbols: [viewOf(A, { fundingRate: 0.01 })] })).toMatchObject({ kind: "abstain" });
  });
});

describe("a pair that is held", () => {
  const pair = holding(valued(B, "LONG", 600, "200"), valued(A, "SHORT", 600, "210"));

  test("stays while it receives anything, and closes on both sides at once when it pays", async () => {
    expect(await targetsFrom(pair)).toEqual([]);
    const turned = { ...pair, symbols: coin({ [A]: { fundingRate: -0.0002 } }) };
    expect(await targetsFrom(turned)).toEqual([
      [B, "LONG", 0],
      [A, "SHORT", 0],
    ]);
  });

  test("is reduced to its smaller side once they are far apart", async () => {
    const uneven = holding(valued(B, "LONG", 600, "100"), valued(A, "SHORT", 600, "200"));
    // 100 of the 400 USDT that one symbol may take.
    expect(await targetsFrom(uneven)).toEqual([[A, "SHORT", 0.25]]);
  });

  test("stays while a rate is not known", async () => {
    const unknown = { ...pair, symbols: coin({ [A]: { fundingRate: null } }) };
    expect(await targetsFrom(unknown)).toEqual([]);
  });
});

describe("a side that is alone", () => {
  const alone = (minutes: number): Partial<Snapshot> => holding(valued(B, "LONG", minutes, "120"));

  test("is completed with the same value while it is young, and closed afterwards", async () => {
    expect(await targetsFrom(alone(14))).toEqual([[A, "SHORT", 0.3]]);
    expect(await targetsFrom(alone(15))).toEqual([[B, "LONG", 0]]);
  });

  test("is closed at once when its side has become the wrong one", async () => {
    const turned = { ...alone(2), symbols: coin({ [A]: { fundingRate: -0.0005 } }) };
    expect(await targetsFrom(turned)).toEqual([[B, "LONG", 0]]);
  });

  test.each<[string, Partial<Snapshot>]>([
    ["a rate is not known", { symbols: coin({ [A]: { fundingRate: null } }) }],
    ["nothing may be opened", { headroom: headroomOf({ mayOpen: false, reason: "floor" }) }],
    ["the other exchange does not quote", { symbols: coin({ [A]: { bid: null, ask: null } }) }],
  ])("waits for its deadline and no longer while %s", async (_why, change) => {
    expect(await targetsFrom({ ...alone(5), ...change })).toEqual([]);
    expect(await targetsFrom({ ...alone(15), ...change })).toEqual([[B, "LONG", 0]]);
  });
});
