/**
 * Stops that protect nothing: those that may have outlived their position, and a second one beside a safer one. The
 * venue cancels the former with the position and reports it; if no report arrives, the agent cancels the stop by id,
 * because the list that would show it may be read too seldom. Fault V6; invariant I9.
 */
import { READS_LAG_MS, SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { BoundedMap } from "../../core/bounded.ts";
import { isOver } from "../books/amending.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { Sent } from "../contract/events.ts";
import type { Positions } from "../positions/positions.ts";

const KNOWN_CAP = 200;

interface Due {
  readonly atMs: number;
  /** The position that may come back; null when none is awaited. */
  readonly positionKey: string | null;
}

/** By the venue's algo order id. Only `cancel` and `look` request an end; the others record reports. */
export interface OrphanStops {
  /** A position went flat while its stop stood, or a cancel may not have arrived. */
  left(algoOrderId: string, nowMs: number): void;
  /** All that is known is that a list lacked its position, which may come back. */
  missed(algoOrderId: string, positionKey: string, nowMs: number): void;
  /** One that stands, though a list lacked that position; null when there is none. */
  awaiting(positionKey: string): string | null;
  /** The reply to such a request. */
  answered(algoOrderId: string, sent: Sent<void>, nowMs: number): void;
  /** It has ended. True if that was awaited. */
  ended(algoOrderId: string): boolean;
  /** Asks for its end now, unless that was asked for a moment ago. */
  cancel(algoOrderId: string, at: At): void;
  /** Cancels those without a report, unless they protect a held position. */
  look(nowMs: number, positions: Positions, out: Outbox): void;
}

/** `spreadMs`: between two requests to end one of them. `stops`: those that the previous run was waiting for. */
export function createOrphanStops(spreadMs: number, stops: readonly string[] = [], startMs = 0): OrphanStops {
  const due = new BoundedMap<string, Due>(KNOWN_CAP);
  const askedMs = new BoundedMap<string, number>(KNOWN_CAP);
  const unheard = new BoundedMap<string, true>(KNOWN_CAP);
  const ask = (algoOrderId: string, nowMs: number, out: Outbox): void => {
    due.delete(algoOrderId);
    askedMs.set(algoOrderId, nowMs);
    out.ask({ kind: "cancel-algo", algoOrderId });
  };
  const wait = (algoOrderId: string, atMs: number): void => due.set(algoOrderId, { atMs, positionKey: null });
  const left = (algoOrderId: string, nowMs: number): void => wait(algoOrderId, nowMs + SHOWN_WITHIN_MS);
  for (const stop of stops) left(stop, startMs);
  return {
    left,
    answered: (algoOrderId, sent, nowMs) => {
      if (sent.kind === "done" || (sent.kind === "rejected" && isOver(sent))) return void unheard.delete(algoOrderId);
      // It did not arrive, or that is unknown, or the venue accepts none now: repeated unless its end is reported
      // before.
      if (sent.kind === "rate-limited") return wait(algoOrderId, Math.max(nowMs, sent.retryAtMs));
      wait(algoOrderId, nowMs + (unheard.has(algoOrderId) ? spreadMs : SHOWN_WITHIN_MS));
      unheard.set(algoOrderId, true);
    },
    missed: (algoOrderId, positionKey, nowMs) => {
      if (!due.has(algoOrderId)) due.set(algoOrderId, { atMs: nowMs + READS_LAG_MS, positionKey });
    },
    awaiting: (positionKey) =>
      [...due.entries()].find(([, { positionKey: awaited }]) => awaited === positionKey)?.[0] ?? null,
    ended: (algoOrderId) => due.delete(algoOrderId),
    cancel: (algoOrderId, { nowMs, out }) => {
      if (nowMs - (askedMs.get(algoOrderId) ?? -Infinity) >= SHOWN_WITHIN_MS) ask(algoOrderId, nowMs, out);
    },
    look: (nowMs, positions, out) => {
      for (const [algoOrderId, { atMs, positionKey: awaited }] of [...due.entries()]) {
        const back = awaited === null ? undefined : positions.get(awaited);
        if (awaited !== null && !positions.listed()) continue;
        if (nowMs < atMs) {
          // A fill or a refusal has reported meanwhile that the position is over: only the venue's own report of its stop is awaited,
          // which a healthy venue has shown some time after that end.
          if (awaited !== null && !back && !positions.mayCome(awaited, nowMs)) {
            const overMs = positions.lastClosedMs(awaited) ?? nowMs;
            due.set(algoOrderId, { atMs: Math.min(atMs, overMs + SHOWN_WITHIN_MS), positionKey: null });
          }
          continue;
        }
        due.delete(algoOrderId);
        if (positions.all().some((held) => held.algoOrderId === algoOrderId)) continue;
        // Its position is there again and has no stop that is reported: it may be this one.
        if (back && back.protection !== "live") {
          due.set(algoOrderId, { atMs: nowMs + SHOWN_WITHIN_MS, positionKey: awaited });
          continue;
        }
        positions.stopEnded(algoOrderId, nowMs);
        ask(algoOrderId, nowMs, out);
      }
    },
  };
}
