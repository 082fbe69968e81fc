/** Runs one seed, shrinks it if it fails, and reports it as a line. */
import { drawPlan, keeping, type Kind } from "../../test/seeds/plan.ts";
import { type Outcome, runPlan } from "../../test/seeds/run.ts";
import { replayCommand, shrink } from "../../test/seeds/shrink.ts";

/** `keep`: only these events of it; null for all. */
export interface Job {
  readonly kind: Kind;
  readonly seed: number;
  readonly keep: readonly number[] | null;
  readonly shrinks: boolean;
}

/** Its result, without its history. */
export interface SeedLine extends Omit<Outcome, "history"> {
  readonly seed: number;
  readonly kind: Kind;
  /** Null when nothing failed. */
  readonly replay: string | null;
}

function lineOf({ seed, kind }: Job, outcome: Outcome, replay: string | null): SeedLine {
  const { hash, rows, faults, deaths, writes, fills, readyMs, suspendedMs, tookMs, violations } = outcome;
  const counts = { rows, faults, deaths, writes, fills, readyMs, suspendedMs, tookMs: Math.round(tookMs) };
  return { seed, kind, hash, ...counts, violations, replay };
}

export async function liveSeed(job: Job): Promise<SeedLine> {
  const whole = drawPlan(job.kind, job.seed);
  const outcome = await runPlan(job.keep === null ? whole : keeping(whole, job.keep));
  if (outcome.violations.length === 0) return lineOf(job, outcome, null);
  if (job.keep !== null || !job.shrinks)
    return lineOf(job, outcome, replayCommand(whole, job.keep ?? whole.events.map((_, at) => at)));
  const shrunk = await shrink(whole, outcome);
  return lineOf(job, shrunk.outcome, replayCommand(whole, shrunk.kept));
}

/** The first run of a process loads what later ones need: a throwaway run with a model takes that cost. */
export const warmUp = async (): Promise<void> =>
  void (await runPlan({ ...drawPlan("short", 0), strategy: "llm-trader", events: [] }));
