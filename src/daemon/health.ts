/**
 * How the agent is, for the container and for people. Dead: the decision loop has stalled, so the process is better off
 * started again. Degraded: it lives and manages what is held, but something keeps it from working in full; a restart
 * would not help. Healthy: neither.
 */
import { causeText } from "../causes/cause-watch.ts";
import type { Cause } from "../causes/cause.ts";

/** What `/health` and `ballast status --health` report. */
export interface Health {
  readonly state: "healthy" | "degraded" | "dead";
  /** False only when dead: what the container goes by. */
  readonly ok: boolean;
  /** One sentence, the cause first. */
  readonly reason: string;
  /** Causes that somebody must look at. A strict check fails when there is one. */
  readonly alarms: number;
  readonly causes: readonly Cause[];
}

/** The decision loop counts as alive this long after its last tick. */
const ALIVE_MS = 15_000;

/** `sinceTickMs` in real milliseconds. */
export function healthOf(causes: readonly Cause[], sinceTickMs: number): Health {
  const ticked = `the decision loop last ticked ${Math.round(sinceTickMs)} ms ago`;
  const alarms = causes.filter(({ severity }) => severity === "alarm").length;
  if (sinceTickMs >= ALIVE_MS) return { state: "dead", ok: false, reason: ticked, alarms: alarms + 1, causes };
  const grave = causes.filter(({ severity }) => severity !== "notice");
  const reason = [...grave.map(causeText), ticked].join("; ");
  return { state: grave.length === 0 ? "healthy" : "degraded", ok: true, reason, alarms, causes };
}
