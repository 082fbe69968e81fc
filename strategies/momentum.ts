/**
 * A plain rule as a baseline: go with a move that is large for the symbol's own volatility, when it should pay for its
 * costs and the takers do not lean against it. It claims no edge: that trends persist at all is the setting
 * `persistence`, an assumption. `horizon: fast` exists to show the machine at work within a minute of a start.
 * Cooldown after a close is the planner's (`risk.reentryCooldown`); what was closed is not in a snapshot.
 */
import { type HeldPosition, type Snapshot, symbolView, type SymbolView } from "../src/context/snapshot.ts";
import { MINUTE_MS, SECOND_MS } from "../src/core/time.ts";
import { isOpening } from "../src/domain/order.ts";
import { boundedStop, isTradable, volatilityOver, volatilitySize } from "../src/strategy/distances.ts";
import { HORIZONS, Settings } from "./settings/momentum.ts";
import { defineStrategy, type Wish } from "../src/strategy/strategy.ts";
import { pressure, trendScore } from "../src/strategy/trend.ts";

interface Candidate {
  readonly view: SymbolView;
  readonly volatility: number;
  readonly score: number;
  readonly expected: number;
}

export default defineStrategy<Settings>({
  name: "momentum",
  description:
    "Goes with moves that are large for a symbol's own volatility and should pay for their costs; leaves when they fade.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const judged = snapshot.symbols.filter((view) => scoreOf(view, settings) !== null);
    if (judged.length === 0) return { kind: "abstain", note: "no symbol has enough recent prices to judge" };
    const exits = exitWishes(snapshot, settings);
    const found = snapshot.headroom.mayOpen ? candidates(snapshot, settings) : [];
    const entries = entryWishes(found, snapshot, settings);
    const why = snapshot.headroom.mayOpen
      ? `${found.length} worth opening`
      : `may not open: ${snapshot.headroom.reason}`;
    return {
      kind: "wishes",
      wishes: [...exits, ...entries],
      note: `${judged.length} symbols judged, ${why}, ${exits.length} to close`,
    };
  },
});

const scoreOf = (view: SymbolView, settings: Settings): number | null =>
  trendScore(view, HORIZONS[settings.horizon].spans, HORIZONS[settings.horizon].spansNeeded);

const held = (snapshot: Snapshot): readonly HeldPosition[] => snapshot.account?.positions ?? [];

/** Held legs whose move has faded, after their least time. Between exit and entry score nothing is touched. */
function exitWishes(snapshot: Snapshot, settings: Settings): readonly Wish[] {
  return held(snapshot).flatMap(({ position, openedAtMs }) => {
    const view = symbolView(snapshot, position.symbol);
    const score = view ? scoreOf(view, settings) : null;
    if (!view || score === null) return [];
    const heldMinutes = (snapshot.atMs - openedAtMs) / MINUTE_MS;
    const along = position.side === "LONG" ? score : -score;
    const faded = heldMinutes >= settings.minHoldMinutes && along < settings.exitScore;
    const overdue = heldMinutes >= settings.maxHoldMinutes && along < settings.entryScore;
    if (!faded && !overdue) return [];
    const reason = `${faded ? "the move faded" : "held for long enough"}: score ${along.toFixed(2)} after ${heldMinutes.toFixed(0)} minutes`;
    return [
      {
        symbol: position.symbol,
        leg: position.side,
        size: 0,
        stopDistance: settings.minStop,
        targetDistance: null,
        urgency: "take",
        reason,
        evidence: ["returns", "volatilityHour"],
      },
    ];
  });
}

/** Symbols that are not held or coming, move enough, should pay, and are not leaned against; the best edge first. */
function candidates(snapshot: Snapshot, settings: Settings): readonly Candidate[] {
  const taken = takenSymbols(snapshot);
  return snapshot.symbols
    .flatMap((view): Candidate[] => {
      const score = scoreOf(view, settings);
      const volatility = view.volatilityHour;
      if (score === null || volatility === null || taken.has(view.symbol)) return [];
      const expected =
        Math.abs(score) * settings.persistence * volatilityOver(volatility, HORIZONS[settings.horizon].hours);
      return isEntry({ view, volatility, score, expected }, snapshot, settings)
        ? [{ view, volatility, score, expected }]
        : [];
    })
    .sort((a, b) => b.expected - a.expected || (a.view.symbol < b.view.symbol ? -1 : 1));
}

function isEntry({ view, volatility, score, expected }: Candidate, snapshot: Snapshot, settings: Settings): boolean {
  if (!isTradable(view, settings.maxQuoteAgeSeconds * SECOND_MS)) return false;
  if (view.spreadBps === null || view.spreadBps > settings.maxSpreadBps) return false;
  if (Math.abs(score) < settings.entryScore || (score < 0 && !settings.allowShort)) return false;
  if (expected < settings.edgeOverCost * snapshot.headroom.roundTripCost) return false;
  if (stopNeeded(volatility, settings) > settings.maxStop) return false;
  return pressure(view) * Math.sign(score) >= settings.confirmation;
}

const stopNeeded = (volatility: number, settings: Settings): number =>
  settings.stopVolatilities * volatilityOver(volatility, HORIZONS[settings.horizon].hours);

/** Held, or with an opening order at the venue. */
function takenSymbols(snapshot: Snapshot): ReadonlySet<string> {
  const coming = snapshot.account?.openOrders.filter(isOpening) ?? [];
  return new Set([...held(snapshot).map(({ position }) => position.symbol), ...coming.map((order) => order.symbol)]);
}

function entryWishes(found: readonly Candidate[], snapshot: Snapshot, settings: Settings): readonly Wish[] {
  const count = { LONG: 0, SHORT: 0 };
  for (const { position } of held(snapshot)) count[position.side]++;
  let room = settings.maxPositions - takenSymbols(snapshot).size;
  const wishes: Wish[] = [];
  for (const candidate of found) {
    const leg = candidate.score > 0 ? "LONG" : "SHORT";
    if (room <= 0) break;
    if (count[leg] >= settings.maxSameDirection) continue;
    count[leg]++;
    room--;
    wishes.push(entryWish(candidate, leg, snapshot.headroom.roundTripCost, settings));
  }
  return wishes;
}

function entryWish(
  { view, volatility, score, expected }: Candidate,
  leg: "LONG" | "SHORT",
  roundTripCost: number,
  settings: Settings,
): Wish {
  const { hours } = HORIZONS[settings.horizon];
  const stopDistance = boundedStop(stopNeeded(volatility, settings), {
    min: settings.minStop,
    max: settings.maxStop,
    roundTripCost,
  });
  const target = settings.targetVolatilities * volatilityOver(volatility, hours);
  const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
  return {
    symbol: view.symbol,
    leg,
    size: volatilitySize(volatility, settings.fullSizeVolatility, settings.maxSize),
    stopDistance,
    // A target that costs would eat is none.
    targetDistance: target > 2 * roundTripCost ? Math.max(target, stopDistance) : null,
    urgency: "take",
    reason: `score ${score.toFixed(2)}, expected ${percent(expected)} against ${percent(roundTripCost)} of costs, pressure ${pressure(view).toFixed(2)}`,
    evidence: [
      ...HORIZONS[settings.horizon].spans
        .filter((span) => view.returns[span] !== undefined)
        .map((span) => `ret${span}`),
      "vol1h",
      "flow",
      "imbalance",
    ],
  };
}
