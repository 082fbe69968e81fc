/**
 * Starts that follow each other too fast are slowed down by a note on disk that outlives the process: a crash loop must
 * not become a storm of logins, requests and model calls. A clean stop, or a minute of life, ends it. Spec: fault P8.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { readSmall, writeSmall } from "./small-file.ts";

/** "stable": it has lived for a minute. "clean": it was stopped as asked. */
type Stage = "starting" | "stable" | "clean";

/** What `boot.json` holds; `startedAtMs` is wall time, epoch ms. */
export interface StartNote {
  readonly stage: Stage;
  readonly startedAtMs: number;
  /** Starts in a row, including this one, none of which lived for a minute or was stopped. */
  readonly badStarts: number;
}

/** Read off the note of the run before, once at a start. */
export interface StartPlan {
  /** How long to wait before the venue is touched. Zero for a first start, and for any that comes late enough. */
  readonly waitMs: number;
  /** Runs that ended badly in a row before this one. */
  readonly crashes: number;
}

/** A run that has lived this long is not part of a crash loop. */
export const STABLE_AFTER_MS = 60_000;
/** The minimum between two starts, which also keeps logins of successive runs a second apart. */
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** From the start of the run before to the start of this one: 1 s, 1 s, 2 s, 4 s, ... 60 s. */
const spacingMs = (crashes: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, crashes - 1));

/** What the note of the previous run means for this start. Pure. */
export function planStart(before: StartNote | null, nowMs: number): StartPlan {
  if (!before) return { waitMs: 0, crashes: 0 };
  const crashes = before.stage === "clean" ? 0 : before.stage === "stable" ? 1 : before.badStarts;
  const sinceMs = nowMs - before.startedAtMs;
  // A clock that was set back does not show how long ago that was.
  const waitMs = sinceMs < 0 ? spacingMs(crashes) : Math.max(0, spacingMs(crashes) - sinceMs);
  return { waitMs, crashes };
}

/** `stable` after a minute of life, `clean` after an ordered stop; neither does anything before `begin`. */
export interface Starts {
  readonly plan: StartPlan;
  /** Call it when the wait is over. Throws when the disk does. */
  begin(nowMs: number): void;
  stable(): void;
  clean(): void;
}

const isNote = (value: unknown): value is StartNote => {
  const { stage, startedAtMs, badStarts } = (value ?? {}) as Partial<Record<keyof StartNote, unknown>>;
  return (
    (stage === "starting" || stage === "stable" || stage === "clean") &&
    Number.isFinite(startedAtMs) &&
    Number.isFinite(badStarts)
  );
};

export const startNotePath = (dataDir: string): string => path.join(dataDir, "boot.json");

/** The notes of a data folder. A note that cannot be read counts as none. */
export function startsOf(dataDir: string, nowMs: number): Starts {
  const file = startNotePath(dataDir);
  const found = readSmall(file);
  const plan = planStart(isNote(found) ? found : null, nowMs);
  let note: StartNote | null = null;
  const write = (next: StartNote): void => {
    note = next;
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeSmall(file, next, { synced: true });
  };
  const enter = (stage: Stage): void => {
    if (note && note.stage !== "clean") write({ ...note, stage });
  };
  return {
    plan,
    begin: (atMs) => write({ stage: "starting", startedAtMs: atMs, badStarts: plan.crashes + 1 }),
    stable: () => enter("stable"),
    clean: () => enter("clean"),
  };
}
