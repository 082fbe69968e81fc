/**
 * The boundary around strategy code. A strategy that throws, hangs or returns an invalid answer gives no decision but
 * a reason, so that the fallback can take over; no part of its answer is used.
 */
import type { ModelOutcome } from "../core/model-outcome.ts";
import { err, ok, type Result } from "../core/result.ts";
import { HungError, withinTime } from "../core/time-box.ts";
import { loadTokenizer } from "../core/tokens.ts";
import type { Snapshot } from "../context/snapshot.ts";
import { baseOf } from "../domain/symbol.ts";
import { EXTRA_USES } from "./strategy.ts";
import type { ArmedStrategy, Replies, Reply, StrategyAnswer, TargetPosition } from "./strategy.ts";

export type { ArmedStrategy } from "./strategy.ts";

const TARGETS_MAX = 50;
const REASON_CHARS_MAX = 300;
const EVIDENCE_MAX = 20;
/** Fraction of price; one target with a wider stop invalidates the whole answer. */
export const STOP_DISTANCE_MAX = 0.2;
/** Questions side by side, and rounds of them in one decision. */
export const QUESTIONS_MAX = 12;
/** After the last round only targets or an abstention are accepted. */
export const ROUNDS_MAX = 3;

/** Why there is no usable answer. `quarantine.ts` decides the consequences. */
export type StrategyFault =
  | { readonly kind: "unsound"; readonly reason: string }
  /** `usedShare`: the share of its time limit that it really ran, 0 to 1; small on a busy machine. */
  | { readonly kind: "cut-off"; readonly reason: string; readonly usedShare: number };

const unsound = (reason: string): Result<never, StrategyFault> => err({ kind: "unsound", reason });

/** Asks the strategy for its answer to a snapshot. */
export function askStrategy(
  { strategy, settings, msMax }: ArmedStrategy,
  snapshot: Snapshot,
): Result<StrategyAnswer, StrategyFault> {
  // Whoever asks a model counts the tokens of its question.
  if (strategy.needsModel) loadTokenizer();
  return guard(() => withinTime(() => strategy.decide(snapshot, settings), msMax), snapshot, true);
}

/** Strategies see neither costs nor kinds of failure. */
export const replyOf = (outcome: ModelOutcome): Reply =>
  outcome.kind === "answered"
    ? { kind: "answered", value: outcome.value, model: outcome.model }
    : { kind: "failed", reason: outcome.reason };

/** Passes a round of replies to the strategy. After the last round it may not ask again. */
export function interpretReplies(
  { strategy, settings, msMax }: ArmedStrategy,
  replies: Replies,
  snapshot: Snapshot,
): Result<StrategyAnswer, StrategyFault> {
  if (!strategy.interpret) return unsound(`${strategy.name} has no interpret function for a reply`);
  const read = () => strategy.interpret?.(replies, snapshot, settings);
  return guard(() => withinTime(read, msMax), snapshot, replies.round < ROUNDS_MAX);
}

function guard(run: () => unknown, snapshot: Snapshot, mayAsk: boolean): Result<StrategyAnswer, StrategyFault> {
  try {
    const answer = run();
    // A rejection that nobody awaits would end the process.
    if (answer instanceof Promise) answer.catch(() => undefined);
    const fault = answerFault(answer, snapshot, mayAsk);
    return fault === null ? ok(tidied(answer as StrategyAnswer)) : unsound(fault);
  } catch (error) {
    if (error instanceof HungError) return err({ kind: "cut-off", reason: error.message, usedShare: error.usedShare });
    return unsound(`it threw: ${(error instanceof Error ? error.message : String(error)).slice(0, 200)}`);
  }
}

/** A value of foreign code, which may have no JSON. */
const shown = (value: unknown): string =>
  (typeof value === "string" ? JSON.stringify(value) : typeof value).slice(0, 60);

/** The error in an answer, or null. Code loaded at run time may violate its types. */
function answerFault(answer: unknown, snapshot: Snapshot, mayAsk: boolean): string | null {
  const found = answer as Partial<Record<string, unknown>> | null | undefined;
  if (typeof found !== "object" || found === null) return "the answer is not an object";
  if (found["kind"] === "abstain") return typeof found["note"] === "string" ? null : "an abstention without a note";
  if (found["kind"] === "ask")
    return mayAsk ? questionsFault(found["questions"]) : "it asked another question instead of answering";
  if (found["kind"] === "wishes") return 'it answers "wishes", which was replaced: answer { kind: "targets", targets }';
  if (typeof found["then"] === "function")
    return "it returned a promise: decide and interpret answer at once, so write them without async and await";
  if (found["kind"] !== "targets")
    return `the answer has kind ${shown(found["kind"])}: it must be "targets", "ask" or "abstain"`;
  const { targets } = found;
  if (!Array.isArray(targets)) return "targets is not a list";
  if (typeof found["note"] !== "string") return "the answer has no note";
  if (targets.length > TARGETS_MAX) return `${targets.length} targets, at most ${TARGETS_MAX}`;
  return targetsFault(targets, snapshot);
}

function questionsFault(questions: unknown): string | null {
  if (!Array.isArray(questions) || questions.length === 0) return "it asks without a question";
  if (questions.length > QUESTIONS_MAX) return `${questions.length} questions at once, at most ${QUESTIONS_MAX}`;
  return questions.map(questionFault).find((fault) => fault !== null) ?? null;
}

function questionFault(question: unknown): string | null {
  const found = question as Partial<Record<string, unknown>> | null | undefined;
  if (typeof found !== "object" || found === null) return "a question that is not an object";
  for (const name of ["prompt", "replySchemaName", "fingerprint"]) {
    if (typeof found[name] !== "string" || found[name] === "") return `a question without ${name}`;
  }
  if (typeof found["variables"] !== "object" || found["variables"] === null) return "a question without variables";
  if (typeof found["replySchema"] !== "object" || found["replySchema"] === null) return "a question without a schema";
  const { tier, maxOutputTokens: tokens } = found;
  if (tier !== undefined && tier !== "strong" && tier !== "cheap") return "a question for an unknown tier of models";
  if (found["use"] !== undefined && !EXTRA_USES.some((use) => use === found["use"]))
    return "a question for an unknown budget use";
  return typeof tokens === "number" && Number.isInteger(tokens) && tokens > 0
    ? null
    : "a question without an output cap";
}

function targetsFault(targets: readonly unknown[], snapshot: Snapshot): string | null {
  const symbols = new Set(snapshot.symbols.map((view) => view.symbol));
  for (const held of snapshot.account?.positions ?? []) symbols.add(held.position.symbol);
  const positions = new Set<string>();
  for (const target of targets) {
    const fault = targetFault(target, symbols);
    if (fault !== null) return fault;
    const { symbol, leg: positionSide } = target as TargetPosition;
    if (positions.has(`${symbol}|${positionSide}`)) return `two targets for ${symbol} ${positionSide}`;
    positions.add(`${symbol}|${positionSide}`);
  }
  const both = (targets as readonly TargetPosition[]).find(
    (target) =>
      target.leg === "LONG" &&
      target.size > 0 &&
      (targets as readonly TargetPosition[]).some((w) => isOpposite(w, target)),
  );
  return both ? `it wants ${both.symbol} long and short at once` : null;
}

const isOpposite = (a: TargetPosition, b: TargetPosition): boolean =>
  a.symbol === b.symbol && a.leg !== b.leg && a.size > 0;

const within = (value: unknown, low: number, high: number): boolean =>
  typeof value === "number" && value >= low && value <= high;

/** Many write the coin alone. */
function unknownSymbol(name: string, symbols: ReadonlySet<string>): string {
  const full = [...symbols].find((symbol) => baseOf(symbol) === name.toUpperCase());
  return `unknown symbol ${name}${full === undefined ? "; take a symbol of the snapshot" : `; write ${full}`}`;
}

function targetFault(target: unknown, symbols: ReadonlySet<string>): string | null {
  const found = target as Partial<Record<keyof TargetPosition, unknown>> | null | undefined;
  if (typeof found !== "object" || found === null) return "a target that is not an object";
  const { symbol, leg, size, stopDistance, targetDistance, urgency } = found;
  if (typeof symbol !== "string" || !symbols.has(symbol)) return unknownSymbol(String(symbol).slice(0, 60), symbols);
  if (leg !== "LONG" && leg !== "SHORT")
    return `${symbol}: leg must be LONG or SHORT, found ${String(leg).slice(0, 20)}`;
  if (!within(size, 0, 1)) return `${symbol}: size must be from 0 to 1, found ${String(size)}`;
  if (!within(stopDistance, 0, STOP_DISTANCE_MAX) || stopDistance === 0) {
    return `${symbol}: stopDistance must be above 0 and at most ${STOP_DISTANCE_MAX}, found ${String(stopDistance)}`;
  }
  if (targetDistance !== null && (!within(targetDistance, 0, 1) || targetDistance === 0)) {
    return `${symbol}: targetDistance must be null or above 0 and at most 1, found ${String(targetDistance)}`;
  }
  const trailed = trailFault(found.trail);
  if (trailed !== null) return `${symbol}: ${trailed}`;
  if (urgency !== "take" && urgency !== "rest") return `${symbol}: urgency must be take or rest`;
  if (typeof found.reason !== "string") return `${symbol}: a target without a reason`;
  const { evidence } = found;
  return Array.isArray(evidence) && evidence.every((name) => typeof name === "string")
    ? null
    : `${symbol}: evidence must be a list of names`;
}

/** A trail is three distances, each from 0 to 1; a trailing stop keeps at least this distance. */
const TRAIL_MIN = 0.002;

function trailFault(trail: unknown): string | null {
  if (trail === undefined) return null;
  const found = trail as Partial<Record<string, unknown>> | null;
  if (typeof found !== "object" || found === null) return "trail is not an object";
  const wrong = ["breakEvenAfter", "activation", "distance"].find((name) => !within(found[name], 0, 1));
  if (wrong !== undefined) return `trail.${wrong} must be from 0 to 1, found ${String(found[wrong])}`;
  const { distance } = found;
  return distance === 0 || within(distance, TRAIL_MIN, 1)
    ? null
    : `trail.distance must be 0 or at least ${TRAIL_MIN}, found ${String(distance)}`;
}

/** Long texts are cut, not refused, because they have no effect. */
function tidied(answer: StrategyAnswer): StrategyAnswer {
  if (answer.kind !== "targets") return answer;
  const targets = answer.targets.map((target) => ({
    ...target,
    reason: target.reason.slice(0, REASON_CHARS_MAX),
    evidence: target.evidence.slice(0, EVIDENCE_MAX),
  }));
  return { ...answer, targets };
}
