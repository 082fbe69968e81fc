/**
 * Stops that stood when the run before ended, by its last word. The list of stops is scarce enough for a start to wait most
 * of a minute for it; until it comes they are believed to stand and asked for one by one, which has turns of its own, so
 * that nothing is protected twice, or closed, for want of a list. Their marks are watched all the while. Invariants I9, I27.
 */
import type { At } from "../contract/effects.ts";
import type { Leg, RestoredLeg } from "../legs/leg.ts";
import { LISTS_BEHIND_MS } from "../legs/leg-fills.ts";
import type { Legs } from "../legs/legs.ts";

/** A stop that the run before asked for shortly before its end. */
export interface AskedStop {
  readonly leg: string;
  readonly clientOrderId: string;
}

/** The list usually comes sooner. */
const ASKED_AFTER_MS = 2_500;
const ASKED_EVERY_MS = 12_000;
/** A whole window of the list's rate and a little: whoever knows no more by then acts as if there were none. */
const BELIEVED_MS = 55_000;

const STRAY_TURNS = 2;

interface PastStop {
  readonly algoOrderId: string;
  askedMs: number;
}

/** By `legKey`. A stop that nobody tells of is given up 55 s after the first sweep: the leg then needs another. */
export interface PastStops {
  /** Its stop is taken to stand though nobody has told so since the start. */
  believed(leg: Leg): boolean;
  /**
   * Asks for what is believed, `sinceMs` after the first sweep, and for what was placed just before the end on a leg that is
   * flat by now: it protects nothing, and the list that would show it may be most of a minute away.
   */
  ask(legs: Legs, sinceMs: number, at: At): void;
  /** The question about it brought no word, or could not leave: it does not count, and is asked again from that instant on. */
  untold(leg: string, untilMs: number): void;
  /** Its answer came, or nobody will tell any more: from now on there must be time to place another one. */
  forget(leg: Leg | undefined, nowMs: number): void;
  /** That leg is flat: whatever begins there next is another position, and has no stop of before. */
  over(key: string): void;
}

/** `restored`: legs with what stood on them; `asked`: stops placed so late that no row may tell of their fate. */
export function createPastStops(
  restored: ReadonlyMap<string, RestoredLeg>,
  asked: readonly AskedStop[] = [],
): PastStops {
  const strays = asked.map((stop) => ({ ...stop, turns: 0, askedMs: -Infinity }));
  const stops = new Map<string, PastStop>();
  for (const [key, { standingAlgoId }] of restored)
    if (standingAlgoId !== null) stops.set(key, { algoOrderId: standingAlgoId, askedMs: -Infinity });

  const believed = ({ key, protection }: Leg): boolean => protection !== "live" && stops.has(key);
  const forget = (leg: Leg | undefined, nowMs: number): void => {
    if (leg && stops.delete(leg.key) && leg.protection !== "live") leg.missedMs = nowMs;
  };
  return {
    believed,
    forget,
    over: (key) => void stops.delete(key),
    untold: (key, untilMs) => {
      const stop = stops.get(key);
      if (stop) stop.askedMs = untilMs - ASKED_EVERY_MS;
      for (const stray of strays) {
        if (stray.leg !== key || stray.turns === 0) continue;
        stray.turns -= 1;
        stray.askedMs = untilMs - LISTS_BEHIND_MS;
      }
    },
    ask: (legs, sinceMs, { nowMs, out }) => {
      if (sinceMs < ASKED_AFTER_MS) return;
      for (const stray of strays) {
        const { leg, clientOrderId } = stray;
        if (legs.get(leg) || stray.turns >= STRAY_TURNS || nowMs - stray.askedMs < LISTS_BEHIND_MS) continue;
        stray.turns += 1;
        stray.askedMs = nowMs;
        out.ask({ kind: "read-algo", leg, clientOrderId });
      }
      if (stops.size === 0) return;
      for (const leg of legs.all().filter(believed)) {
        const stop = stops.get(leg.key);
        if (sinceMs >= BELIEVED_MS) forget(leg, nowMs);
        else if (stop && nowMs - stop.askedMs >= ASKED_EVERY_MS) {
          stop.askedMs = nowMs;
          out.ask({ kind: "read-algo", leg: leg.key, algoOrderId: stop.algoOrderId });
        }
      }
    },
  };
}
