/**
 * Takes the side that receives funding when one side of a market is crowded, if a day's payments should cover entry
 * and exit and no trend runs against it. It is not hedged: the price risk is real, bounded by the stop and the small
 * size.
 */
import { type Snapshot, symbolView, type SymbolView } from "../src/context/snapshot.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/core/time.ts";
import {
  type OpeningCandidate,
  chooseOpenings,
  closingTarget,
  heldMinutes,
  heldPositions,
  isFree,
  openingTarget,
  percentText,
  stopNeeded,
  takenSymbols,
} from "../src/strategy/openings.ts";
import { defineStrategy, type TargetPosition } from "../src/strategy/strategy.ts";
import { trendScore } from "../src/strategy/trend.ts";
import { Settings } from "./settings/funding-carry.ts";

const TREND_SPANS = ["1h", "4h", "24h"];
/** The stop uses at most this many hours of volatility, however long the position is meant to last. */
const STOP_HOURS_MAX = 8;
const EVIDENCE = ["fundingPct", "ret1h", "ret4h", "ret24h"];

export default defineStrategy<Settings>({
  name: "funding-carry",
  description: "Takes the side that receives funding if the payments outweigh the costs and no trend runs against it.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const judged = snapshot.symbols.filter((view) => rateOf(view, settings) !== null).length;
    if (judged === 0) return { kind: "abstain", note: "no funding rate is available" };
    const exits = exitTargets(snapshot, settings);
    const found = candidates(snapshot, settings);
    const entries = chooseOpenings(found, snapshot, settings);
    const note = `${judged} rates available, ${found.length} worth taking, ${exits.length} to close`;
    return { kind: "targets", targets: [...exits, ...entries], note };
  },
});

const rateOf = (view: SymbolView, settings: Settings): number | null =>
  view.ageMs.funding <= settings.maxFundingAgeMinutes * MINUTE_MS ? view.fundingRate : null;

/** Payments inside the horizon: one at the next settlement, if known, and one per period after it. */
function paymentsIn(view: SymbolView, atMs: number, { horizonHours, periodHours }: Settings): number {
  const next = view.nextFundingAtMs;
  if (next === null || next <= atMs) return Math.floor(horizonHours / periodHours);
  const after = horizonHours - (next - atMs) / HOUR_MS;
  return after < 0 ? 0 : 1 + Math.floor(after / periodHours);
}

/** Trend against a side, in standard deviations; negative if it runs with the side. */
function trendAgainst(view: SymbolView, side: 1 | -1): number | null {
  const trend = trendScore(view, TREND_SPANS, 1);
  return trend === null ? null : -trend * side;
}

function exitTargets(snapshot: Snapshot, settings: Settings): readonly TargetPosition[] {
  return heldPositions(snapshot).flatMap((held) => {
    const { position } = held;
    const view = symbolView(snapshot, position.symbol);
    const rate = view ? rateOf(view, settings) : null;
    if (!view || rate === null || heldMinutes(held, snapshot) < settings.minHoldMinutes) return [];
    const side = position.side === "LONG" ? 1 : -1;
    const received = -rate * side;
    const against = trendAgainst(view, side) ?? 0;
    if (received < settings.exitRate)
      return [closingTarget(held, `it receives ${percentText(received)} a period, which is too little`, EVIDENCE)];
    if (against > settings.trendExit)
      return [closingTarget(held, `the trend runs against it: ${against.toFixed(2)}`, EVIDENCE)];
    return [];
  });
}

function candidates(snapshot: Snapshot, settings: Settings): readonly OpeningCandidate[] {
  const taken = takenSymbols(snapshot);
  const { roundTripCost } = snapshot.headroom;
  const hours = Math.min(STOP_HOURS_MAX, settings.horizonHours);
  const free = { maxQuoteAgeMs: settings.maxQuoteAgeSeconds * SECOND_MS, maxSpreadBps: settings.maxSpreadBps };
  return snapshot.symbols.flatMap((view) => {
    const rate = rateOf(view, settings);
    const volatility = view.volatilityHour;
    if (rate === null || volatility === null || !isFree(view, taken, free)) return [];
    if (Math.abs(rate) < settings.minRate || (rate > 0 && !settings.allowShort)) return [];
    const side = rate > 0 ? -1 : 1;
    const against = trendAgainst(view, side);
    if (against === null || against > settings.maxTrend) return [];
    const payments = paymentsIn(view, snapshot.atMs, settings);
    const edge = Math.abs(rate) * payments;
    if (edge < settings.edgeOverCost * roundTripCost) return [];
    if (stopNeeded(volatility, hours, settings) > settings.maxStop) return [];
    const reason = `funding ${percentText(Math.abs(rate))} a period is received ${payments} times, ${percentText(edge)} against ${percentText(roundTripCost)} of costs, trend against ${against.toFixed(2)}`;
    const positionSide = side > 0 ? "LONG" : "SHORT";
    const entry = { view, leg: positionSide, volatility, hours, target: 0, reason, evidence: EVIDENCE } as const;
    return [{ edge, target: openingTarget(entry, roundTripCost, settings) }];
  });
}
