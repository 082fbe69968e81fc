/** A journal in a folder of its own, on a clock that moves when asked to. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { seededEntropy } from "../../src/core/entropy.ts";
import { type Env, timedIds } from "../../src/core/ids.ts";
import { virtualClock, type VirtualClock } from "../../src/core/virtual-clock.ts";

export const START_MS = Date.UTC(2026, 0, 5);

export function virtualEnv(seed = 1): Env & { readonly clock: VirtualClock } {
  const clock = virtualClock(START_MS);
  const entropy = seededEntropy(seed);
  return { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) };
}

/** A path for a journal in a new folder that is gone when the test has ended. */
export function freshJournalPath(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "journal-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "journal.db");
}
