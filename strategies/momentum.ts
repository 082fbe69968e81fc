/**
 * A baseline rule: follow a move that is large for the symbol's own volatility, if it should cover its costs and
 * takers do not oppose it. It claims no edge: that trends persist is the setting `persistence`, an assumption.
 * `horizon: fast` exists to show activity within a minute of a start. The planner enforces the wait after a close
 * (`risk.reentryCooldown`).
 */
import { type Snapshot, symbolView, type SymbolView } from "../src/context/snapshot.ts";
import { SECOND_MS } from "../src/core/time.ts";
import { volatilityOver } from "../src/strategy/distances.ts";
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
import { HORIZONS, Settings } from "./settings/momentum.ts";
import { defineStrategy, type TargetPosition } from "../src/strategy/strategy.ts";
import { pressure, trendScore } from "../src/strategy/trend.ts";

export default defineStrategy<Settings>({
  name: "momentum",
  description:
    "Follows moves that are large for a symbol's own volatility and should cover their costs; closes when they fade.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const judged = snapshot.symbols.filter((view) => scoreOf(view, settings) !== null);
    if (judged.length === 0) return { kind: "abstain", note: "no symbol has enough recent prices to judge" };
    const exits = exitTargets(snapshot, settings);
    const found = snapshot.headroom.mayOpen ? candidates(snapshot, settings) : [];
    const entries = chooseOpenings(found, snapshot, settings);
    const why = snapshot.headroom.mayOpen
      ? `${found.length} worth opening`
      : `may not open: ${snapshot.headroom.reason}`;
    return {
      kind: "targets",
      targets: [...exits, ...entries],
      note: `${judged.length} symbols judged, ${why}, ${exits.length} to close`,
    };
  },
});

const scoreOf = (view: SymbolView, settings: Settings): number | null =>
  trendScore(view, HORIZONS[settings.horizon].spans, HORIZONS[settings.horizon].spansNeeded);

/** Positions whose move has faded, after their minimum holding time. Between exit and entry score nothing changes. */
function exitTargets(snapshot: Snapshot, settings: Settings): readonly TargetPosition[] {
  return heldPositions(snapshot).flatMap((held) => {
    const { position } = held;
    const view = symbolView(snapshot, position.symbol);
    const score = view ? scoreOf(view, settings) : null;
    if (score === null) return [];
    const minutes = heldMinutes(held, snapshot);
    const along = position.side === "LONG" ? score : -score;
    const faded = minutes >= settings.minHoldMinutes && along < settings.exitScore;
    const overdue = minutes >= settings.maxHoldMinutes && along < settings.entryScore;
    if (!faded && !overdue) return [];
    const why = faded ? "the move faded" : "held for long enough";
    return [
      closingTarget(
        held,
        `${why}: score ${along.toFixed(2)} after ${minutes.toFixed(0)} minutes`,
        evidenceOf(view, settings),
      ),
    ];
  });
}

/** The market columns behind a score. */
const evidenceOf = (view: SymbolView | undefined, settings: Settings): readonly string[] => [
  ...HORIZONS[settings.horizon].spans.filter((span) => view?.returns[span] !== undefined).map((span) => `ret${span}`),
  "vol1h",
];

/** Symbols without a position or opening order that move enough, should cover their costs, and meet no opposing pressure. */
function candidates(snapshot: Snapshot, settings: Settings): readonly OpeningCandidate[] {
  const taken = takenSymbols(snapshot);
  const { roundTripCost } = snapshot.headroom;
  const { hours } = HORIZONS[settings.horizon];
  const free = { maxQuoteAgeMs: settings.maxQuoteAgeSeconds * SECOND_MS, maxSpreadBps: settings.maxSpreadBps };
  return snapshot.symbols.flatMap((view): OpeningCandidate[] => {
    const score = scoreOf(view, settings);
    const volatility = view.volatilityHour;
    if (score === null || volatility === null || !isFree(view, taken, free)) return [];
    if (Math.abs(score) < settings.entryScore || (score < 0 && !settings.allowShort)) return [];
    const spread = volatilityOver(volatility, hours);
    const edge = Math.abs(score) * settings.persistence * spread;
    if (edge < settings.edgeOverCost * roundTripCost) return [];
    if (stopNeeded(volatility, hours, settings) > settings.maxStop) return [];
    if (pressure(view) * Math.sign(score) < settings.confirmation) return [];
    const target = openingTarget(
      {
        view,
        leg: score > 0 ? "LONG" : "SHORT",
        volatility,
        hours,
        target: settings.targetVolatilities * spread,
        reason: `score ${score.toFixed(2)}, expected ${percentText(edge)} against ${percentText(roundTripCost)} of costs, pressure ${pressure(view).toFixed(2)}`,
        evidence: [...evidenceOf(view, settings), "flow", "imbalance"],
      },
      roundTripCost,
      settings,
    );
    const { stopDistance, targetDistance } = target;
    // A target nearer than the stop would be a bet against the rule's own assumption.
    return [{ edge, target: { ...target, targetDistance: targetDistance && Math.max(targetDistance, stopDistance) } }];
  });
}
