/** The status of an agent that is well, for tests of the words about it. */
import type { CauseFacts, VenueFacts } from "../../src/causes/cause.ts";
import type { StatusFacts } from "../../src/report/status/facts.ts";

const NO_SUM = {
  orders: 0,
  feesUsdt: "0",
  feeBps: null,
  predictedFeeBps: null,
  slippageBps: null,
  predictedSlippageBps: null,
  stopSlippageBps: null,
};

export const calmVenue: VenueFacts = { trouble: null, clock: null, reasons: {}, refused: [], tightened: [] };

/** What causes are found in, and what the page of status shows. */
export const calmStatus: CauseFacts["status"] & Omit<StatusFacts, "health"> = {
  atMs: Date.UTC(2026, 0, 16, 12),
  stage: "ready",
  observing: null,
  readOnly: false,
  holds: {},
  floorState: "NORMAL",
  floorReason: "",
  equityAgreed: true,
  entriesBlocked: null,
  staleRules: [],
  unprotected: { deadlineMs: 10_000, spans: 0, medianMs: null, longestMs: null, overdue: 0, nowMs: null },
  strategy: "llm-trader",
  fallback: "momentum",
  failing: null,
  benched: null,
  asksModel: true,
  unlisted: [],
  accountAgeMs: 4_000,
  streams: { market: true, user: true, news: true },
  sources: [],
  history: { symbols: 50, lacking: [] },
  equityUsdt: "1000",
  floorDistanceUsdt: "200",
  positions: [],
  costs: { total: NO_SUM, bySymbol: {}, learnt: { takerFeeBps: 5, makerFeeBps: 2, biasBps: 0 } },
  session: null,
  score: null,
  uptime: {
    ratio: 1,
    downMs: 0,
    days: [],
    window: {
      endMs: Date.UTC(2026, 0, 22, 12),
      ratio: 1,
      leftBefore95Ms: 1,
      leftBefore90Ms: 1,
      forecast: 1,
      crosses95AtMs: null,
      crosses90AtMs: null,
    },
    restart: null,
  },
  limits: [],
  lastDecision: null,
  deciding: { shadows: [], lessons: [], leaving: [], switchWaits: null },
  model: { spentTodayUsd: "1", limitUsd: "10", models: [] },
};
