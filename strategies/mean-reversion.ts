/**
 * A baseline rule: a price far from its mean, without a trend behind it and without takers pushing further, may
 * partly return. It claims no edge: the returning share is the setting `reversionShare`, an assumption.
 */
import { type Snapshot, symbolView, type SymbolView } from "../src/context/snapshot.ts";
import { SECOND_MS } from "../src/core/time.ts";
import { rsi, zscore } from "../src/strategy/indicators.ts";
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
import { pressure, trendScore } from "../src/strategy/trend.ts";
import { HORIZONS, Settings } from "./settings/mean-reversion.ts";

const RSI_BARS = 14;

/** The price relative to its recent past. */
interface Deviation {
  /** Standard deviations from the mean of the bars, positive above it. */
  readonly deviations: number;
  /** Distance to the mean, fraction of price. */
  readonly distance: number;
  readonly rsi: number;
}

export default defineStrategy<Settings>({
  name: "mean-reversion",
  description:
    "Buys symbols far below their mean and sells symbols far above it, without a trend behind the move; closes at the mean.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const judged = snapshot.symbols.filter((view) => deviationOf(view, settings) !== null).length;
    if (judged === 0) return { kind: "abstain", note: "no symbol has enough bars to judge" };
    const exits = exitTargets(snapshot, settings);
    const found = candidates(snapshot, settings);
    const entries = chooseOpenings(found, snapshot, settings);
    const note = `${judged} symbols judged, ${found.length} far from their mean, ${exits.length} to close`;
    return { kind: "targets", targets: [...exits, ...entries], note };
  },
});

function deviationOf(view: SymbolView, settings: Settings): Deviation | null {
  const { interval, bars, barsNeeded } = HORIZONS[settings.horizon];
  const closes = (view.candles[interval] ?? []).slice(-bars).map((bar) => bar.close);
  if (closes.length < barsNeeded) return null;
  const deviations = zscore(closes);
  const strength = rsi(closes, RSI_BARS);
  const last = closes.at(-1) ?? 0;
  const mean = closes.reduce((sum, close) => sum + close, 0) / closes.length;
  if (deviations === null || strength === null || !(last > 0)) return null;
  return { deviations, distance: Math.abs(mean / last - 1), rsi: strength };
}

/** Back at the mean, or out of time. The stop limits moves that continue. */
function exitTargets(snapshot: Snapshot, settings: Settings): readonly TargetPosition[] {
  const longest = settings.maxHoldMinutes ?? HORIZONS[settings.horizon].maxHoldMinutes;
  return heldPositions(snapshot).flatMap((held) => {
    const { position } = held;
    const view = symbolView(snapshot, position.symbol);
    const deviation = view ? deviationOf(view, settings) : null;
    if (!deviation) return [];
    const away = position.side === "LONG" ? -deviation.deviations : deviation.deviations;
    const minutes = heldMinutes(held, snapshot);
    const back = away <= settings.exitDeviations;
    if (!back && minutes < longest) return [];
    const why = back ? "back at its mean" : "not back in time";
    const reason = `${why}: ${away.toFixed(2)} deviations away after ${minutes.toFixed(0)} minutes`;
    return [closingTarget(held, reason, ["price", "vol1h"])];
  });
}

function candidates(snapshot: Snapshot, settings: Settings): readonly OpeningCandidate[] {
  const taken = takenSymbols(snapshot);
  const { roundTripCost } = snapshot.headroom;
  const { hours } = HORIZONS[settings.horizon];
  const free = { maxQuoteAgeMs: settings.maxQuoteAgeSeconds * SECOND_MS, maxSpreadBps: settings.maxSpreadBps };
  return snapshot.symbols.flatMap((view) => {
    const deviation = deviationOf(view, settings);
    const volatility = view.volatilityHour;
    if (!deviation || volatility === null || !isFree(view, taken, free)) return [];
    const positionSide = deviation.deviations < 0 ? "LONG" : "SHORT";
    const edge = deviation.distance * settings.reversionShare;
    if (!isOverextended(view, deviation, settings) || edge < settings.edgeOverCost * roundTripCost) return [];
    if (stopNeeded(volatility, hours, settings) > settings.maxStop) return [];
    const reason = `${deviation.deviations.toFixed(2)} deviations from its mean, relative strength ${deviation.rsi.toFixed(0)}, ${percentText(edge)} expected against ${percentText(roundTripCost)} of costs`;
    const evidence = ["price", "vol1h", "flow", "imbalance"];
    const entry = { view, leg: positionSide, volatility, hours, target: deviation.distance, reason, evidence } as const;
    return [{ edge, target: openingTarget(entry, roundTripCost, settings) }];
  });
}

/** Far from the mean and overdone, without a trend, and without takers against the return. */
function isOverextended(view: SymbolView, deviation: Deviation, settings: Settings): boolean {
  const side = deviation.deviations < 0 ? 1 : -1;
  if (side < 0 && !settings.allowShort) return false;
  if (Math.abs(deviation.deviations) < settings.entryDeviations) return false;
  const overdone = side > 0 ? deviation.rsi <= settings.rsiExtreme : deviation.rsi >= 100 - settings.rsiExtreme;
  const trend = trendScore(view, HORIZONS[settings.horizon].trendSpans, 1);
  if (!overdone || (trend !== null && trend * side < -settings.maxTrend)) return false;
  return pressure(view) * side >= settings.confirmation;
}
