/** Takes the operator's requests from the data folder and sees that each is answered. No rules of trading here. */
import type { AgentEvent } from "../agent/contract/events.ts";
import type { Log } from "../core/log.ts";
import { answering, takeRequests, type ReceivedRequest } from "./requests.ts";
import type { Switching } from "./switching.ts";

/** `dispatch` takes events to the agent; `review` answers in words what became of it. */
export interface InboxParts {
  readonly dataDir: string;
  readonly log: Log;
  readonly switching: Switching;
  readonly nowMs: () => number;
  readonly dispatch: (event: AgentEvent) => void;
  readonly review: () => Promise<string>;
}

/** Looks once. A request that fails gets the failure as its answer; the others are not affected. */
export function lookForRequests(parts: InboxParts): void {
  const answer = answering(parts.dataDir, parts.log);
  for (const taken of takeRequests(parts.dataDir)) {
    handle(parts, taken, answer).catch((cause: unknown) => {
      const error = cause instanceof Error ? cause.message : String(cause);
      parts.log.event("warn", "schedule.failed", `a request of the operator (${taken.request.kind}) failed: ${error}`);
      answer(taken.id, { ok: false, error });
    });
  }
}

async function handle(
  parts: InboxParts,
  { id, request }: ReceivedRequest,
  answer: ReturnType<typeof answering>,
): Promise<void> {
  const { switching, nowMs, dispatch } = parts;
  switch (request.kind) {
    case "use": {
      const { strategy: use, handover } = request;
      const used = await switching.use({ use, handover, by: "operator", request: id });
      // The agent answers a switch under way once it is made.
      if (!used.ok) answer(id, { ok: false, error: used.error });
      return;
    }
    case "forget-lesson":
      return dispatch({ kind: "forget-lesson", atMs: nowMs(), id: request.id, request: id });
    case "review":
      return answer(id, { ok: true, text: await parts.review() });
  }
}
