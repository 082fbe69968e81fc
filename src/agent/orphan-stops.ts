/**
 * Stops that may have outlived their position. The venue takes them away with it, and tells so; one of which nothing is
 * heard is cancelled by name, because the list that would show it may be read too seldom. Fault V6; invariant I9.
 */
import { BoundedMap } from "../core/bounded.ts";
import type { Outbox } from "./events.ts";

/** The venue's own word about a stop comes within this time. */
const WORD_WITHIN_MS = 6_000;
const KNOWN_CAP = 200;

export interface OrphanStops {
  /** A leg is flat whose stop stood. */
  left(algoOrderId: string, nowMs: number): void;
  /** It has ended, or somebody sees to it. */
  ended(algoOrderId: string): void;
  /** Asks for the end of those of which nothing was heard. */
  look(nowMs: number, out: Outbox): void;
}

export function createOrphanStops(): OrphanStops {
  const sinceMs = new BoundedMap<string, number>(KNOWN_CAP);
  return {
    left: (algoOrderId, nowMs) => sinceMs.set(algoOrderId, nowMs),
    ended: (algoOrderId) => void sinceMs.delete(algoOrderId),
    look: (nowMs, out) => {
      for (const [algoOrderId, leftMs] of [...sinceMs.entries()]) {
        if (nowMs - leftMs < WORD_WITHIN_MS) continue;
        sinceMs.delete(algoOrderId);
        out.ask({ kind: "cancel-algo", algoOrderId });
      }
    },
  };
}
