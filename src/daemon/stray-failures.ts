/**
 * Rejections that nobody awaited. One of the program's own code ends the process, since its state may be wrong then. One of
 * an owner's file, or without a trace, says nothing about that state: positions stay protected, and a person looks. Fault P7.
 */
import type { Log } from "../core/log.ts";
import type { Running } from "./daemon-setup.ts";
import type { Feed } from "./streams.ts";

/** Where a line of a stack trace lies: a name of its own for an owner's file, a path or address for ours. */
const PLACE = /^\s*at (?:[^(]*\()?(?:async )?(.+):\d+:\d+\)?$/;
const PROGRAM = /^(?:\/|file:|[A-Za-z]:\\)/;

/** False if every frame of its stack besides Node's is the program's own. */
export function isStray(cause: unknown): boolean {
  const places = failureText(cause)
    .split("\n")
    .map((line) => PLACE.exec(line)?.[1])
    .filter((place) => place !== undefined && !place.startsWith("node:"));
  return places.length === 0 || places.some((place) => place !== undefined && !PROGRAM.test(place));
}

/** The stack, or what there is; foreign code may throw anything. */
export function failureText(cause: unknown): string {
  try {
    return String((cause as Partial<Error> | null | undefined)?.stack ?? cause);
  } catch {
    return `a thrown ${typeof cause} that has no text`;
  }
}

const REASON = "code of a strategy or source, or of unknown origin, failed outside its time limit";

/** Logs each and halts. A flattening goes on: it opens nothing either and ends in a halt. */
export const haltAtStrays =
  (log: Log, feed: Feed, status: Running["agent"]["status"], nowMs: () => number) =>
  (cause: unknown): void => {
    log.event("error", "promise.failed", failureText(cause));
    const { floorState } = status(nowMs());
    if (floorState !== "HALT" && floorState !== "FLATTEN") feed({ kind: "halt", reason: REASON });
  };
