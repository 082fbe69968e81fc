/** Combines the targets of several strategies into one set. */
import type { HeldPosition, Snapshot } from "../context/snapshot.ts";
import { closingTarget, heldPositions, takenSymbols } from "./openings.ts";
import type { TargetPosition } from "./strategy.ts";
import { factsOf, withFacts } from "./thesis.ts";
import { median } from "./votes.ts";

/** One ensemble member's answer to the snapshot. */
export interface MemberVote {
  readonly name: string;
  /** Its weight, with its record counted in. */
  readonly weight: number;
  /** Null if it could not judge: it agrees with nobody. */
  readonly targets: readonly TargetPosition[] | null;
}

/**
 * `openShare`: share of all weights, opposing ones subtracted. `closeShare`: share of the weights that decide on a
 * position. Both 0 to 1; `maxPositions` counts symbols, including resting openings.
 */
export interface CountRules {
  readonly openShare: number;
  readonly closeShare: number;
  readonly maxPositions: number;
}

interface Wanted {
  readonly name: string;
  readonly weight: number;
  readonly target: TargetPosition;
}

const REASON_CHARS_MAX = 300;

const weightOf = (list: readonly { readonly weight: number }[]): number =>
  list.reduce((sum, { weight }) => sum + weight, 0);

/** Closes first, then the openings with enough weight, the clearest first. */
export function countMemberVotes(
  opinions: readonly MemberVote[],
  snapshot: Snapshot,
  rules: CountRules,
): readonly TargetPosition[] {
  const closings = heldPositions(snapshot).flatMap((held) => leaving(held, opinions, rules));
  const total = weightOf(opinions);
  if (!snapshot.headroom.mayOpen || total === 0) return closings;
  const taken = takenSymbols(snapshot);
  const room = Math.max(0, rules.maxPositions - taken.size);
  const wanted = new Set(opinions.flatMap(({ targets }) => (targets ?? []).map(({ symbol }) => symbol)));
  const openings = [...wanted]
    .filter((symbol) => !taken.has(symbol))
    .flatMap((symbol) => opening(symbol, opinions, { total, openShare: rules.openShare }))
    .sort((a, b) => b.net - a.net || (a.target.symbol < b.target.symbol ? -1 : 1));
  return [...closings, ...openings.slice(0, room).map(({ target }) => target)];
}

const wanting = (
  opinions: readonly MemberVote[],
  symbol: string,
  positionSide: TargetPosition["leg"],
): readonly Wanted[] =>
  opinions.flatMap(({ name, weight, targets }) => {
    const target = targets?.find((each) => each.symbol === symbol && each.leg === positionSide && each.size > 0);
    return target ? [{ name, weight, target: target }] : [];
  });

function opening(
  symbol: string,
  opinions: readonly MemberVote[],
  { total, openShare }: { total: number; openShare: number },
): readonly { target: TargetPosition; net: number }[] {
  const longs = wanting(opinions, symbol, "LONG");
  const shorts = wanting(opinions, symbol, "SHORT");
  const [winners, losers] = weightOf(longs) >= weightOf(shorts) ? [longs, shorts] : [shorts, longs];
  const net = (weightOf(winners) - weightOf(losers)) / total;
  const strongest = [...winners].sort((a, b) => b.weight - a.weight)[0];
  if (!strongest || net < openShare - 1e-9) return [];
  const mean = winners.reduce((sum, { weight, target }) => sum + weight * target.size, 0) / weightOf(winners);
  const size = Math.floor(mean * Math.sqrt(Math.min(1, net)) * 20 + 1e-9) / 20;
  if (!(size > 0)) return [];
  const targets = winners.flatMap(({ target }) => (target.targetDistance === null ? [] : [target.targetDistance]));
  const votes = Object.fromEntries(winners.map(({ name, weight }) => [name, weight / total]));
  const target: TargetPosition = {
    ...strongest.target,
    size,
    stopDistance: median(winners.map((each) => each.target.stopDistance)) ?? strongest.target.stopDistance,
    targetDistance: targets.length * 2 > winners.length ? median(targets) : null,
    reason: withFacts({ votes }, strongest.target.reason).slice(0, REASON_CHARS_MAX),
    evidence: [...new Set(winners.flatMap((each) => each.target.evidence))],
  };
  return [{ target, net }];
}

/** The members that wanted a position decide on leaving it; if none is known, all do. */
function leaving(
  held: HeldPosition,
  opinions: readonly MemberVote[],
  { closeShare }: CountRules,
): readonly TargetPosition[] {
  const { symbol, side } = held.position;
  const named = factsOf(held.thesis).votes ?? {};
  const owners = opinions.filter(({ name }) => named[name] !== undefined);
  const deciding = owners.length > 0 ? owners : opinions;
  const leavers = deciding.flatMap(({ name, weight, targets }) => {
    const target = targets?.find(
      (each) => each.symbol === symbol && (each.leg === side ? each.size === 0 : each.size > 0),
    );
    return target ? [{ name, weight, target: target }] : [];
  });
  const [first] = [...leavers].sort((a, b) => b.weight - a.weight);
  if (!first || weightOf(leavers) < closeShare * weightOf(deciding) - 1e-9) return [];
  const reason = `${leavers.map(({ name }) => name).join(", ")}: ${first.target.reason}`;
  return [closingTarget(held, reason, first.target.evidence)];
}
