/** When the second half of an asynchronous command happens. Spec: records §5.1 to §5.3, §19. */
import type { World } from "./state.ts";
import { nextStepAtMs } from "./steps.ts";

/** When a step planned now is due, with a small spread if a random source was given. */
export function dueAfter(world: World, delayMs: number): number {
  const spread = world.entropy === null || delayMs === 0 ? 0 : delayMs * world.entropy.next("step delay");
  return world.nowMs + delayMs + Math.floor(spread);
}

/** Whether a step would be the next one, at this instant: then it need not be planned. */
export const isDueNow = (world: World, dueMs: number): boolean =>
  dueMs <= world.nowMs && nextStepAtMs(world.steps) > world.nowMs;
