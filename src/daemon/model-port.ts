/** The model gateway as the agent's port: one question in, decided or failed out, each told in the log and the journal. */
import type { ModelAnswer } from "../agent/contract/events.ts";
import type { JournalPort, ModelPort } from "../agent/contract/ports.ts";
import { toWire } from "../core/decimal.ts";
import type { Log } from "../core/log.ts";
import type { ModelGateway, ModelOutcome } from "../llm/port.ts";
import { isPassing } from "./agent-rows.ts";
import { questionRow } from "../rows/question.ts";
import { pageToKeep } from "../rows/snapshot.ts";

/**
 * A question that pacing forbids fails as `paced`, one whose reservation cannot be written down as `unwritten`: no call is
 * made in either case. After a crash the model may be asked at once: decisions begin when the venue is reconciled, the boot
 * back-off spaces starts up to a minute apart, and the day's budget bounds what a crash loop can spend. Fault P8.
 */
export function modelPort(gateway: ModelGateway, journal: JournalPort, log: Log): ModelPort {
  const failed = (kind: string, reason: string): ModelAnswer => ({
    kind: "failed",
    reason,
    costUsd: "0",
    detail: { kind },
  });
  const asked = async (...[decisionId, question, , purpose]: Parameters<ModelPort["ask"]>): Promise<ModelAnswer> => {
    const outcome = await gateway.ask({ ...question, decisionId, purpose });
    const answer = answerOf(outcome);
    const { replySchemaName: schemaName, fingerprint } = question;
    keepText(journal, decisionId, { outcome, schemaName, fingerprint, purpose });
    const row = questionRow({ prompt: question.prompt, fingerprint, purpose, outcome: answer.detail });
    journal.append(row, decisionId);
    return answer;
  };
  return {
    ask: async (decisionId, question, urgent, purpose) => {
      const allowed = gateway.budget().mayAsk[urgent ? "happening" : "cadence"];
      if (!allowed) {
        const reason = "the day's model budget is paced: not now";
        log.event("info", "budget.refused", reason, { decision: decisionId });
        return failed("paced", reason);
      }
      try {
        return await asked(decisionId, question, urgent, purpose);
      } catch (cause) {
        if (!isPassing(cause)) throw cause;
        return failed("unwritten", `the spending could not be written down: ${cause.message}`);
      }
    },
  };
}

/** The whole prompt and the whole reply, for `explain` and `prompt diff`; too long for a row. */
function keepText(journal: JournalPort, decisionId: string, { outcome, ...about }: Asked): void {
  if (!outcome.asked) return;
  const replyText = "replyText" in outcome ? outcome.replyText : null;
  const cached = outcome.kind === "answered" && outcome.cached;
  const { kind, asked } = outcome;
  journal.append(pageToKeep({ call: "ask", ...about, kind, cached, asked, replyText }), decisionId);
}

interface Asked {
  readonly outcome: ModelOutcome;
  readonly schemaName: string;
  readonly fingerprint: string;
  readonly purpose: string;
}

function answerOf(outcome: ModelOutcome): ModelAnswer {
  switch (outcome.kind) {
    case "answered": {
      const {
        value,
        model,
        cached,
        promptTokens,
        completionTokens,
        cachedTokens,
        latencyMs,
        promptHash,
        replyText,
        attempt,
        key,
        savedUsd,
      } = outcome;
      const costUsd = toWire(outcome.costUsd);
      const detail = {
        kind: outcome.kind,
        model,
        cached,
        promptTokens,
        completionTokens,
        cachedTokens,
        latencyMs: Math.round(latencyMs),
        costUsd: outcome.costUsd,
        promptHash,
        attempt,
        key,
        savedUsd,
        replyText: replyText.slice(0, 8_000),
      };
      return { kind: "answered", value, model, cached, costUsd, detail };
    }
    case "over-budget":
      return {
        kind: "failed",
        reason: outcome.reason,
        costUsd: "0",
        detail: { kind: outcome.kind, leftUsd: outcome.leftUsd },
      };
    case "unavailable":
      return { kind: "failed", reason: outcome.reason, costUsd: "0", detail: { kind: outcome.kind } };
    case "unreadable":
    case "failed":
      return {
        kind: "failed",
        reason: outcome.reason,
        costUsd: toWire(outcome.costUsd),
        detail: { kind: outcome.kind, reason: outcome.reason, costUsd: outcome.costUsd },
      };
  }
}
