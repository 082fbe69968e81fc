/** A symbol whose data begins after the run: before its first bar it has no price, no order and no funding. */
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { dec, ONE, ZERO } from "../../src/core/decimal.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import type { FastRun, FastRunOptions } from "../../src/lab/fast/fast-run.ts";
import { collectRunRows } from "../../src/lab/sheet/run-rows.ts";
import { readFill } from "../../src/rows/fill.ts";
import type { Recorded } from "../../src/sim/market/recorded.ts";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";
import { configOf, FROM_MS, madeBars, run } from "./fast-scene.ts";

const CONFIG = configOf("hold", ["BTC", "ETH", "SOL"]);
const [HOURS, LATE_MINUTE] = [3, 90];
const FIRST_BAR_MS = FROM_MS + LATE_MINUTE * MINUTE_MS;
const isLate = (symbol: string): boolean => symbol.includes("_SOL_");

/** The bars of SOL begin late, its settlements every half hour from the beginning, as an import has them. */
const BARS: readonly Recorded[] = madeBars(CONFIG, HOURS).map((each) => {
  const settled = Array.from({ length: HOURS * 2 }, (_, at) => FROM_MS + (at + 1) * (HOUR_MS / 2));
  const funding = settled.map((atMs) => ({ atMs, rate: dec("0.0004") }));
  if (!isLate(each.spec.rules.symbol)) return { ...each, funding };
  const { candles } = each;
  const later = (column: Float64Array): Float64Array => column.slice(LATE_MINUTE);
  const { openMs, open, high, low, close, volume } = candles;
  const [at, o, h, l, c, v] = [openMs, open, high, low, close, volume].map(later);
  if (!at || !o || !h || !l || !c || !v) throw new Error("six columns were given");
  const late = { ...candles, count: at.length, openMs: at, open: o, high: h, low: l, close: c, volume: v };
  return { ...each, candles: late, funding };
});

const SYMBOLS = BARS.map(({ spec }) => spec.rules.symbol);

interface Seen {
  readonly atMs: number;
  readonly last: number | null;
  readonly mark: number | null;
  readonly bid: number | null;
}

/** Wants everything long at every decision, whatever it sees, and keeps what it saw of the late symbol. */
function greedy(seen: Seen[]): FastRunOptions["strategies"] {
  const strategy = defineStrategy({
    name: "greedy",
    description: "Everything, always.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: ({ symbols, atMs }) => {
      for (const { symbol, last, mark, bid } of symbols) if (isLate(symbol)) seen.push({ atMs, last, mark, bid });
      const target = (symbol: string): TargetPosition => ({
        ...{ symbol, leg: "LONG", size: 0.5, stopDistance: 0.03, targetDistance: null, urgency: "take" },
        ...{ reason: "greedy", evidence: [] },
      });
      return { kind: "targets", targets: SYMBOLS.map(target), note: "all" };
    },
  });
  const armed = { strategy, settings: {}, msMax: Infinity };
  return { chosen: armed, fallback: armed, shadows: [] };
}

describe("a symbol whose data begins within the run", () => {
  const seen: Seen[] = [];
  const fills: { readonly atMs: number; readonly symbol: string }[] = [];
  const funded: { readonly atMs: number; readonly leg: string }[] = [];
  const rows = collectRunRows(() => ONE);
  let result: FastRun;
  beforeAll(() => {
    result = run(CONFIG, BARS, {
      strategies: greedy(seen),
      minutes: HOURS * 60,
      onRow: ({ row: kind, body, decisionId }, atMs) => {
        rows.note({ kind, body, decisionId }, atMs);
        if (kind === "fill") fills.push({ atMs, symbol: readFill({ seq: 1, kind, body }).symbol });
        if (kind === "trade" && body["event"] === "funding") funded.push({ atMs, leg: String(body["leg"]) });
      },
    });
  });

  test("has no price and opens nothing before its first bar, while the others trade", () => {
    const before = seen.filter(({ atMs }) => atMs < FIRST_BAR_MS);
    expect(before.length).toBeGreaterThan(10);
    expect(before.every(({ last, mark, bid }) => last === null && mark === null && bid === null)).toBe(true);
    const early = fills.filter(({ atMs }) => atMs < FIRST_BAR_MS).map(({ symbol }) => symbol);
    expect(new Set(early)).toEqual(new Set(SYMBOLS.filter((symbol) => !isLate(symbol))));
    expect(result.failures).toBeNull();
  });

  test("has a price and is traded once its bars have begun", () => {
    expect(seen.find(({ atMs }) => atMs > FIRST_BAR_MS)?.last).toBeGreaterThan(0);
    const first = fills.find(({ symbol }) => isLate(symbol));
    expect(first?.atMs).toBeGreaterThan(FIRST_BAR_MS);
  });

  test("pays no funding for a settlement before its first bar", () => {
    const late = funded.filter(({ leg }) => isLate(leg));
    // It is held from about minute 100: the settlements at 120, 150 and 180 are its own, those up to 90 are not.
    expect(late.map(({ atMs }) => Math.round((atMs - FROM_MS) / MINUTE_MS))).toEqual([120, 150, 180]);
    expect(funded.length).toBe(6 * 2 + late.length);
  });

  test("leaves the sums of the report equal to the ledger", () => {
    const { startUsdt, realisedUsdt, unrealisedUsdt, feesUsdt, fundingUsdt, endUsdt } = result.accounts;
    const made = startUsdt.add(realisedUsdt).add(unrealisedUsdt).sub(feesUsdt).sub(fundingUsdt);
    expect(made.sub(endUsdt).abs().lte(dec("0.00000001"))).toBe(true);
    expect(result.fundingUsdt.eq(fundingUsdt)).toBe(true);
    expect(fundingUsdt.gt(ZERO)).toBe(true);
    const paid = (what: "fee" | "funding"): number =>
      rows.gathered().payments.reduce((sum, payment) => (payment.what === what ? sum + payment.usdt : sum), 0);
    expect(paid("fee")).toBeCloseTo(feesUsdt.toNumber(), 8);
    // The agent books a settlement at the mark that it sees, the exchange at the one before it: equal to a part of a cent.
    expect(paid("funding")).toBeCloseTo(fundingUsdt.toNumber(), 3);
  });
});
