/** Carries out the events of a plan, each at its time. */
import { damaged, filesOf } from "./damage.ts";
import type { PlanEvent, Plan } from "./plan.ts";
import { die, restart, type Run } from "./running.ts";

/** How long a slow disk holds up one commit after the other. Fault D9. */
const STALLS_MS = [700, 2_500, 5_000] as const;

export function schedule(run: Run, event: PlanEvent): void {
  const { clock } = run.harness;
  const at = (atMs: number, work: () => void): void => void clock.after(atMs, () => whenFree(run, work));
  const { unrestMs } = run.plan;
  switch (event.what) {
    case "fault":
      return void clock.after(event.atMs, () => strike(run, event));
    case "kill":
      return at(event.atMs, () => die(run, event.downMs));
    case "restart":
      return at(event.atMs, () => void restart(run, event.downMs));
    case "freeze":
      return at(event.atMs, () => freeze(run, Math.min(event.forMs, unrestMs - event.atMs)));
    case "step":
      return void clock.after(event.atMs, () => {
        run.harness.stepWall(event.byMs);
        run.wrongMs += event.byMs;
        run.wrongByMs = Math.max(run.wrongByMs, Math.abs(run.wrongMs));
      });
    case "disk":
      return troubleDisk(run, event);
    case "operator":
      return at(event.atMs, () => run.agentRun?.operator(event.command));
    case "reset":
      return void clock.after(event.atMs, () => reset(run));
    case "damage":
      return at(event.atMs, () => damage(run, event));
    case "throw":
      return at(event.atMs, () => plantException(run, event));
    case "crash":
      return;
  }
}

function troubleDisk(run: Run, { atMs, forMs, trouble }: Extract<PlanEvent, { what: "disk" }>): void {
  const { clock } = run.harness;
  const endMs = Math.min(atMs + forMs, run.plan.unrestMs);
  const beganMs = clock.nowMs();
  if (trouble !== "slow") run.unwritten.push({ fromMs: beganMs + atMs, toMs: beganMs + endMs });
  clock.after(atMs, () => {
    run.diskTrouble = trouble;
    run.faults += 1;
  });
  clock.after(endMs, () => {
    run.diskTrouble = null;
  });
}

/** Signals and the like reach a process between two of its callbacks, and not while it waits for its disk. */
function whenFree(run: Run, work: () => void): void {
  if (run.stalled) run.stalled.push(work);
  else work();
}

function strike(run: Run, { name, params, atMs, forMs }: Extract<PlanEvent, { what: "fault" }>): void {
  const { plan, harness } = run;
  run.faults += 1;
  const lasts = Math.max(1, Math.min(forMs, plan.unrestMs - atMs));
  const fromMs = harness.clock.nowMs() + lasts;
  if (name === "rate-limit-burst") run.bound.push({ fromMs, toMs: fromMs + Number(params["retryAfterSec"]) * 1_000 });
  // A request sent just before the fault ends is delayed as long.
  if (name === "rest-delay")
    run.bound.push({ fromMs, toMs: fromMs + Number(params["beforeMs"]) + Number(params["afterMs"]) });
  harness
    .control("POST", "/control/faults", { name, params: inMode({ name, params }, plan), for: `${lasts}ms` })
    .catch((cause: unknown) => run.violations.push({ id: "harness", what: String(cause) }));
}

function reset({ harness, plan, violations }: Run): void {
  harness
    .control("POST", "/control/phase", { phase: plan.phase })
    .catch((cause: unknown) => violations.push({ id: "harness", what: String(cause) }));
}

const inMode = ({ name, params }: { name: string; params: Readonly<Record<string, unknown>> }, plan: Plan) =>
  name === "external-order" && plan.mode === "NET" ? { ...params, positionSide: "NONE" } : params;

function freeze(run: Run, forMs: number): void {
  const { agentRun } = run;
  if (!agentRun) return;
  run.faults += 1;
  agentRun.freeze();
  standStill(run, forMs);
  thawAfter(run, forMs);
}

function standStill(run: Run, forMs: number): void {
  const fromMs = run.harness.clock.nowMs();
  run.frozen.push({ fromMs, toMs: fromMs + forMs });
  run.frozenUntilMs = Math.max(run.frozenUntilMs, fromMs + forMs);
}

function thawAfter(run: Run, ms: number): void {
  const { agentRun, harness } = run;
  const { clock } = harness;
  clock.after(ms, () => {
    if (!run.stalled && clock.nowMs() >= run.frozenUntilMs) agentRun?.unfreeze();
  });
}

/**
 * In the middle of a commit time passes, for the venue and for everybody but this process, which goes on afterwards with
 * what it knew before. Faults D9, P6.
 */
export function stall(run: Run): void {
  const { agentRun, harness } = run;
  if (!agentRun?.alive() || run.stalled) return;
  const forMs = STALLS_MS[run.frozen.length % STALLS_MS.length] ?? 1_000;
  const waiting: (() => void)[] = [];
  run.stalled = waiting;
  agentRun.freeze();
  standStill(run, forMs);
  harness.clock.advanceSync(forMs);
  run.stalled = null;
  thawAfter(run, Math.max(0, run.frozenUntilMs - harness.clock.nowMs()));
  for (const work of waiting) harness.clock.after(0, () => whenFree(run, work));
}

function damage(run: Run, { damage: how, downMs }: Extract<PlanEvent, { what: "damage" }>): void {
  if (!run.agentRun) return;
  run.faults += 1;
  const { dataDir } = run.harness;
  const files = filesOf(dataDir);
  die(run, downMs);
  const loss = damaged(dataDir, files, how);
  if (loss) run.losses.push(loss);
}

function plantException(run: Run, { callback, downMs }: Extract<PlanEvent, { what: "throw" }>): void {
  const { agentRun } = run;
  if (!agentRun) return;
  run.faults += 1;
  run.startled = { agentRun, callback, downMs };
  agentRun.plantException(callback);
}
