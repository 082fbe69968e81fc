/** One status object from the agent, the budget and the streams; what `ballast status --json` prints. */
import type { AgentStatus } from "../agent/decide/status.ts";
import type { Gauge } from "../core/bounded.ts";
import { toWire } from "../core/decimal.ts";
import type { BudgetView } from "../llm/contract/port.ts";
import type { TightenedLimit } from "../domain/venue.ts";
import type { HistoryStatus } from "../history/fill-history.ts";
import type { Health } from "./health.ts";
import type { SourceStatus } from "./sources.ts";
import type { Streams } from "./streams.ts";

/** Served at `/status`. USD is decimal text; today's spend includes reservations. */
export interface StatusReport extends AgentStatus {
  readonly model: {
    readonly spentTodayUsd: string;
    readonly last24hUsd: string;
    readonly limitUsd: string;
    readonly leftUsd: string;
    readonly gatewayReportsUsd: string | null;
    /** The part of today's spend that is booked at its upper bound, because the outcome of the calls is unknown. */
    readonly unknownUsd: string;
    /** Each model with its last fault and whether it persists. */
    readonly models: BudgetView["models"];
    /** This process's questions by outcome; none of the failures is a hold. */
    readonly questions: BudgetView["outcomes"];
  };
  /** Every bounded collection with its size, its high-water mark and its cap. Invariant I30. */
  readonly collections: readonly Gauge[];
  /** Calls whose limit the venue enforced more strictly than documented, with the spacing used since. */
  readonly tightened: readonly TightenedLimit[];
  readonly health: Health;
  /** The owner's own sources; empty if none is configured. */
  readonly sources: readonly SourceStatus[];
  /** Symbols whose history is incomplete. */
  readonly history: HistoryStatus;
  readonly streamDetail: { readonly market: unknown; readonly user: unknown; readonly news: unknown };
}

export const statusReport = (
  status: AgentStatus,
  budget: BudgetView,
  streams: Streams,
  also: Pick<StatusReport, "collections" | "tightened" | "health" | "sources" | "history">,
): StatusReport => ({
  ...status,
  ...also,
  model: {
    spentTodayUsd: toWire(budget.usedUsd),
    last24hUsd: toWire(budget.rollingUsd),
    limitUsd: toWire(budget.limitUsd),
    leftUsd: toWire(budget.leftUsd),
    gatewayReportsUsd: budget.reportedUsd && toWire(budget.reportedUsd),
    unknownUsd: toWire(budget.unknownUsd),
    models: budget.models,
    questions: budget.outcomes,
  },
  streamDetail: { market: streams.market.health(), user: streams.user.health(), news: streams.news.health() },
});
