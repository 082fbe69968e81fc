/**
 * What recorded decisions would have earned with another stop, size or setting: the same targets at the same instants
 * over the bars of their time. The base replay changes nothing. If it does not reproduce the record, nothing else is
 * replayed. Every other replay is compared with the base, not with the record.
 */
import { sum } from "simple-statistics";
import type { Config } from "../../config/config.ts";
import { type Decimal, dec, toFloat } from "../../core/decimal.ts";
import { seededEntropy } from "../../core/entropy.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { HOUR_MS, isoTime, MINUTE_MS } from "../../core/time.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import { DEFAULT_EXCHANGES } from "../../domain/symbol.ts";
import { readDecision } from "../../rows/decision.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { knownPrices } from "../fast/bar-path.ts";
import { type FastRun, runFast } from "../fast/fast-run.ts";
import { bootstrapInterval, type Interval } from "../figures/bootstrap.ts";
import type { RecordedWindow } from "../../sim/market/replay.ts";
import { recordedWindow } from "../runs/bars-for.ts";
import type { RowListener } from "../fast/loop-state.ts";
import { configOf } from "../sweep/run-trial.ts";
import type { Candidate } from "../sweep/variation.ts";
import { type Fidelity, fidelityOf } from "./fidelity.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { replayStrategies, type TargetChange } from "./replay-strategy.ts";

/** `settings` are dotted paths of the configuration. */
export interface Alternative {
  readonly name: string;
  readonly change: TargetChange;
  readonly settings: Candidate;
}

/** The bars, which may cover more than the recorded run. */
export type ReplayBars = Pick<RecordedWindow, "recorded" | "spanMs">;

export interface CounterfactualOptions {
  /** Text of the configuration file. */
  readonly text: string;
  readonly bars: ReplayBars;
  readonly alternatives: readonly Alternative[];
}

/** Fractions are of 1; a return is relative to the equity at the start. */
export interface ReplayOutcome {
  readonly returnFraction: number;
  readonly fills: number;
  readonly closedTrades: number;
  readonly feesUsdt: string;
}

export interface Compared extends ReplayOutcome {
  readonly name: string;
  /** Return less that of the base replay. */
  readonly difference: number;
  /** 95 %; null if the replay lasted less than four hours. */
  readonly interval: Interval | null;
  /** Why it ended early; null otherwise. */
  readonly ended: string | null;
}

export interface Counterfactual {
  readonly from: string;
  readonly to: string;
  readonly startUsdt: number;
  readonly decisions: number;
  readonly targets: number;
  /** Recorded decisions outside the bars, and symbols of targets without bars. */
  readonly outside: number;
  readonly missing: readonly string[];
  readonly heldAtStart: number;
  readonly recorded: ReplayOutcome | null;
  readonly base: ReplayOutcome;
  readonly fidelity: Fidelity;
  /** Empty if the base replay does not reproduce the record. */
  readonly alternatives: readonly Compared[];
}

/** Time that the agent needs before its first decision. */
const READY_MS = 2 * MINUTE_MS;

/** The window of a data folder, with the universe of the configuration. */
export function replayBars(text: string, data: string, window: string | undefined): Result<RecordedWindow, string> {
  const config = configOf({ text, strategy: "hold", candidate: {}, market: { data, window } });
  return config.ok ? recordedWindow(config.value, DEFAULT_EXCHANGES, data) : config;
}

/** Equal input gives an equal result. The error says what is missing. */
export function counterfactual(run: RecordedRun, options: CounterfactualOptions): Result<Counterfactual, string> {
  const { text, alternatives: asked } = options;
  const { recorded, spanMs } = options.bars;
  const first = run.decisions[0];
  if (!first) return err("the journal holds no decision with targets in that time");
  const unchanged = replayConfig(text, {});
  if (!unchanged.ok) return unchanged;
  const lastMs = Math.max(run.points.at(-1)?.atMs ?? 0, (run.decisions.at(-1)?.atMs ?? 0) + MINUTE_MS);
  const fromMs = minuteAfter(Math.max(spanMs[0], first.atMs - READY_MS - MINUTE_MS));
  const toMs = minuteAfter(Math.min(spanMs[1] - MINUTE_MS + 1, lastMs));
  const decisions = run.decisions.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  if (decisions.length === 0)
    return err(
      `the bars cover ${isoTime(spanMs[0])} to ${isoTime(spanMs[1])}, and no recorded decision lies within; the first was made at ${isoTime(first.atMs)}`,
    );
  const points = run.points.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const equities = run.equities.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const startUsdt = dec(((equities[0] ?? points[0])?.equityUsdt ?? 1_000).toFixed(4));
  const looksMs = [...decisions, ...equities].map(({ atMs }) => atMs);
  const replay = {
    decidesAtMs: [...new Set(looksMs)].sort((a, b) => a - b),
    seen: new Map([...run.seen].map(([symbol, prices]) => [symbol, knownPrices(prices)])),
  };
  const play = (config: Config, change: TargetChange, onRow?: RowListener): FastRun =>
    runFast({
      ...{ config, recorded, replay, fromMs, startUsdt },
      strategies: replayStrategies(decisions, change),
      forMs: toMs - fromMs,
      exchanges: DEFAULT_EXCHANGES,
      ...(onRow ? { onRow } : {}),
    });
  const configs: Config[] = [];
  for (const { name, settings } of asked) {
    const config = replayConfig(text, settings);
    if (!config.ok) return err(`${name}: ${config.error}`);
    configs.push(config.value);
  }
  const replayed: EquityPoint[] = [];
  const base = play(unchanged.value, (target) => target, noteEquity(replayed));
  const fidelity = fidelityOf(equities, replayed, toFloat(startUsdt));
  const alternatives = (fidelity.repeats ? asked : []).map(({ name, change }, at) => {
    const config = configs[at] ?? unchanged.value;
    return compared(
      name,
      play(config, (target) => withinBounds(change(target), target, config)),
      base,
    );
  });
  const targets = decisions.flatMap((decision) => decision.targets);
  const known = new Set(recorded.map(({ spec }) => spec.rules.symbol));
  return ok({
    from: isoTime(fromMs),
    to: isoTime(toMs),
    startUsdt: toFloat(startUsdt),
    decisions: decisions.length,
    targets: targets.length,
    outside: run.decisions.length - decisions.length,
    missing: [...new Set(targets.map(({ symbol }) => symbol))].filter((symbol) => !known.has(symbol)).sort(),
    heldAtStart: run.heldAtStart,
    recorded: recordedOutcome(run, points),
    base: outcomeOf(base),
    fidelity,
    alternatives,
  });
}

/** Whether the difference may be luck: its interval contains zero, or there is no interval. */
export const mayBeLuck = ({ interval }: Compared): boolean =>
  interval === null || (interval.low <= 0 && interval.high >= 0);

const minuteAfter = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;

const replayConfig = (text: string, candidate: Candidate): Result<Config, string> =>
  configOf({ text, strategy: "hold", candidate, market: {} });

/** The equity that each decision of a replay sees. */
const noteEquity =
  (points: EquityPoint[]): RowListener =>
  ({ row, body }) => {
    if (row !== "decision") return;
    const decision = readDecision({ seq: points.length + 1, kind: row, body });
    if (!("snapshot" in decision) || decision.snapshot.account === null) return;
    const { atMs, account } = decision.snapshot;
    points.push({ atMs, equityUsdt: account.equityUsdt.toNumber() });
  };

/** A variation stays within the limits and within the bounds of a target. */
function withinBounds(target: TargetPosition, was: TargetPosition, { risk }: Config): TargetPosition {
  const stop = Math.min(target.stopDistance, Math.max(toFloat(risk.maxStopDistance), was.stopDistance));
  return { ...target, size: Math.min(1, target.size), stopDistance: stop };
}

const returnOf = (points: readonly EquityPoint[]): number =>
  (points.at(-1)?.equityUsdt ?? 0) / (points[0]?.equityUsdt ?? 1) - 1;

const outcomeOf = ({ points, executions, closedPositions, feesUsdt }: FastRun): ReplayOutcome => ({
  returnFraction: returnOf(points),
  fills: executions,
  closedTrades: closedPositions,
  feesUsdt: shownUsdt(feesUsdt),
});

const shownUsdt = (usdt: Decimal): string => usdt.toFixed(2);

function recordedOutcome(run: RecordedRun, points: readonly EquityPoint[]): ReplayOutcome | null {
  if (points.length < 2) return null;
  const { fills, closedTrades, feesUsdt } = run;
  return { returnFraction: returnOf(points), fills, closedTrades, feesUsdt: shownUsdt(feesUsdt) };
}

/** Resampled in blocks of hours, because consecutive differences depend on the same positions. */
function compared(name: string, run: FastRun, base: FastRun): Compared {
  const [here, there] = [hourlyChanges(run.points), hourlyChanges(base.points)];
  const differences = here.map((change, hour) => change - (there[hour] ?? 0));
  const interval = bootstrapInterval(differences, sum, {
    entropy: seededEntropy(`counterfactual:${name}`),
    level: 0.95,
  });
  const outcome = outcomeOf(run);
  const difference = outcome.returnFraction - returnOf(base.points);
  return { name, ...outcome, difference, interval, ended: run.ended };
}

/** Change of equity in each hour from the start on, as a share of the equity at the start; the last may be partial. */
function hourlyChanges(points: readonly EquityPoint[]): readonly number[] {
  const first = points[0];
  if (!first) return [];
  const ends = points.filter(({ atMs }, at) => (atMs - first.atMs) % HOUR_MS === 0 || at === points.length - 1);
  return ends.slice(1).map(({ equityUsdt }, at) => (equityUsdt - (ends[at]?.equityUsdt ?? 0)) / first.equityUsdt);
}
