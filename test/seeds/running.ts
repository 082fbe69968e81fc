/** What one run of a seed changes, and the supervisor that buries what is dead and starts it again. */
import { openSqliteReader } from "../../src/journal/sqlite.ts";
import type { CrashToken } from "../../src/harness/crash.ts";
import { type CallbackClass, PlantedException } from "../../src/harness/crashable-process.ts";
import type { AgentRun, Harness } from "../../src/harness/harness.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import type { Loss } from "./damage.ts";
import type { Span, Violation } from "./judge.ts";
import type { PlanEvent, Plan } from "./plan.ts";
import type { Restless } from "./restless.ts";
import type { DiskTrouble } from "./troubled-disk.ts";

export const SLICE_MS = 250;
const BROKEN_DISK = "the disk is broken";

type Crash = Extract<PlanEvent, { what: "crash" }>;

/** Everything that one run changes. */
export interface Run {
  readonly plan: Plan;
  readonly harness: Harness;
  readonly unruly: Restless;
  agentRun: AgentRun | null;
  /** On its way down in good order. */
  stopping: AgentRun | null;
  lives: number;
  /** No life that begins from here on is to die. */
  calm: boolean;
  /** The token of the running life. */
  token: { append: number; when: CrashToken["when"] } | null;
  bootAtMs: number;
  downMs: number;
  diskTrouble: DiskTrouble | null;
  /** Not null while the process waits for its disk: what happens to it meanwhile, to be done when it goes on. */
  stalled: (() => void)[] | null;
  frozenUntilMs: number;
  readonly frozen: Span[];
  /** When, after such a fault, the agent may still wait: reported so by the last refusal, or for the last answer. Faults R4, R6. */
  readonly bound: Span[];
  /** When its disk took no rows. */
  readonly unwritten: Span[];
  /** A callback of that class is to throw, or has. */
  startled: { readonly agentRun: AgentRun; readonly callback: CallbackClass; readonly downMs: number } | null;
  /** Rows that the disk had and lost. */
  readonly losses: Loss[];
  wrongMs: number;
  wrongByMs: number;
  faults: number;
  deaths: number;
  readonly violations: Violation[];
}

export const newRun = (plan: Plan, harness: Harness, unruly: Restless): Run => ({
  ...{
    plan,
    harness,
    unruly,
    agentRun: null,
    stopping: null,
    lives: 0,
    calm: false,
    token: null,
    bootAtMs: 0,
    downMs: 500,
  },
  ...{
    diskTrouble: null,
    stalled: null,
    frozenUntilMs: 0,
    frozen: [],
    bound: [],
    unwritten: [],
    startled: null,
    losses: [],
  },
  ...{ wrongMs: 0, wrongByMs: 0, faults: 0, deaths: 0, violations: [] },
});

export function die(run: Run, downMs: number): void {
  if (!run.agentRun) return;
  run.deaths += 1;
  run.agentRun.kill();
  down(run, downMs);
}

function down(run: Run, downMs: number): void {
  run.agentRun = null;
  run.bootAtMs = run.harness.clock.nowMs() + downMs;
}

/** Comes down in good order, and is started again after a while. */
export function restart(run: Run, downMs: number, reason = "a restart"): Promise<void> {
  const { agentRun } = run;
  if (!agentRun) return Promise.resolve();
  run.agentRun = null;
  run.stopping = agentRun;
  return agentRun
    .stop(reason)
    .catch((cause: unknown) => {
      // What a callback throws on the way down ends the process sooner; the next start takes over. Fault P7.
      if (agentRun.alive() && !(cause instanceof PlantedException))
        run.violations.push({ id: "stop", what: String(cause) });
    })
    .then(() => {
      agentRun.kill();
      run.stopping = null;
      down(run, downMs);
    });
}

const crashOf = (run: Run, life: number): Crash | undefined =>
  run.plan.events.find((each): each is Crash => each.what === "crash" && each.life === life);

/** Lets time pass and plays the supervisor: what is dead is buried and, after a while, started again. */
export async function live(run: Run, ms: number): Promise<void> {
  const { clock } = run.harness;
  const untilMs = clock.nowMs() + ms;
  while (clock.nowMs() < untilMs) {
    await supervise(run);
    await clock.advance(Math.min(SLICE_MS, untilMs - clock.nowMs()));
  }
}

async function supervise(run: Run): Promise<void> {
  const { agentRun, stopping } = run;
  if (stopping && !stopping.alive()) {
    stopping.kill();
    run.stopping = null;
    down(run, run.downMs);
  }
  if (agentRun && !agentRun.alive()) die(run, run.downMs);
  else if (agentRun && agentRun.fatal() !== null) ended(run, agentRun.fatal());
  if (run.agentRun || run.stopping || run.harness.clock.nowMs() < run.bootAtMs) return;
  const crash = run.calm ? undefined : crashOf(run, run.lives++);
  run.token = crash ? { ...crash.token } : null;
  run.downMs = crash?.downMs ?? 500;
  const begun = await run.harness.start(run.token ?? undefined);
  if (begun.ok) run.agentRun = begun.value;
  else {
    run.deaths += 1;
    down(run, run.downMs);
  }
}

/** What a process does that met what it cannot go on with. */
function ended(run: Run, cause: unknown): void {
  if (cause instanceof PlantedException) {
    run.deaths += 1;
    const sinceMs = run.harness.clock.nowMs();
    const downMs = run.startled?.downMs ?? 500;
    void restart(run, downMs, cause.message).then(() => reasonIsDurable(run, cause.message, sinceMs));
    return;
  }
  const what = messageOf(cause);
  // Nothing can be written down any more: to end is what it ought to do. Fault D2.
  if (!what.includes(BROKEN_DISK)) run.violations.push({ id: "fatal", what });
  die(run, 1_000);
}

/** The reason of the end is the last row; a disk that took no rows since, or a second death on the way down, excuses. Fault P7. */
function reasonIsDurable(run: Run, reason: string, sinceMs: number): void {
  if (run.diskTrouble !== null || run.unwritten.some(({ toMs }) => toMs >= sinceMs) || run.token !== null) return;
  const db = openSqliteReader(journalPath(run.harness.dataDir));
  const last = db.get("SELECT kind, body FROM rows ORDER BY seq DESC LIMIT 1");
  db.close();
  if (last?.["kind"] !== "stop" || !String(last["body"]).includes(reason))
    run.violations.push({ id: "P7", what: `after ${reason}, the last row is ${JSON.stringify(last)}` });
}

export const messageOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message).split("\n").slice(0, 4).join(" ") : String(cause);
