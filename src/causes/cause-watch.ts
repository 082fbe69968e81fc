/**
 * The present causes, each with the time since when it exists, and a log line when one begins or ends. A cause that
 * disappears before the next check is a blip, and is logged elsewhere.
 */
import type { Log } from "../core/log.ts";
import type { Cause, CauseFacts } from "./cause.ts";
import { causesOf, type Dated } from "./causes.ts";

export interface CauseWatch {
  /** In order, the most serious first. */
  now(): readonly Cause[];
  /** Called repeatedly: logs what began and what ended since the last call. */
  look(): void;
}

/** Milliseconds between checks. */
export const CAUSE_LOOK_MS = 2_000;

/** Only `facts` is called, at every check. */
export function createCauseWatch(facts: () => CauseFacts, log: Log): CauseWatch {
  let since: ReadonlyMap<string, number> = new Map();
  let seen: ReadonlyMap<string, Dated> = new Map();
  const reported = new Map<string, Dated>();
  const now = (): readonly Dated[] => {
    const causes = causesOf(facts(), since);
    since = new Map(causes.map(({ key, sinceMs }) => [key, sinceMs]));
    return causes;
  };
  return {
    now: () =>
      now().map(({ part, severity, sentence, next, sinceMs }) => ({ part, severity, sentence, next, sinceMs })),
    look: () => {
      const present = new Map(now().flatMap((cause) => (cause.severity === "notice" ? [] : [[cause.key, cause]])));
      for (const [key, cause] of present) if (seen.has(key) && !reported.has(key)) report(reported, cause, log);
      for (const [key, cause] of reported) if (!present.has(key)) reportEnd(reported, cause, log);
      seen = present;
    },
  };
}

function report(reported: Map<string, Dated>, cause: Dated, log: Log): void {
  reported.set(cause.key, cause);
  const { part, severity, sentence, next } = cause;
  const level = severity === "alarm" ? "error" : "warn";
  log.event(level, "cause.began", causeText(cause), { part, severity, sentence, next });
}

function reportEnd(reported: Map<string, Dated>, { key, part, sentence }: Dated, log: Log): void {
  reported.delete(key);
  log.event("info", "cause.ended", `${part}: over: ${sentence}`, { part });
}

/** One line: the part, the cause, and what to do about it. */
export const causeText = ({ part, sentence, next }: Pick<Cause, "part" | "sentence" | "next">): string =>
  `${part}: ${sentence}${next === "" ? "" : `; ${next}`}`;
