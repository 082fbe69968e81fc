/**
 * The kill sweep with real processes: every story under every policy, killed at each commit of the journal and once
 * more during recovery. Each story first runs undisturbed, which gives the number of commits of a run.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import PQueue from "p-queue";
import type { DuplicatePolicy } from "../../src/sim/exchange/contract/settings.ts";
import { buildApp } from "./app.ts";
import { type DeathToken, type Moment } from "./dying-disk.ts";
import { type Case, type Outcome, nameOf, replayOf, runCase } from "./run.ts";
import type { Story } from "./stories.ts";

export interface Sweep {
  readonly stories: readonly Story[];
  readonly policies: readonly DuplicatePolicy[];
  readonly moments: readonly Moment[];
  /** Uses one moment per commit, and another for the next policy, instead of all of them. */
  readonly inTurns: boolean;
  readonly every: number;
  /** The first of `every` commits that is used. */
  readonly from: number;
  readonly concurrency: number;
  /** Of venue and daemon alike. */
  readonly speed: number;
  /** A single case, as named by a replay command. */
  readonly at: DeathToken | null;
  readonly again: DeathToken | null;
  /** Nothing new starts after this many milliseconds. */
  readonly withinMs: number;
  readonly say: (line: string) => void;
}

export interface Tally {
  readonly runs: number;
  readonly deaths: number;
  readonly writes: number;
  /** Runs that ended before their token came. */
  readonly outlived: number;
  readonly failed: readonly Outcome[];
  /** Runs in which something was late on an overloaded machine, and nothing else was wrong. */
  readonly late: readonly Outcome[];
  /** Cases for which no time was left. */
  readonly left: number;
  /** Crashes by the kind of the last stored row. */
  readonly diedAt: ReadonlyMap<string, number>;
  readonly tookMs: number;
  /** Of this process and everything it started. */
  readonly cpuSeconds: number;
}

const SAY_EVERY_MS = 15_000;
/** A recovery makes about this many commits before it may trade again. */
const RECOVERY_COMMITS = 18;

/** The commit at which the recovery from a crash is killed: varied, and independent of the first. */
const againAt = ({ commit, when }: DeathToken, moments: readonly Moment[]): DeathToken => ({
  commit: 1 + ((commit * 5 + moments.indexOf(when) * 7) % RECOVERY_COMMITS),
  when: moments[(commit + 1) % moments.length] ?? when,
});

interface Count {
  runs: number;
  deaths: number;
  writes: number;
  outlived: number;
  left: number;
  readonly failed: Outcome[];
  readonly late: Outcome[];
  readonly diedAt: Map<string, number>;
}

export async function sweepReal(sweep: Sweep): Promise<Tally> {
  const began = performance.now();
  const root = mkdtempSync(path.join(tmpdir(), "ballast-kill-"));
  const app = await buildApp(path.join(root, "app"));
  const count: Count = { runs: 0, deaths: 0, writes: 0, outlived: 0, left: 0, failed: [], late: [], diedAt: new Map() };
  const queue = new PQueue({ concurrency: sweep.concurrency });
  const reported = progress(sweep, queue, { count, began });
  const play = async (given: Case): Promise<Outcome | null> => {
    if (performance.now() - began > sweep.withinMs) {
      count.left += 1;
      return null;
    }
    const outcome = await runCase(given, app, root);
    take(count, outcome, sweep);
    return outcome;
  };
  const pairs = sweep.stories.flatMap((story) =>
    sweep.policies.map((policy) => ({ story, policy, speed: sweep.speed })),
  );
  if (sweep.at) await queue.addAll(pairs.map((pair) => () => play({ ...pair, first: sweep.at, again: sweep.again })));
  else {
    const lives = await queue.addAll(pairs.map((pair) => () => play({ ...pair, first: null, again: null })));
    await queue.addAll(casesOf(sweep, lives).map((given) => () => play(given)));
  }
  clearInterval(reported);
  if (count.failed.length === 0) rmSync(root, { recursive: true, force: true });
  return { ...count, tookMs: performance.now() - began, cpuSeconds: cpuSeconds() };
}

/** Commit by commit over all stories, so that a sweep that ends early has covered a part of each. */
function casesOf(sweep: Sweep, lives: readonly (Outcome | null)[]): readonly Case[] {
  const { stories, policies, moments, inTurns, every, from, speed } = sweep;
  const commitsOf = (story: Story): number =>
    Math.max(0, ...lives.map((life) => (life?.given.story === story ? life.commits : 0)));
  const longest = Math.max(0, ...stories.map(commitsOf));
  const cases: Case[] = [];
  for (let commit = from; commit <= longest; commit += every)
    for (const story of stories.filter((each) => commit <= commitsOf(each)))
      for (const [at, policy] of policies.entries())
        for (const when of inTurns ? [moments[(commit + at) % moments.length] ?? "before"] : moments) {
          const first = { commit, when };
          cases.push({ story, policy, speed, first, again: againAt(first, moments) });
        }
  return cases;
}

function take(count: Count, outcome: Outcome, { say }: Sweep): void {
  const { given, problems, late, deaths, writes, diedAt, dir } = outcome;
  count.runs += 1;
  count.deaths += deaths;
  count.writes += writes;
  if (given.first && deaths === 0) count.outlived += 1;
  for (const kind of diedAt) count.diedAt.set(kind, (count.diedAt.get(kind) ?? 0) + 1);
  if (problems.length === 0 && late.length > 0) {
    count.late.push(outcome);
    say(`late ${nameOf(given)}: ${late[0] ?? ""}; replay: ${replayOf(given)}`);
  }
  if (problems.length === 0) return;
  count.failed.push(outcome);
  say(`FAILED ${nameOf(given)}`);
  for (const problem of problems.slice(0, 10)) say(`  ${problem}`);
  say(`  kept: ${dir}`);
  say(`  replay: ${replayOf(given)}`);
}

function progress(
  { say }: Sweep,
  queue: PQueue,
  { count, began }: { readonly count: Count; readonly began: number },
): NodeJS.Timeout {
  return setInterval(() => {
    const left = queue.size + queue.pending;
    const seconds = (performance.now() - began) / 1_000;
    const eta = count.runs === 0 ? "?" : `${Math.round((seconds / count.runs) * left)} s`;
    say(
      `${count.runs} runs, ${count.deaths} deaths, ${count.failed.length} failed, ${count.late.length} late; ${left} left, about ${eta}; ${(cpuSeconds() / Math.max(1, count.runs)).toFixed(1)} CPU s a run`,
    );
  }, SAY_EVERY_MS).unref();
}

/** Of this process and its ended children, if the system reports it. */
function cpuSeconds(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  } catch {
    return NaN;
  }
}
