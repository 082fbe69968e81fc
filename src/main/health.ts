/**
 * How the agent is, for the container and for people. Dead: the decision loop has stalled, so the process is better off
 * started anew. Degraded: it lives and manages what is held, but something keeps it from working in full; a restart
 * would mend nothing. Healthy: neither.
 */
import type { AgentStatus } from "../agent/status.ts";

/** What `/health` and `ballast status --health` tell. */
export interface Health {
  readonly state: "healthy" | "degraded" | "dead";
  /** False only when dead: what the container goes by. */
  readonly ok: boolean;
  /** One sentence. */
  readonly reason: string;
}

/** The decision loop counts as alive this long after its last tick. */
const ALIVE_MS = 15_000;
/** An account that was not read for longer is not watched. */
const ACCOUNT_MS = 60_000;

type Seen = Pick<
  AgentStatus,
  "stage" | "streams" | "holds" | "floorState" | "floorReason" | "observing" | "accountAgeMs"
>;

/** `sinceTickMs` in real milliseconds. */
export function healthOf(status: Seen, sinceTickMs: number): Health {
  const ticked = `the decision loop last ticked ${Math.round(sinceTickMs)} ms ago`;
  if (sinceTickMs >= ALIVE_MS) return { state: "dead", ok: false, reason: ticked };
  const troubles = troublesOf(status);
  return troubles.length === 0
    ? { state: "healthy", ok: true, reason: ticked }
    : { state: "degraded", ok: true, reason: `${troubles.join("; ")}; ${ticked}` };
}

function troublesOf({
  stage,
  streams,
  holds,
  floorState,
  floorReason,
  observing,
  accountAgeMs,
}: Seen): readonly string[] {
  const down = Object.entries(streams)
    .filter(([, up]) => !up)
    .map(([name]) => name);
  const unread = accountAgeMs === null || accountAgeMs > ACCOUNT_MS;
  return [
    ...(stage === "ready" ? [] : [`it is ${stage}`]),
    ...(down.length === 0 ? [] : [`no ${down.join(", ")} stream`]),
    ...(unread ? ["the account is not read"] : []),
    ...Object.entries(holds).map(([cause, reason]) => `${cause}: ${reason}`),
    ...(floorState === "HALT" || floorState === "FLATTEN" || floorState === "HOLD"
      ? [`${floorState}: ${floorReason}`]
      : []),
    ...(observing === null ? [] : [`it only watches: ${observing}`]),
  ];
}
