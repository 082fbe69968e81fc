/**
 * Stops that protect nothing: those that may have outlived their position, and a second one beside a safer one. The venue
 * takes the former away with the position, and tells so; one of which nothing is heard is cancelled by name, because the
 * list that would show it may be read too seldom. Fault V6; invariant I9.
 */
import { BoundedMap } from "../core/bounded.ts";
import type { Outbox } from "./events.ts";

/** The venue's own word about a stop comes within this time. */
const WORD_WITHIN_MS = 6_000;
const KNOWN_CAP = 200;

export interface OrphanStops {
  /** A leg is flat whose stop stood, or a cancel may not have arrived. */
  left(algoOrderId: string, nowMs: number): void;
  /** It has ended. */
  ended(algoOrderId: string): void;
  /** Asks for its end now, unless that was asked for a moment ago. */
  cancel(algoOrderId: string, at: { readonly nowMs: number; readonly out: Outbox }): void;
  /** Asks for the end of those of which nothing was heard. */
  look(nowMs: number, out: Outbox): void;
}

export function createOrphanStops(): OrphanStops {
  const sinceMs = new BoundedMap<string, number>(KNOWN_CAP);
  const askedMs = new BoundedMap<string, number>(KNOWN_CAP);
  const ask = (algoOrderId: string, nowMs: number, out: Outbox): void => {
    sinceMs.delete(algoOrderId);
    askedMs.set(algoOrderId, nowMs);
    out.ask({ kind: "cancel-algo", algoOrderId });
  };
  return {
    left: (algoOrderId, nowMs) => sinceMs.set(algoOrderId, nowMs),
    ended: (algoOrderId) => void sinceMs.delete(algoOrderId),
    cancel: (algoOrderId, { nowMs, out }) => {
      if (nowMs - (askedMs.get(algoOrderId) ?? -Infinity) >= WORD_WITHIN_MS) ask(algoOrderId, nowMs, out);
    },
    look: (nowMs, out) => {
      for (const [algoOrderId, leftMs] of [...sinceMs.entries()])
        if (nowMs - leftMs >= WORD_WITHIN_MS) ask(algoOrderId, nowMs, out);
    },
  };
}
