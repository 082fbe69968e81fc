/**
 * What the venue will do later by itself: let an order reach the book, carry out a cancel or an amendment. Due steps
 * run by time, then in the order in which they were planned.
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

/** Steps of equal time keep the order in which they were planned. */
export function planStep(queue: StepQueue, atMs: number, step: Step): void {
  let at = queue.length;
  while (at > 0 && (queue[at - 1] as PlannedStep).atMs <= atMs) at--;
  if (at === queue.length) queue.push({ atMs, step });
  else queue.splice(at, 0, { atMs, step });
}

/** Epoch ms of the venue; Infinity while nothing is planned. */
export const nextStepAtMs = (queue: StepQueue): number =>
  // Reading element -1 of an array is slow.
  queue.length === 0 ? Infinity : (queue[queue.length - 1] as PlannedStep).atMs;

/** Removes the next step if it is due. */
export function dueStep(queue: StepQueue, nowMs: number): PlannedStep | null {
  return nextStepAtMs(queue) <= nowMs ? (queue.pop() ?? null) : null;
}

/** An order on its way to the book is refused when it would have reached it. Any other order is unaffected. */
export function rejectOnArrival(queue: StepQueue, ref: number): void {
  const at = queue.findIndex(({ step }) => step.kind === "arrive" && step.ref === ref);
  const planned = queue[at];
  if (planned !== undefined) queue[at] = { ...planned, step: { kind: "reject", ref } };
}

/** The parts of the world that planning needs. */
interface Planning {
  readonly nowMs: number;
  readonly entropy: Entropy | null;
  readonly steps: StepQueue;
}

/** When a step planned now is due, with a small spread if a random source was given. */
export function dueAfter(world: Planning, delayMs: number): number {
  const spread = world.entropy === null || delayMs === 0 ? 0 : delayMs * world.entropy.next("step delay");
  return world.nowMs + delayMs + Math.floor(spread);
}

/** Whether a step would be the next one, at this instant: then it need not be planned. */
export const isDueNow = (world: Planning, dueMs: number): boolean =>
  dueMs <= world.nowMs && nextStepAtMs(world.steps) > world.nowMs;
