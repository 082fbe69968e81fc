/** What breaks inside a call, as a failure. After a write has left nothing that breaks here says what became of it. */
import { err } from "../../core/result.ts";
import type { Answer, Call } from "./capability.ts";
import { blocked, type Failure, failure } from "./statuses.ts";

/** BLOCKED 26006 for a store that other commands hold for too long; NOT_VERIFIED, whatever broke, once a write has left. */
export function thrownFailure(error: unknown, left = false): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const busy = /database is locked|SQLITE_BUSY/.test(message);
  const reported = busy ? "STORE_BUSY: other commands hold the state folder" : `unexpected: ${message}`;
  if (left) {
    const hint = "the write may have happened: look it up by its id; do not send it again";
    return failure("NOT_VERIFIED", "23002", `the write left, then ${reported}`, { details: { hint } });
  }
  if (!busy) return failure("FAIL", "00001", reported);
  const hint = "look at the state of things before you try again";
  return blocked("26006", `${reported}; try again`, { details: { hint } });
}

/** The answer of `work`, or what it throws as a failure. */
export async function caught({ seen }: Pick<Call, "seen">, work: () => Answer): Answer {
  try {
    return await work();
  } catch (error) {
    return err(thrownFailure(error, seen.left));
  }
}
