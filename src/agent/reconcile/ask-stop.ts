/** A stop that may be over without a push that reported so: the list that would show it is read too seldom. Faults U1, V6. */
import type { At } from "../contract/effects.ts";
import type { HeldPosition } from "../positions/held-position.ts";

/** Its turns are scarce, and what a list and several fills report is one event. */
const ASKED_EVERY_MS = 12_000;

/** Asks for it by its id, where one is known and was not asked for a moment ago. */
export function askStop(held: HeldPosition, { nowMs, out }: At): void {
  const { key, algoOrderId } = held;
  if (algoOrderId === null || nowMs - held.stopAskedMs < ASKED_EVERY_MS) return;
  held.stopAskedMs = nowMs;
  out.ask({ kind: "read-algo", leg: key, algoOrderId });
}
