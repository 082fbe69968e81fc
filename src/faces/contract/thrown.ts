/**
 * Turns an exception inside a call into a failure. Once a write has been sent, an exception says nothing about its
 * fate.
 */
import { err } from "../../core/result.ts";
import type { Answer, Call } from "./capability.ts";
import { UnfitDocument } from "./stored-body.ts";
import { blocked, type Failure, failure } from "./statuses.ts";

/** BLOCKED 26006 if other commands hold the store for too long; always NOT_VERIFIED once a write has been sent. */
export function thrownFailure(error: unknown, left = false): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const busy = /database is locked|SQLITE_BUSY/.test(message);
  const description = busy ? "STORE_BUSY: other commands hold the state folder" : `unexpected: ${message}`;
  if (left) {
    const hint = "the write may have happened: look it up by its id; do not send it again";
    return failure("NOT_VERIFIED", "23002", `the write was sent, then ${description}`, { details: { hint } });
  }
  if (error instanceof UnfitDocument) return failure("FAIL", "00001", message);
  if (!busy) return failure("FAIL", "00001", description);
  const hint = "check the current state before you try again";
  return blocked("26006", `${description}; try again`, { details: { hint } });
}

/** The answer of `work`, or its exception as a failure. */
export async function caught({ seen }: Pick<Call, "seen">, work: () => Answer): Answer {
  try {
    return await work();
  } catch (error) {
    return err(thrownFailure(error, seen.left));
  }
}
