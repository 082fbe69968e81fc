/** Replaces the practice model in a backtest: by a real gateway, or by the replies of an earlier run. */
import type { Clock } from "../../core/clock.ts";
import type { HarnessModels } from "../../harness/harness.ts";
import type { ChatClient, ChatOutcome, ModelRequest } from "../../llm/dialects/chat.ts";
import type { ModelSummary } from "./model-summary.ts";

/** One run's models. */
export interface LabModels extends HarnessModels {
  /** Why the run cannot continue; null while it can. */
  stopped(): string | null;
  summary(): ModelSummary;
}

export type Answered = Extract<ChatOutcome, { kind: "answered" }>;

/** An answer and how long the model took for it, real ms; null stops the run, and the question stays open. */
export interface LabAnswer {
  readonly outcome: ChatOutcome;
  readonly latencyMs: number;
}

/** Answers after the model's own time has passed on the run's clock. A null answer never comes. */
export function answeringBy(
  clock: Clock,
  awaited: Set<Promise<unknown>>,
  answer: (request: ModelRequest, atMs: number) => Promise<LabAnswer | null>,
): ChatClient {
  return {
    complete: async (request) => {
      const asked = answer(request, clock.nowMs());
      awaited.add(asked);
      const found = await asked.finally(() => awaited.delete(asked));
      if (found === null) return untilAborted(request.signal);
      await clock.sleep(found.latencyMs * clock.scale);
      return found.outcome;
    },
    close: () => Promise.resolve(),
  };
}

const untilAborted = (signal: AbortSignal): Promise<ChatOutcome> =>
  new Promise((resolve) => {
    const end = (): void => resolve({ kind: "not-sent", message: "the run has ended" });
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });

/** Implements `HarnessModels` for a set of pending answers. */
export const allOf = (awaited: ReadonlySet<Promise<unknown>>): Promise<unknown> | null =>
  awaited.size === 0 ? null : Promise.allSettled(awaited);
