/** The model as the agent's port, with a rest after a crash and an answer for a ledger that takes no row just now. */
import type { ModelAnswer } from "../agent/events.ts";
import type { ModelPort } from "../agent/ports.ts";
import type { Clock } from "../core/clock.ts";
import { isPassing } from "./agent-rows.ts";

const failed = (kind: string, reason: string): ModelAnswer => ({
  kind: "failed",
  reason,
  costUsd: "0",
  detail: { kind },
});

/**
 * Asks nothing for `restMs` from now on, so that a process that dies again and again spends no money on the way; the
 * fallback strategy decides meanwhile. A reservation that cannot be written down is a call that is not made. Spec: fault P8.
 */
export function restedModel(port: ModelPort, clock: Clock, restMs: number): ModelPort {
  const fromMs = clock.monotonicMs() + restMs;
  return {
    ask: async (...question) => {
      const leftMs = fromMs - clock.monotonicMs();
      if (leftMs > 0)
        return failed(
          "resting",
          `no model is asked in the first minute after a crash, ${Math.ceil(leftMs / 1_000)} s are left`,
        );
      try {
        return await port.ask(...question);
      } catch (cause) {
        if (!isPassing(cause)) throw cause;
        return failed("unwritten", `the spending could not be written down: ${cause.message}`);
      }
    },
  };
}
