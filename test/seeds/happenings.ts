/** Lets the happenings of a plan happen, each at its time. */
import { damaged, filesOf } from "./damage.ts";
import type { EventTrigger, Plan } from "./plan.ts";
import { die, restart, type Run } from "./running.ts";

/** How long a slow disk holds up one commit after the other. Fault D9. */
const STALLS_MS = [700, 2_500, 5_000] as const;

export function schedule(run: Run, eventTrigger: EventTrigger): void {
  const { clock } = run.rehearsal;
  const at = (atMs: number, work: () => void): void => void clock.after(atMs, () => whenFree(run, work));
  const { unrestMs } = run.plan;
  switch (eventTrigger.what) {
    case "fault":
      return void clock.after(eventTrigger.atMs, () => strike(run, eventTrigger));
    case "kill":
      return at(eventTrigger.atMs, () => die(run, eventTrigger.downMs));
    case "restart":
      return at(eventTrigger.atMs, () => void restart(run, eventTrigger.downMs));
    case "freeze":
      return at(eventTrigger.atMs, () => freeze(run, Math.min(eventTrigger.forMs, unrestMs - eventTrigger.atMs)));
    case "step":
      return void clock.after(eventTrigger.atMs, () => {
        run.rehearsal.stepWall(eventTrigger.byMs);
        run.wrongMs += eventTrigger.byMs;
        run.wrongByMs = Math.max(run.wrongByMs, Math.abs(run.wrongMs));
      });
    case "disk":
      return troubleDisk(run, eventTrigger);
    case "operator":
      return at(eventTrigger.atMs, () => run.boot?.operator(eventTrigger.command));
    case "damage":
      return at(eventTrigger.atMs, () => damage(run, eventTrigger));
    case "throw":
      return at(eventTrigger.atMs, () => plantException(run, eventTrigger));
    case "crash":
      return;
  }
}

function troubleDisk(run: Run, { atMs, forMs, trouble }: Extract<EventTrigger, { what: "disk" }>): void {
  const { clock } = run.rehearsal;
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

function strike(run: Run, { name, params, atMs, forMs }: Extract<EventTrigger, { what: "fault" }>): void {
  const { plan, rehearsal } = run;
  run.faults += 1;
  const lasts = Math.max(1, Math.min(forMs, plan.unrestMs - atMs));
  const fromMs = rehearsal.clock.nowMs() + lasts;
  if (name === "rate-limit-burst") run.bound.push({ fromMs, toMs: fromMs + Number(params["retryAfterSec"]) * 1_000 });
  // A request sent just before the fault ends is delayed as long.
  if (name === "rest-delay")
    run.bound.push({ fromMs, toMs: fromMs + Number(params["beforeMs"]) + Number(params["afterMs"]) });
  rehearsal
    .control("POST", "/control/faults", { name, params: inMode({ name, params }, plan), for: `${lasts}ms` })
    .catch((cause: unknown) => run.violations.push({ id: "harness", what: String(cause) }));
}

const inMode = ({ name, params }: { name: string; params: Readonly<Record<string, unknown>> }, plan: Plan) =>
  name === "external-order" && plan.mode === "NET" ? { ...params, positionSide: "NONE" } : params;

function freeze(run: Run, forMs: number): void {
  const { boot } = run;
  if (!boot) return;
  run.faults += 1;
  boot.freeze();
  standStill(run, forMs);
  thawAfter(run, forMs);
}

function standStill(run: Run, forMs: number): void {
  const fromMs = run.rehearsal.clock.nowMs();
  run.frozen.push({ fromMs, toMs: fromMs + forMs });
  run.frozenUntilMs = Math.max(run.frozenUntilMs, fromMs + forMs);
}

function thawAfter(run: Run, ms: number): void {
  const { boot, rehearsal } = run;
  const { clock } = rehearsal;
  clock.after(ms, () => {
    if (!run.stalled && clock.nowMs() >= run.frozenUntilMs) boot?.unfreeze();
  });
}

/**
 * In the middle of a commit time passes, for the venue and for everybody but this process, which goes on afterwards with
 * what it knew before. Faults D9, P6.
 */
export function stall(run: Run): void {
  const { boot, rehearsal } = run;
  if (!boot?.alive() || run.stalled) return;
  const forMs = STALLS_MS[run.frozen.length % STALLS_MS.length] ?? 1_000;
  const waiting: (() => void)[] = [];
  run.stalled = waiting;
  boot.freeze();
  standStill(run, forMs);
  rehearsal.clock.advanceSync(forMs);
  run.stalled = null;
  thawAfter(run, Math.max(0, run.frozenUntilMs - rehearsal.clock.nowMs()));
  for (const work of waiting) rehearsal.clock.after(0, () => whenFree(run, work));
}

function damage(run: Run, { damage: how, downMs }: Extract<EventTrigger, { what: "damage" }>): void {
  if (!run.boot) return;
  run.faults += 1;
  const { dataDir } = run.rehearsal;
  const files = filesOf(dataDir);
  die(run, downMs);
  const loss = damaged(dataDir, files, how);
  if (loss) run.losses.push(loss);
}

function plantException(run: Run, { callback, downMs }: Extract<EventTrigger, { what: "throw" }>): void {
  const { boot } = run;
  if (!boot) return;
  run.faults += 1;
  run.startled = { boot, callback, downMs };
  boot.plantException(callback);
}
