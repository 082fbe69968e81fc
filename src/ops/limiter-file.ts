/**
 * The windows of the rate limits, kept on disk so that a restart does not forget what the last run sent. They are written
 * before each request may leave, so that a kill at any moment leaves a file that counts it. Spec: invariant I10.
 */
import path from "node:path";
import { areLaneStates } from "../net/lane-state.ts";
import type { LimiterState, RateLimiter } from "../net/rate-limit.ts";
import { readSmall, writeSmall } from "./small-file.ts";

/** Only for the real service: the embedded venue's limits end with its process. */
export const limiterPath = (dataDir: string): string => path.join(dataDir, "limits.json");

export interface LimiterFileOptions {
  readonly file: string;
  /** The time now, on the limiter's clock. */
  readonly nowMs: number;
  /** Called when the disk refuses a write; logged once until a write succeeds again. */
  readonly onTrouble: (reason: string) => void;
}

/** No service asks for a longer pause. A clock that ran ahead in an earlier run must not silence this one for hours. */
const LONGEST_PAUSE_MS = 10 * 60_000;

const believable = (state: LimiterState, nowMs: number): LimiterState =>
  Object.fromEntries(
    Object.entries(state).map(([key, lane]) => [
      key,
      { ...lane, pausedUntilMs: Math.min(lane.pausedUntilMs, nowMs + LONGEST_PAUSE_MS) },
    ]),
  );

/** The limiter with the windows of earlier runs. Every slot is written down before it is given out. */
export function persistentLimiter(inner: RateLimiter, kept: LimiterFileOptions): RateLimiter {
  const { file, onTrouble } = kept;
  const found = readSmall(file);
  if (areLaneStates(found)) inner.restore(believable(found, kept.nowMs));
  let troubled = false;
  const save = (synced: boolean): void => {
    try {
      writeSmall(file, inner.snapshot(), { synced });
      troubled = false;
    } catch (cause) {
      // A full disk must not stop exits; the journal's own rows show what was sent.
      if (!troubled) onTrouble(cause instanceof Error ? cause.message : String(cause));
      troubled = true;
    }
  };
  return {
    take: async (key, limit, target) => {
      const slot = await inner.take(key, limit, target);
      if (!slot.ok) return slot;
      // Not waited for: after a power cut more time has passed than the longest window lasts.
      save(false);
      return {
        ...slot,
        value: {
          arrived: () => {
            slot.value.arrived();
            save(false);
          },
        },
      };
    },
    ready: (key, limit, target) => inner.ready(key, limit, target),
    pause: (key, untilMs) => {
      inner.pause(key, untilMs);
      // What the service asked for lasts longer than a machine takes to start.
      save(true);
    },
    refused: (key, untilMs) => {
      const tightened = inner.refused(key, untilMs);
      save(true);
      return tightened;
    },
    tightened: () => inner.tightened(),
    snapshot: () => inner.snapshot(),
    restore: (state) => inner.restore(state),
  };
}
