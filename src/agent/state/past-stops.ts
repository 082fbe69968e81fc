/**
 * Stops that were live when the previous run ended, according to its journal. The rate of the list of stops is so low
 * that a start may wait most of a minute for it. Until then these stops count as live and are looked up one by one,
 * which has its own slots, so that nothing is protected twice, or closed, for want of a list. Their marks are watched
 * all the while. Invariants I9, I27.
 */
import type { At } from "../contract/effects.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import { mustShow, READS_LAG_MS, SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import type { Positions } from "../positions/positions.ts";

/** A stop that was asked for without an answer: by the run before, shortly before its end, or for a position that is over. */
export interface RequestedStop {
  readonly positionKey: string;
  readonly clientOrderId: string;
}

const ASKED_EVERY_MS = 12_000;

const LOOK_UPS_PER_REQUEST = 2;

interface PastStop {
  readonly algoOrderId: string;
  readonly stoodMs: number;
  askedMs: number;
}

/**
 * By `positionKeyOf`. A stop that nothing reports is given up `believedMs` after the first account snapshot: the position then
 * needs another.
 */
export interface PastStops {
  /** Its stop is taken to stand though nothing has confirmed it since the start. */
  unconfirmed(held: HeldPosition): boolean;
  /**
   * Asks for what is believed, `sinceMs` after the first account snapshot, and for requests without an answer whose position is flat by
   * now: such a stop protects nothing, and the list that would show it may be most of a minute away.
   */
  ask(positions: Positions, sinceMs: number, at: At): void;
  /** Its look-up had no reply, or could not be sent: it does not count, and may be repeated from that time on. */
  unanswered(positionKey: string, untilMs: number): void;
  /** A list of stops that was requested at `startedAtMs` has come: it settles all that it must show. */
  listed(positions: Positions, startedAtMs: number, nowMs: number): void;
  /** The venue knows no such stop. It proves that there is none if its look-up had to show it. */
  absent(held: HeldPosition | undefined, nowMs: number): void;
  /** Its answer came, or nobody will report any more: from now on there must be time to place another one. */
  forget(held: HeldPosition | undefined, nowMs: number): void;
  /** Its position is over, and its answer may still come. */
  outlived(stop: RequestedStop, nowMs: number): void;
  /** Its answer or another report has come; others may have been asked for there. */
  reported(clientOrderId: string): void;
  /** That position is flat: the next one there is a new position, without the earlier stops. */
  over(key: string): void;
}

interface UnansweredRequest extends RequestedStop {
  lookUps: number;
  askedMs: number;
}

/** `held`: positions of earlier runs with their stops; `asked`: stops placed so late that no row may report their outcome. */
export function createPastStops(
  held: readonly HeldPosition[],
  believedMs: number,
  asked: readonly RequestedStop[] = [],
): PastStops {
  let requests: readonly UnansweredRequest[] = asked.map((stop) => ({ ...stop, lookUps: 0, askedMs: -Infinity }));
  const stops = new Map<string, PastStop>();
  for (const { key, stood } of held)
    if (stood !== null) stops.set(key, { algoOrderId: stood.algoOrderId, stoodMs: stood.heardMs, askedMs: -Infinity });

  const unconfirmed = ({ key, protection }: HeldPosition): boolean => protection !== "live" && stops.has(key);
  const forget = (held: HeldPosition | undefined, nowMs: number): void => {
    if (held && stops.delete(held.key) && held.protection !== "live") held.missedMs = nowMs;
  };
  return {
    unconfirmed,
    forget,
    listed: (positions, startedAtMs, nowMs) => {
      for (const held of positions.all())
        if (mustShow(startedAtMs, stops.get(held.key)?.stoodMs ?? -Infinity)) forget(held, nowMs);
    },
    absent: (held, nowMs) => {
      const stop = held && stops.get(held.key);
      if (stop && mustShow(stop.askedMs, stop.stoodMs)) forget(held, nowMs);
    },
    outlived: (stop, nowMs) => {
      const asking = requests.filter(({ lookUps }) => lookUps < LOOK_UPS_PER_REQUEST);
      requests = [...asking, { ...stop, lookUps: 0, askedMs: nowMs - READS_LAG_MS + SHOWN_WITHIN_MS }];
    },
    reported: (id) => {
      requests = requests.filter(({ clientOrderId }) => clientOrderId !== id);
    },
    over: (key) => void stops.delete(key),
    unanswered: (key, untilMs) => {
      const stop = stops.get(key);
      if (stop) stop.askedMs = untilMs - ASKED_EVERY_MS;
      for (const request of requests) {
        if (request.positionKey !== key || request.lookUps === 0) continue;
        request.lookUps -= 1;
        request.askedMs = untilMs - READS_LAG_MS;
      }
    },
    ask: (positions, sinceMs, { nowMs, out }) => {
      if (sinceMs < SHOWN_WITHIN_MS) return;
      for (const request of requests) {
        const { positionKey, clientOrderId } = request;
        if (
          positions.get(positionKey) ||
          request.lookUps >= LOOK_UPS_PER_REQUEST ||
          nowMs - request.askedMs < READS_LAG_MS
        )
          continue;
        request.lookUps += 1;
        request.askedMs = nowMs;
        out.ask({ kind: "read-algo", positionKey, clientOrderId });
      }
      if (stops.size === 0) return;
      for (const held of positions.all().filter(unconfirmed)) {
        const stop = stops.get(held.key);
        if (sinceMs >= believedMs) forget(held, nowMs);
        else if (stop && nowMs - stop.askedMs >= ASKED_EVERY_MS) {
          stop.askedMs = nowMs;
          out.ask({ kind: "read-algo", positionKey: held.key, algoOrderId: stop.algoOrderId });
        }
      }
    },
  };
}
