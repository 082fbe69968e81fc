/**
 * Scheduled steps of the venue: an order reaches the book, a cancel or an amendment takes effect. Due steps run by
 * time, then in the order in which they were scheduled.
 */
import type { Entropy } from "../../../core/entropy.ts";

export type Step =
  | { readonly kind: "arrive"; readonly ref: number }
  | { readonly kind: "reject"; readonly ref: number }
  | { readonly kind: "cancel"; readonly ref: number }
  | { readonly kind: "amend"; readonly ref: number; readonly ticks: number; readonly lots: number }
  | { readonly kind: "algo-live"; readonly algoOrderId: string }
  | { readonly kind: "algo-cancel"; readonly algoOrderId: string };

/** Orders are given by number, not by reference: a step of an ended order is skipped. */
export interface PlannedStep {
  readonly atMs: number;
  readonly step: Step;
}

/** Sorted with the latest first, so that the next one is the last element. */
export type StepQueue = PlannedStep[];

/** Steps of equal time keep the order in which they were scheduled. */
export function planStep(queue: StepQueue, atMs: number, step: Step): void {
  let at = queue.length;
  while (at > 0 && (queue[at - 1] as PlannedStep).atMs <= atMs) at--;
  if (at === queue.length) queue.push({ atMs, step });
  else queue.splice(at, 0, { atMs, step });
}

/** Epoch ms of the venue; Infinity while no step is scheduled. */
export const nextStepAtMs = (queue: StepQueue): number =>
  // Reading element -1 of an array is slow.
  queue.length === 0 ? Infinity : (queue[queue.length - 1] as PlannedStep).atMs;

/** Removes the next step if it is due. */
export function dueStep(queue: StepQueue, nowMs: number): PlannedStep | null {
  return nextStepAtMs(queue) <= nowMs ? (queue.pop() ?? null) : null;
}

/** Refuses an order at the time when it would have reached the book. Orders already in the book are unaffected. */
export function rejectOnArrival(queue: StepQueue, ref: number): void {
  const at = queue.findIndex(({ step }) => step.kind === "arrive" && step.ref === ref);
  const planned = queue[at];
  if (planned !== undefined) queue[at] = { ...planned, step: { kind: "reject", ref } };
}

/** The parts of the world that scheduling needs. */
interface Planning {
  readonly nowMs: number;
  readonly entropy: Entropy | null;
  readonly steps: StepQueue;
}

/** The due time of a step that is scheduled now, with a small jitter if a random source was given. */
export function dueAfter(world: Planning, delayMs: number): number {
  const spread = world.entropy === null || delayMs === 0 ? 0 : delayMs * world.entropy.next("step delay");
  return world.nowMs + delayMs + Math.floor(spread);
}

/** Whether a step would be the next one and due now: then it need not be scheduled. */
export const isDueNow = (world: Planning, dueMs: number): boolean =>
  dueMs <= world.nowMs && nextStepAtMs(world.steps) > world.nowMs;
