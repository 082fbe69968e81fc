/**
 * Tries a strategy on the practice market, in this process and on virtual time: every snapshot goes through the guard,
 * answers go on to the model, to review and to the venue as in real operation. A fault ends nothing: it is recorded
 * with its line, and the next snapshot is tried.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Strategies } from "../agent/contract/events.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { silentLog } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { SECOND_MS } from "../core/time.ts";
import { DECIDE_MS_MAX } from "../core/time-box.ts";
import type { Journal } from "../journal/journal.ts";
import { askStrategy, interpretReplies } from "../strategy/guarded.ts";
import type { ArmedStrategy, ModelQuestion, Strategy, StrategyAnswer } from "../strategy/strategy.ts";
import { type AgentRun, type Harness, createHarness } from "../harness/harness.ts";
import { sumDecimals } from "../core/decimal.ts";
import { readDecision } from "../rows/decision.ts";
import { readModelSettle } from "../rows/model-settle.ts";
import { readPosition } from "../rows/position.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import { readVerdict } from "../rows/verdict.ts";

/** Far from a funding settlement, on a working day. */
const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const STEP_MS = 2 * SECOND_MS;
/** The first snapshot comes soon and the others follow quickly, regardless of the cadence in the file. */
const CADENCE = { every: 15 * SECOND_MS, minGap: 10 * SECOND_MS, firstAfter: 22 * SECOND_MS };
/** The virtual time within which that many snapshots must come. */
const PATIENCE_MS = 3 * 3_600 * SECOND_MS;
const STOP_PATIENCE_MS = 20 * SECOND_MS;

/** One kind of fault: its count, and where it occurred first. */
export interface TrialFault {
  readonly call: "decide" | "interpret";
  readonly reason: string;
  /** `my-idea.ts:12`; null if the answer itself is wrong. */
  readonly line: string | null;
  readonly count: number;
}

/** The result of a trial. Times are of one call, real ms. */
export interface Trial {
  readonly snapshots: number;
  /** By the kind of answer of `decide`. */
  readonly answers: { readonly targets: number; readonly ask: number; readonly abstain: number };
  readonly targets: number;
  readonly faults: readonly TrialFault[];
  /** Model answers that the strategy read, and why others were missing. */
  readonly repliesRead: number;
  readonly modelFailures: readonly { readonly reason: string; readonly count: number }[];
  readonly msMedian: number;
  readonly msMax: number;
  /** Drafts that went to review, and those that the limits approved. */
  readonly reviewed: number;
  readonly approved: number;
  readonly positionsOpened: number;
  readonly modelUsd: string;
  /** The first question it asked; null if it never asks. */
  readonly question: ModelQuestion | null;
}

interface Tally {
  readonly ms: number[];
  readonly answers: { targets: number; ask: number; abstain: number };
  readonly faults: Map<string, TrialFault>;
  snapshots: number;
  targets: number;
  repliesRead: number;
  question: ModelQuestion | null;
}

/** The error says why there was no market to try it on. */
export async function tryOut(
  candidate: ArmedStrategy,
  { config, fallback, snapshots }: { config: Config; fallback: ArmedStrategy; snapshots: number },
): Promise<Result<Trial, string>> {
  const tally: Tally = {
    ...{ ms: [], answers: { targets: 0, ask: 0, abstain: 0 }, faults: new Map() },
    ...{ snapshots: 0, targets: 0, repliesRead: 0, question: null },
  };
  const strategies: Strategies = { chosen: probe(candidate, tally, snapshots), fallback, shadows: [] };
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-trial-"));
  const venue = { ...config.venue, kind: "embedded" as const };
  const trial = { ...config, venue, cadence: { ...config.cadence, ...CADENCE } };
  try {
    const stage = createHarness({
      ...{ config: trial, seed: config.venue.embedded.seed, startMs: START_MS, dataDir },
      ...{ log: silentLog, stepMs: STEP_MS, strategies },
    });
    await stage.clock.advance(STEP_MS / 2);
    const started = await stage.start();
    if (!started.ok) return err(started.error);
    const agentRun = started.value;
    for (let passedMs = 0; tally.snapshots < snapshots && passedMs < PATIENCE_MS && agentRun.fatal() === null;) {
      await stage.clock.advance(10 * SECOND_MS);
      passedMs += 10 * SECOND_MS;
    }
    // Lets the last question be answered and carried out.
    await stage.clock.advance(30 * SECOND_MS);
    const trialled = resultOf(tally, agentRun.journal);
    await endRun(stage, agentRun);
    return ok(trialled);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Replaces the candidate and calls it as the agent would, with its usual time limit. */
function probe({ strategy, settings }: ArmedStrategy, tally: Tally, most: number): ArmedStrategy {
  let line: string | null = null;
  const { monotonicMs } = systemClock();
  const watched = <Args extends unknown[]>(run: (...args: Args) => StrategyAnswer) => {
    return (...args: Args): StrategyAnswer => {
      line = null;
      const beganMs = monotonicMs();
      try {
        return run(...args);
      } catch (error) {
        line = faultLine(error, strategy.name);
        throw error;
      } finally {
        tally.ms.push(monotonicMs() - beganMs);
      }
    };
  };
  const { interpret } = strategy;
  const observed: Strategy = {
    ...strategy,
    decide: watched((snapshot, given) => strategy.decide(snapshot, given)),
    ...(interpret
      ? { interpret: watched((replies, snapshot, given) => interpret.call(strategy, replies, snapshot, given)) }
      : {}),
  };
  const armed: ArmedStrategy = { strategy: observed, settings, msMax: DECIDE_MS_MAX };
  const taken = (call: TrialFault["call"], answer: ReturnType<typeof askStrategy>): StrategyAnswer => {
    if (!answer.ok) {
      const { reason } = answer.error;
      const key = `${call}|${reason}|${line ?? ""}`;
      tally.faults.set(key, { call, reason, line, count: (tally.faults.get(key)?.count ?? 0) + 1 });
      return { kind: "targets", targets: [], note: reason };
    }
    if (answer.value.kind === "targets") tally.targets += answer.value.targets.length;
    if (answer.value.kind === "ask") tally.question ??= answer.value.questions[0] ?? null;
    return answer.value;
  };
  return {
    settings,
    strategy: {
      ...strategy,
      decide: (snapshot) => {
        if (tally.snapshots >= most) return { kind: "targets", targets: [], note: "the trial is over" };
        tally.snapshots += 1;
        const asked = askStrategy(armed, snapshot);
        if (asked.ok) tally.answers[asked.value.kind] += 1;
        return taken("decide", asked);
      },
      interpret: (replies, snapshot) => {
        tally.repliesRead += replies.replies.filter(({ kind }) => kind === "answered").length;
        return taken("interpret", interpretReplies(armed, replies, snapshot));
      },
    },
  };
}

function resultOf(tally: Tally, journal: Journal): Trial {
  const { ms, faults, ...counted } = tally;
  const sorted = [...ms].sort((a, b) => a - b);
  const all = <T>(kind: RowKind, read: (row: JournalRow) => T): readonly T[] =>
    journal.rows({ kinds: [kind] }).map(read);
  const verdicts = all("verdict", readVerdict).filter((row) => "verdicts" in row);
  const spent = sumDecimals(all("model-settle", readModelSettle).map(({ costUsd }) => costUsd));
  return {
    ...counted,
    faults: [...faults.values()].sort((a, b) => b.count - a.count),
    modelFailures: countedReasons(
      all("decision", readDecision).flatMap((row) => ("failed" in row ? [row.reason] : [])),
    ),
    msMedian: sorted[Math.floor(sorted.length / 2)] ?? 0,
    msMax: sorted.at(-1) ?? 0,
    reviewed: verdicts.length,
    approved: verdicts.filter(({ kind }) => kind === "approved").length,
    positionsOpened: all("position", readPosition).filter(({ kind }) => kind === "opened").length,
    modelUsd: spent.toFixed(4),
  };
}

function countedReasons(reasons: readonly string[]): Trial["modelFailures"] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

/** Closing takes time, and somebody must advance the virtual clock. */
async function endRun({ clock, close }: Harness, agentRun: AgentRun): Promise<void> {
  let ended = false;
  const ending = agentRun.stop("the trial is over").then(() => (ended = true));
  for (let waitedMs = 0; !ended && waitedMs < STOP_PATIENCE_MS; waitedMs += 100) await clock.advance(100);
  if (!ended) agentRun.kill();
  await Promise.race([ending, Promise.resolve()]);
  await close();
}

/** The first stack frame in the author's own file, as `my-idea.ts:12:7`; null without one. */
export function faultLine(error: unknown, name: string): string | null {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const found = new RegExp(`(?:^|[\\s(/])(${name}\\.(?:ts|js|mjs):\\d+(?::\\d+)?)`, "m").exec(stack);
  return found?.[1] ?? null;
}
