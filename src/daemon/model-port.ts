/** The model gateway as the agent's port: each question gets one outcome, and both are journaled. */
import type { JournalPort, ModelPort } from "../agent/contract/ports.ts";
import { ZERO } from "../core/decimal.ts";
import type { Log } from "../core/log.ts";
import { type ModelOutcome, notAsked } from "../core/model-outcome.ts";
import type { GatewayAnswer, ModelGateway } from "../llm/contract/port.ts";
import { isPassing } from "./agent-rows.ts";
import { outcomeOf, questionRow } from "../rows/question.ts";
import { pageToKeep } from "../rows/snapshot.ts";
import { HOUR_MS } from "../core/time.ts";
import { EXTRA_USES, type ExtraUse } from "../strategy/strategy.ts";

/**
 * A question that pacing forbids, or whose reservation cannot be recorded, is not sent. After a crash the model may be
 * asked at once: decisions begin when the venue is reconciled, the start back-off is up to a minute, and the daily
 * budget bounds the spend of a crash loop. Fault P8.
 */
export function modelPort(gateway: ModelGateway, journal: JournalPort, log: Log): ModelPort {
  const asked = async (...[decisionId, question, , purpose]: Parameters<ModelPort["ask"]>): Promise<ModelOutcome> => {
    let costUsd = ZERO;
    try {
      const outcome = await gateway.ask({ ...question, decisionId, purpose });
      ({ costUsd } = outcome);
      const { replySchemaName: schemaName, fingerprint } = question;
      keepText(journal, decisionId, { outcome, schemaName, fingerprint, purpose });
      const row = questionRow({ prompt: question.prompt, fingerprint, purpose, outcome: outcomeOf(outcome) });
      journal.append(row, decisionId);
      return outcome;
    } catch (cause) {
      if (!isPassing(cause)) throw cause;
      // An answer that has no row decides nothing, and is paid for all the same.
      return { ...notAsked(`the spend could not be recorded: ${cause.message}`), costUsd };
    }
  };
  return {
    ask: async (decisionId, question, urgent, purpose) => {
      const budget = gateway.budget();
      const use = purpose.startsWith("shadow ") ? "shadow-prompt" : question.use;
      // Without a target there is no plan, and shadows have only their own sum.
      const planned = use !== undefined && (use !== "shadow-prompt" || budget.targetUsd !== null);
      if (planned && !isInPlan(use, budget.aheadOfTargetMs))
        return notAsked(`the day's spend plan has no money for a ${use} now`);
      const allowed = budget.mayAsk[urgent ? "event" : "cadence"];
      if (!allowed) {
        const reason = "the day's model budget is paced: not now";
        log.event("info", "budget.refused", reason, { decision: decisionId });
        return notAsked(reason);
      }
      return asked(decisionId, question, urgent, purpose);
    },
  };
}

/** The whole prompt and reply, for `explain` and `prompt diff`; too long for a row. */
function keepText(journal: JournalPort, decisionId: string, { outcome, ...about }: Asked): void {
  if (!outcome.asked) return;
  const replyText = "replyText" in outcome ? outcome.replyText : null;
  const cached = outcome.kind === "answered" && outcome.cached;
  const { kind, asked } = outcome;
  journal.append(pageToKeep({ call: "ask", ...about, kind, cached, asked, replyText }), decisionId);
}

interface Asked {
  readonly outcome: GatewayAnswer;
  readonly schemaName: string;
  readonly fingerprint: string;
  readonly purpose: string;
}

/**
 * The order in which a day's money is spent beyond ordinary decisions. Spending follows a straight line to the target of the
 * day; a use may run ahead of that line, the further the earlier it is in the order. If money is short, the last uses stop
 * first; what a quiet or broken stretch left unspent goes to all of them. The first use may run this far ahead, the last not
 * at all.
 */
const FIRST_AHEAD_MS = 2 * HOUR_MS;

/** How far ahead of the line this use may spend, milliseconds. */
const mayRunAheadMs = (use: ExtraUse): number =>
  FIRST_AHEAD_MS * (1 - EXTRA_USES.indexOf(use) / (EXTRA_USES.length - 1));

/** Whether the plan has money for this use; `aheadMs` is the budget's `aheadOfTargetMs`. */
export const isInPlan = (use: ExtraUse, aheadMs: number | null): boolean =>
  aheadMs !== null && aheadMs <= mayRunAheadMs(use);
