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
import { practiceSession } from "../control/consent-gap.ts";
import { silentLog } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { SECOND_MS } from "../core/time.ts";
import type { ArmedStrategy, ModelQuestion } from "../strategy/strategy.ts";
import { type AgentRun, type Harness, createHarness } from "../harness/harness.ts";
import { sumDecimals } from "../core/decimal.ts";
import { readDecision } from "../rows/decision.ts";
import { readModelSettle } from "../rows/model-settle.ts";
import { readPosition } from "../rows/position.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import { readVerdict } from "../rows/verdict.ts";
import { type CountedReason, emptyTally, probe, type Tally, type TrialFault } from "./probe.ts";

/** Far from a funding settlement, on a working day. */
export const TRIAL_START_MS = Date.UTC(2026, 0, 5, 9, 30);
const STEP_MS = 2 * SECOND_MS;
/** The number of pairs in Phase I. */
const PHASE_PAIRS = 50;
/** Two reads of a symbol's history, each with its pause. */
const HISTORY_MS = 1.5 * SECOND_MS;
/** The snapshots follow quickly, regardless of the cadence in the file; the first waits until the history is read. */
const cadenceFor = (universe: Config["universe"]) => {
  const historyMs = (universe === "phase" ? PHASE_PAIRS : universe.length) * HISTORY_MS;
  return {
    every: 15 * SECOND_MS,
    minGap: 10 * SECOND_MS,
    firstAfter: Math.max(22 * SECOND_MS, 12 * SECOND_MS + historyMs),
  };
};
/** The virtual time within which that many snapshots must come. */
const PATIENCE_MS = 3 * 3_600 * SECOND_MS;
const STOP_PATIENCE_MS = 20 * SECOND_MS;

/** Times are epoch ms, on the virtual time of the trial. */
export interface TrialSource {
  readonly name: string;
  /** The newest point's own time; null if it gave none. */
  readonly atMs: number | null;
  /** Why it had no value at the end; null if it worked. */
  readonly failing: string | null;
}

/** The result of a trial. Times are of one call, real ms. */
export interface StrategyTrial {
  readonly snapshots: number;
  /** By the kind of answer of `decide`; failed if it gave none that can be used. */
  readonly answers: Readonly<Tally["answers"]>;
  readonly targets: number;
  readonly faults: readonly TrialFault[];
  /** Model answers that the strategy read, and why others were missing. */
  readonly repliesRead: number;
  readonly modelFailures: readonly CountedReason[];
  /** Why it abstained, if it never did anything else; else empty. The most frequent reason is first. */
  readonly onlyAbstained: readonly CountedReason[];
  /** The owner's sources as they stood at its end. */
  readonly sources: readonly TrialSource[];
  readonly msMedian: number;
  readonly msMax: number;
  /** Drafts that went to review, and those that the limits approved. */
  readonly reviewed: number;
  readonly approved: number;
  /** Which limits refused, if they approved no draft; else empty. The most frequent is first. */
  readonly onlyRefused: readonly CountedReason[];
  readonly positionsOpened: number;
  readonly modelUsd: string;
  /** The first question it asked; null if it never asks. */
  readonly question: ModelQuestion | null;
}

/** The error says why there was no market to try it on. */
export async function tryOut(
  candidate: ArmedStrategy,
  { config, fallback, snapshots }: { config: Config; fallback: ArmedStrategy; snapshots: number },
): Promise<Result<StrategyTrial, string>> {
  const tally = emptyTally();
  const strategies: Strategies = { chosen: probe(candidate, tally, snapshots), fallback, shadows: [] };
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-trial-"));
  const venue = { ...config.venue, kind: "embedded" as const };
  // A file without a consent, or with one for the real service, would have every order refused.
  const session = practiceSession(config.session);
  const trial = { ...config, venue, session, cadence: { ...config.cadence, ...cadenceFor(config.universe) } };
  try {
    const stage = createHarness({
      ...{ config: trial, seed: config.venue.embedded.seed, startMs: TRIAL_START_MS, dataDir },
      // A strategy on hourly bars needs the past that a live start reads.
      ...{ log: silentLog, stepMs: STEP_MS, strategies, history: true },
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
    const trialled = resultOf(tally, agentRun);
    await endRun(stage, agentRun);
    return ok(trialled);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function resultOf(tally: Tally, { journal, running }: AgentRun): StrategyTrial {
  const { ms, faults, abstentions, decided, ...counted } = tally;
  const sorted = [...ms].sort((a, b) => a - b);
  const all = <T>(kind: RowKind, read: (row: JournalRow) => T): readonly T[] =>
    journal.rows({ kinds: [kind] }).map(read);
  const verdicts = all("verdict", readVerdict).filter((row) => "verdicts" in row);
  const approved = verdicts.filter(({ kind }) => kind === "approved").length;
  const denials = verdicts.flatMap((row) => row.verdicts.filter(({ kind }) => kind === "deny"));
  const spent = sumDecimals(all("model-settle", readModelSettle).map(({ costUsd }) => costUsd));
  return {
    ...counted,
    faults: [...faults.values()].sort((a, b) => b.count - a.count),
    modelFailures: countedReasons(
      all("decision", readDecision).flatMap((row) => ("failed" in row ? [row.reason] : [])),
    ),
    onlyAbstained: decided === 0 && abstentions.length >= counted.snapshots ? countedReasons(abstentions) : [],
    sources: running.sources
      .status()
      .map(({ name, atMs, failing }) => ({ name, atMs, failing: failing?.reason ?? null })),
    msMedian: sorted[Math.floor(sorted.length / 2)] ?? 0,
    msMax: sorted.at(-1) ?? 0,
    reviewed: verdicts.length,
    approved,
    onlyRefused: approved === 0 ? countedReasons(denials.map(({ limit, reason }) => `${limit}: ${reason}`)) : [],
    positionsOpened: all("position", readPosition).filter(({ kind }) => kind === "opened").length,
    modelUsd: spent.toFixed(4),
  };
}

function countedReasons(reasons: readonly string[]): readonly CountedReason[] {
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
