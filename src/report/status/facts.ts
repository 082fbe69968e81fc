/** The shape of a running agent's status, as the report reads it from the status endpoint. Amounts are decimals as text. */
import type { LiveScore } from "../../domain/live-score.ts";
import type { SourceFacts } from "./source-text.ts";

/** The whole status at one instant. */
export interface StatusFacts {
  readonly atMs: number;
  readonly health: { readonly state: string; readonly reason: string; readonly causes: readonly CauseLine[] };
  readonly stage: string;
  readonly observing: string | null;
  readonly strategy: string;
  readonly equityUsdt: string | null;
  readonly floorDistanceUsdt: string | null;
  readonly floorState: string;
  readonly positions: readonly {
    readonly symbol: string;
    readonly side: string;
    readonly qty: string;
    readonly avgPrice: string;
    readonly unrealizedUsdt: string;
    readonly protection: string;
    readonly stopPrice: string | null;
    readonly wantedStopPrice: string | null;
    readonly unprotectedForMs: number | null;
    readonly unprotectedTotalMs: number;
  }[];
  readonly unprotected: UnprotectedFacts;
  readonly costs: CostFacts;
  readonly session: {
    readonly usedNotional: string;
    readonly maxTotalNotional: string;
    readonly expiresAtMs: number;
  } | null;
  readonly streams: Readonly<Record<string, boolean>>;
  readonly sources: readonly SourceFacts[];
  readonly history: { readonly symbols: number; readonly lacking: readonly string[] };
  readonly uptime: UptimeFacts;
  readonly score: LiveScore | null;
  readonly limits: readonly { readonly limit: string; readonly evaluated: number; readonly fired: number }[];
  readonly lastDecision: {
    readonly decisionId: string;
    readonly atMs: number;
    readonly strategy: string;
    readonly result: string;
  } | null;
  readonly deciding: {
    readonly shadows: readonly { readonly name: string; readonly returnAfterCosts: number }[];
    readonly lessons: readonly unknown[];
    readonly leaving: readonly string[];
    readonly switchWaits: string | null;
  };
  readonly model: {
    readonly spentTodayUsd: string;
    readonly limitUsd: string;
    readonly models: readonly ModelStateFacts[];
  };
}

/** One of the configured models, with its last error. */
export interface ModelStateFacts {
  readonly name: string;
  readonly failing: unknown;
  readonly lastError: { readonly sentence: string; readonly atMs: number } | null;
}

/** What keeps the agent from working in full, the most serious first. */
export interface CauseLine {
  readonly part: string;
  readonly severity: string;
  readonly sentence: string;
  readonly next: string;
  readonly sinceMs: number;
}

/** Spans in which a position had no stop at the venue. */
export interface UnprotectedFacts {
  readonly deadlineMs: number;
  readonly spans: number;
  readonly medianMs: number | null;
  readonly longestMs: number | null;
  readonly overdue: number;
  readonly nowMs: number | null;
}

/** Measured costs of the orders, as a whole and by symbol. */
export interface CostFacts {
  readonly total: CostSumFacts;
  readonly bySymbol: Readonly<Record<string, CostSumFacts>>;
  readonly learnt: { readonly takerFeeBps: number; readonly makerFeeBps: number; readonly biasBps: number };
}

/** The uptime so far, of the current window, and the last restart. */
export interface UptimeFacts {
  readonly ratio: number;
  readonly downMs: number;
  readonly days: readonly { readonly day: string; readonly ratio: number }[];
  readonly window: {
    readonly endMs: number;
    readonly ratio: number;
    readonly leftBefore95Ms: number;
    readonly leftBefore90Ms: number;
    readonly forecast: number;
    readonly crosses95AtMs: number | null;
    readonly crosses90AtMs: number | null;
  };
  readonly restart: { readonly atMs: number; readonly awayMs: number; readonly countedMs: number } | null;
}

export interface CostSumFacts {
  readonly orders: number;
  readonly feesUsdt: string;
  readonly feeBps: number | null;
  readonly predictedFeeBps: number | null;
  readonly slippageBps: number | null;
  readonly predictedSlippageBps: number | null;
  readonly stopSlippageBps: number | null;
}
