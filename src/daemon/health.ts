/**
 * The agent's health, for the container and for people. Dead: the decision loop has stalled, and a restart would help.
 * Degraded: it runs and manages its positions, but something keeps it from working fully; a restart would not help.
 * Healthy: neither.
 */
import { causeText } from "../causes/cause-watch.ts";
import type { Cause } from "../causes/cause.ts";

/** What `/health` and `ballast status --health` report. */
export interface Health {
  readonly state: "healthy" | "degraded" | "dead";
  /** False only when dead; the container acts on it. */
  readonly ok: boolean;
  /** One sentence, starting with the cause. */
  readonly reason: string;
  /** Causes that need a person. A strict check fails if there is one. */
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
