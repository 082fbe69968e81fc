/**
 * Converts counted stances to targets. The model has opinions; code decides sizes, stops and order. A reversal needs
 * more agreement than a hold and starts with a close; evidence that was not shown weakens or voids a vote; stated conviction has
 * no effect until it is calibrated. No text of a model is followed.
 */
import { type HeldPosition, type Snapshot, symbolView, type SymbolView } from "../context/snapshot.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { columnsOf } from "./citations.ts";
import { calibrate, type Calibration, convictionFactor } from "./calibration.ts";
import { boundedStop, isTradable, volatilitySize } from "./distances.ts";
import { outcomesOf } from "./record-weight.ts";
import { REASON_CHARS_MAX, type Stance, STEP_SHARE } from "./stances.ts";
import type { TargetPosition } from "./strategy.ts";
import { withFacts } from "./thesis.ts";
import type { TraderSettings } from "./trader-settings.ts";
import { type Ballot, median, type Polled, type VoteTally, tallyVotes, type Vote } from "./votes.ts";

/** The result of the samples; `dropped` goes into the decision's note. */
export interface StanceTargets {
  readonly targets: readonly TargetPosition[];
  /** Why stances became no target. */
  readonly dropped: readonly string[];
  readonly calibration: Calibration;
}

/** The answered samples of one deciding question of one strategy. */
export interface Ballots extends Polled {
  /** The strategy whose closed trades calibrate the conviction. */
  readonly strategy: string;
}

interface TargetInputs {
  readonly snapshot: Snapshot;
  readonly settings: TraderSettings;
  readonly calibration: Calibration;
}

type Way = "LONG" | "SHORT";
const other = (way: Way): Way => (way === "LONG" ? "SHORT" : "LONG");
/** Shares are sums of floating-point fractions. */
const reaches = (share: number, bar: number): boolean => share >= bar - 1e-9;
const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** Live, with quote and mark within `maxQuoteAgeSeconds`: a condition to be shown as tradable and to be opened. */
export const isOffered = (view: SymbolView, settings: TraderSettings): boolean =>
  isTradable(view, settings.maxQuoteAgeSeconds * SECOND_MS);

/** Targets of all samples together. Dropped stances are reported with a reason. */
export function targetsFrom(given: Ballots, snapshot: Snapshot, settings: TraderSettings): StanceTargets {
  const { ballots, strategy } = given;
  const calibration = calibrationOf(strategy, snapshot, settings);
  const inputs = { snapshot, settings, calibration };
  const positions = snapshot.account?.positions ?? [];
  const targets: TargetPosition[] = [];
  const dropped = ballots.flatMap(namedTwice);
  let room = settings.maxPositions - new Set(positions.map(({ position }) => position.symbol)).size;
  for (const tally of tallyVotes(given, (stance) => evidenceWeight(stance, inputs))) {
    const held = positions.filter(({ position }) => position.symbol === tally.symbol);
    const made = held.length > 0 ? heldTargets(tally, held, inputs) : opening(tally, room, inputs);
    if (typeof made === "string") dropped.push(`${tally.symbol.slice(0, 60)}: ${made}`);
    else targets.push(...made);
    if (typeof made !== "string" && held.length === 0 && made.length > 0) room--;
  }
  return { targets, dropped, calibration };
}

/** The first stance of a sample on a symbol counts. */
const namedTwice = (ballot: Ballot): readonly string[] =>
  ballot.flatMap(({ symbol }, at) =>
    ballot.findIndex((other) => other.symbol === symbol) < at ? [`${symbol.slice(0, 60)}: named twice`] : [],
  );

/** Calibration of this strategy's conviction. */
export function calibrationOf(strategy: string, snapshot: Snapshot, settings: TraderSettings): Calibration {
  const record = outcomesOf(snapshot)
    .filter((outcome) => outcome.strategy === strategy)
    .flatMap(({ facts, won }) => (facts.conviction === undefined ? [] : [{ conviction: facts.conviction, won }]));
  return calibrate(record, { tradesMin: settings.calibrationTrades, skillMin: settings.calibrationSkill });
}

/**
 * 1 if everything cited was shown and includes a market figure. Less if a part was not shown, or if only news or facts of own
 * sources are cited: a text alone justifies no risk before the price has reacted. 0 if nothing was shown. Fault A2.
 */
function evidenceWeight({ evidence, notShown = [] }: Stance, { settings }: TargetInputs): number {
  if (evidence.length === 0) return 0;
  const figures = new Set(columnsOf(settings).map((name) => name.toLowerCase()));
  const onFigures = evidence.some((name) => figures.has(name.toLowerCase()));
  return onFigures && notShown.length === 0 ? 1 : settings.doubtfulEvidence;
}

/** For a symbol without a position: open it, or give the reason why not. */
function opening(tally: VoteTally, room: number, inputs: TargetInputs): readonly TargetPosition[] | string {
  const { snapshot, settings } = inputs;
  const { share } = tally;
  if (share.LONG === 0 && share.SHORT === 0) {
    return tally.votes.every(({ stance }) => stance.stance === "FLAT") ? [] : "none of its evidence was shown";
  }
  if (share.LONG === share.SHORT) return "the samples disagree on the side";
  const way: Way = share.LONG > share.SHORT ? "LONG" : "SHORT";
  if (!reaches(share[way], settings.openAgreement)) return `only ${percent(share[way])} want ${way}`;
  const view = symbolView(snapshot, tally.symbol);
  if (!view || !isOffered(view, settings)) return "not among the symbols that can be traded now";
  if (!snapshot.headroom.mayOpen) return `may not open: ${snapshot.headroom.reason}`;
  if (room <= 0) return `more than ${settings.maxPositions} positions`;
  return target(tally, way, view, inputs);
}

/** For a held symbol: keep, close or reverse, each with its own threshold. */
function heldTargets(
  tally: VoteTally,
  held: readonly HeldPosition[],
  inputs: TargetInputs,
): readonly TargetPosition[] | string {
  const { snapshot, settings } = inputs;
  const { share } = tally;
  const [first] = held;
  if (!first) return [];
  if (reaches(share.FLAT, settings.closeAgreement)) {
    return held.map(({ position }) => closing(tally, position.side, "FLAT", ""));
  }
  const { side } = first.position;
  const against = share[other(side)] + share.FLAT;
  if (reaches(against, settings.reverseAgreement)) {
    const heldMinutes = (snapshot.atMs - first.openedAtMs) / MINUTE_MS;
    if (heldMinutes < settings.minHoldMinutes)
      return `held for ${heldMinutes.toFixed(0)} minutes, too short to reverse`;
    return [closing(tally, side, other(side), "close before reversing: ")];
  }
  if (!reaches(share[side], settings.openAgreement)) {
    return against > 0
      ? `${percent(against)} vote to close, too few`
      : "no vote with evidence; the position stays as it is";
  }
  const view = symbolView(snapshot, tally.symbol);
  if (!view || !isOffered(view, settings)) return "not among the symbols that can be traded now";
  return target(tally, side, view, inputs);
}

function closing(tally: VoteTally, leg: Way, by: Stance["stance"], prefix: string): TargetPosition {
  const votes = tally.votes.filter(({ stance }) => stance.stance === by);
  const stance = (votes[0] ?? tally.votes[0])?.stance;
  return {
    symbol: tally.symbol,
    leg,
    size: 0,
    stopDistance: 0.02,
    targetDistance: null,
    urgency: "take",
    reason: `${prefix}${stance?.reason ?? ""}`.slice(0, REASON_CHARS_MAX),
    evidence: stance?.evidence ?? [],
  };
}

/** Size from volatility and agreement; stop and target are medians of the votes, within the settings. */
function target(
  tally: VoteTally,
  way: Way,
  view: SymbolView,
  inputs: TargetInputs,
): readonly TargetPosition[] | string {
  const { snapshot, settings, calibration } = inputs;
  const volatility = view.volatilityHour;
  if (volatility === null || !(volatility > 0)) return "its volatility is unknown";
  const votes = tally.votes.filter(({ stance, weight }) => stance.stance === way && weight > 0);
  const strongest = votes.reduce<Vote | null>((best, vote) => (best && best.weight >= vote.weight ? best : vote), null);
  if (!strongest) return "none of its evidence was shown";
  const { roundTripCost } = snapshot.headroom;
  const agreement = tally.share[way];
  const conviction = votes.reduce((sum, { stance }) => sum + stance.conviction, 0) / votes.length;
  const most = volatilitySize(volatility, settings.fullSizeVolatility, settings.maxSize);
  // With the root of the agreement, one changed vote stays inside the band in which nothing is rebalanced.
  const step = median(votes.map(({ stance }) => STEP_SHARE[stance.size ?? "large"])) ?? 1;
  const wanted = most * step * Math.sqrt(agreement) * convictionFactor(calibration, conviction);
  const size = Math.floor(wanted * 20 + 1e-9) / 20;
  if (!(size > 0)) return "its size is zero";
  const asked = median(votes.map(({ stance }) => stance.stopVolatilities)) ?? 0;
  const multiple = Math.min(settings.stopVolatilitiesMax, Math.max(settings.stopVolatilitiesMin, asked));
  const bounds = { min: settings.minStop, max: settings.maxStop, roundTripCost };
  const targets = votes.flatMap(({ stance }) =>
    stance.targetVolatilities === null ? [] : [stance.targetVolatilities],
  );
  const aim = targets.length * 2 > votes.length ? (median(targets) ?? 0) * volatility : 0;
  const resting = votes.filter(({ stance }) => stance.urgency === "rest").length * 2 > votes.length;
  const { reason, invalidation } = strongest.stance;
  const text = invalidation.trim() === "" ? reason : `${reason.slice(0, 170)} Void if: ${invalidation}`;
  return [
    {
      symbol: tally.symbol,
      leg: way,
      size,
      stopDistance: boundedStop(multiple * volatility, bounds),
      // A target within the costs is dropped.
      targetDistance: aim > 2 * roundTripCost ? Math.min(1, aim) : null,
      urgency: resting ? "rest" : "take",
      reason: withFacts({ conviction, agreement: Math.min(1, agreement) }, text).slice(0, REASON_CHARS_MAX),
      evidence: [...new Set(votes.flatMap(({ stance }) => stance.evidence))],
    },
  ];
}
