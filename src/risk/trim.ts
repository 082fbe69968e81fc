/**
 * The reduction needed when equity has fallen: the cushion and the leverage cap applied to positions, not only to
 * openings. Orders that would add are cancelled first, then the positions with the costliest gap shrink. Pure: it
 * returns what to reduce.
 */
import { type Decimal, maxDecimal, minDecimal, roundToStep, ZERO } from "../core/decimal.ts";
import { notionalOf } from "../domain/symbol.ts";
import { exposureOf, type Exposure, type HeldSide } from "./exposure.ts";
import { cushionUsdt, usableCushionUsdt } from "./limits/cushion.ts";
import { OPENING_LEVERAGE_MAX } from "../domain/competition.ts";
import { leverageCap } from "./limits/opening-leverage.ts";
import { coinOf, gapFor, type RiskSettings } from "./settings.ts";
import type { RiskView } from "./view.ts";

/** How much to reduce a position. Without rules or a value, the whole position. */
export interface Reduction {
  readonly symbol: string;
  readonly leg: HeldSide;
  /** A multiple of the lot, at most the position. */
  readonly qty: Decimal;
  /** True if the whole position is closed. */
  readonly whole: boolean;
}

/** What cushion and leverage cap require of the positions; computed on ticks, only while the equity readings agree. */
export interface Trim {
  /** True if opening orders must be cancelled before anything is reduced. */
  readonly cancelOpenings: boolean;
  readonly reductions: readonly Reduction[];
  /** Empty if nothing needs to be done. */
  readonly reason: string;
}

const NOTHING: Trim = { cancelOpenings: false, reductions: [], reason: "" };

function excessOf(exposure: Exposure, view: RiskView, settings: RiskSettings): string {
  const bound = cushionUsdt(view, settings);
  if (exposure.lossAtGapUsdt.gt(bound)) {
    return `a gap would cost ${exposure.lossAtGapUsdt.toFixed(2)}, and the cushion allows ${bound.toFixed(2)} USDT`;
  }
  const gross = view.equityUsdt.mul(OPENING_LEVERAGE_MAX[view.phase]);
  return exposure.grossUsdt.gt(gross)
    ? `exposure ${exposure.grossUsdt.toFixed(2)} is above ${gross.toFixed(2)} USDT`
    : "";
}

/** Exposure in a symbol with this gap that must go until both rules hold again. */
function surplusUsdt(exposure: Exposure, view: RiskView, settings: RiskSettings, gap: Decimal): Decimal {
  const byCushion = exposure.lossAtGapUsdt.sub(maxDecimal(ZERO, usableCushionUsdt(view, settings)));
  const byLeverage = exposure.grossUsdt.sub(maxDecimal(ZERO, view.equityUsdt).mul(leverageCap(view, settings)));
  return maxDecimal(ZERO, byCushion.div(gap.add(settings.exitCost)), byLeverage);
}

/** The positions with the costliest gap first; those of one coin together, as reducing one side of a pair spares little. */
function costliestFirst(view: RiskView, settings: RiskSettings): RiskView["positions"] {
  const cost = ({ symbol, qty, markPrice }: RiskView["positions"][number]): Decimal =>
    qty
      .mul(view.symbols.get(symbol)?.rules?.contractSize ?? 1)
      .mul(markPrice)
      .mul(gapFor(settings, symbol));
  const sorted = [...view.positions].sort((a, b) => cost(b).cmp(cost(a)));
  return [...new Set(sorted.map(({ symbol }) => coinOf(symbol)))].flatMap((coin) =>
    sorted.filter(({ symbol }) => coinOf(symbol) === coin),
  );
}

function reduce(view: RiskView, settings: RiskSettings, position: RiskView["positions"][number]): Reduction | null {
  const { symbol, side: positionSide, qty } = position;
  const rules = view.symbols.get(symbol)?.rules;
  const surplus = surplusUsdt(exposureOf(view, settings), view, settings, gapFor(settings, symbol));
  if (surplus.lte(0)) return null;
  const value = rules ? notionalOf(qty, position.markPrice, rules) : ZERO;
  if (!rules || value.lte(0)) return { symbol, leg: positionSide, qty, whole: true };
  const part = minDecimal(qty, roundToStep(qty.mul(surplus).div(value), rules.lotSize, "up"));
  return { symbol, leg: positionSide, qty: part, whole: part.eq(qty) };
}

/** What to cancel and reduce so that the account would survive its insured gaps again. */
export function trimOf(view: RiskView, settings: RiskSettings): Trim {
  const reason = excessOf(exposureOf(view, settings), view, settings);
  if (reason === "") return NOTHING;
  let rest: RiskView = { ...view, openOrders: [], inFlight: [] };
  const reductions: Reduction[] = [];
  for (const position of costliestFirst(rest, settings)) {
    const reduction = reduce(rest, settings, position);
    if (!reduction) break;
    reductions.push(reduction);
    const left = { ...position, qty: position.qty.sub(reduction.qty) };
    const positions = rest.positions.flatMap((held) => (held === position ? (left.qty.gt(0) ? [left] : []) : [held]));
    rest = { ...rest, positions };
  }
  return { cancelOpenings: view.openOrders.length + view.inFlight.length > 0, reductions, reason };
}
