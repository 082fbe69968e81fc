/**
 * The venue's write rates: a request waits until its window has room, and the most urgent of the waiting requests goes
 * first.
 */
import type { VirtualClock } from "../../core/virtual-clock.ts";
import { amendAlgo } from "../../protocol/trading/amend-algo.ts";
import { amendOrder } from "../../protocol/trading/amend-order.ts";
import { cancelAlgo } from "../../protocol/trading/cancel-algo.ts";
import { cancelOrder } from "../../protocol/trading/cancel-order.ts";
import { closePosition } from "../../protocol/trading/close-position.ts";
import { placeAlgo } from "../../protocol/trading/place-algo.ts";
import { placeOrder } from "../../protocol/trading/place-order.ts";

const LIMITS = {
  place: placeOrder.limit,
  replace: amendOrder.limit,
  cancel: cancelOrder.limit,
  close: closePosition.limit,
  protect: placeAlgo.limit,
  resize: amendAlgo.limit,
  clear: cancelAlgo.limit,
} as const;

export type SlotKind = keyof typeof LIMITS;

export interface WriteSlots {
  /** Calls `go` when the request may leave, with how long it waited. Lower urgency numbers go first. */
  ask(kind: SlotKind, urgency: number, go: (waitedMs: number) => void): void;
  /** Whether any request waits. */
  waiting(): boolean;
}

interface Waiting {
  readonly urgency: number;
  readonly sinceMs: number;
  readonly go: (waitedMs: number) => void;
}

interface Lane {
  readonly waiting: Waiting[];
  sentMs: number[];
  timed: boolean;
}

/** Requests that still wait when the process is killed are never sent. */
export function createWriteSlots(clock: VirtualClock, isDead: () => boolean): WriteSlots {
  const lanes = new Map<SlotKind, Lane>();
  const laneOf = (kind: SlotKind): Lane => {
    const known = lanes.get(kind) ?? { waiting: [], sentMs: [], timed: false };
    lanes.set(kind, known);
    return known;
  };
  const pump = (kind: SlotKind): void => {
    if (isDead()) return;
    const lane = laneOf(kind);
    const { requests, perMs } = LIMITS[kind];
    const nowMs = clock.nowMs();
    lane.sentMs = lane.sentMs.filter((atMs) => nowMs - atMs < perMs);
    while (lane.waiting.length > 0 && lane.sentMs.length < requests) {
      const next = lane.waiting.reduce((best, each) => (each.urgency < best.urgency ? each : best));
      lane.waiting.splice(lane.waiting.indexOf(next), 1);
      lane.sentMs.push(nowMs);
      next.go(nowMs - next.sinceMs);
    }
    const [oldest] = lane.sentMs;
    if (lane.waiting.length === 0 || lane.timed || oldest === undefined) return;
    lane.timed = true;
    clock.after(oldest + perMs - nowMs, () => {
      lane.timed = false;
      pump(kind);
    });
  };
  return {
    waiting: () => [...lanes.values()].some((lane) => lane.waiting.length > 0),
    ask: (kind, urgency, go) => {
      laneOf(kind).waiting.push({ urgency, sinceMs: clock.nowMs(), go });
      // Asynchronously, so that the current step finishes its other work first.
      clock.after(0, () => pump(kind));
    },
  };
}
