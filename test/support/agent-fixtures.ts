/** What the tests of the agent begin with: settings, rules, an account, positions, stops, and scripted strategies. */
import { z } from "zod";
import type { Strategies } from "../../src/agent/contract/events.ts";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import type { Restored } from "../../src/agent/state/restored.ts";
import { noBeats } from "../../src/agent/books/uptime.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import type { ExchangeAccount, Position } from "../../src/domain/position.ts";
import type { SymbolRules } from "../../src/domain/symbol.ts";
import { RISK } from "./risk.ts";
import type { SessionView } from "../../src/risk/view.ts";
import type { Strategy, TargetPosition } from "../../src/strategy/strategy.ts";

export const BTC = "EXCHANGE_A_PERP_BTC_USDT";
export const ETH = "EXCHANGE_A_PERP_ETH_USDT";
export const START_MS = Date.UTC(2026, 0, 15, 12);

/** A stop of ours as the venue reports it: on a long position of 0.004 BTC. */
export const standingStop = (change: Partial<AlgoOrder> = {}): AlgoOrder => ({
  algoOrderId: "2190000000000101",
  clientOrderId: "p-boot-1",
  symbol: BTC,
  side: "SELL",
  positionSide: "LONG",
  qty: dec("0.004"),
  condition: "CONDITIONAL",
  triggerPrice: dec("58200"),
  takeProfitPrice: null,
  stopLossPrice: null,
  reduceOnly: true,
  state: "NEW",
  reason: "",
  updatedAtMs: 0,
  ...change,
});

export const rulesOf = (symbol: string): SymbolRules => ({
  symbol,
  state: "live",
  tickSize: dec("0.1"),
  pricePrecision: 1,
  lotSize: dec("0.001"),
  qtyPrecision: 3,
  minSize: dec("0.001"),
  minNotional: dec("5"),
  maxLimitSize: dec("1000"),
  maxMarketSize: dec("200"),
  maxNumOrders: 200,
  contractSize: dec("1"),
  defaultLeverage: 5,
});

export const settingsOf = (change: Partial<AgentSettings> = {}): AgentSettings => ({
  phase: 1,
  universe: [BTC, ETH],
  exchange: "EXCHANGE_A",
  leverage: 2,
  // Closing at once is what most stories are about; the one about waiting sets its own.
  risk: { ...RISK, minHolding: 0 },
  cadence: {
    every: 60_000,
    minGap: 10_000,
    firstAfter: 1_000,
    onNews: true,
    newsSymbolsMax: 5,
    onFill: true,
    moveSigma: 0,
  },
  execution: {
    slippage: 0.002,
    restFor: 30_000,
    rebalanceBand: 0.25,
    protectWithin: 10_000,
    onStopOpenOrders: "cancel",
    withdraws: "own",
    entry: {
      style: "as-wished",
      chases: 3,
      chaseEvery: 5_000,
      maxDistanceBps: 20,
      maxDistanceSigma: 0.3,
      then: "give-up",
    },
    slices: { depthShare: 0, band: 0.002, minUsdt: dec("50"), pause: 6_000 },
  },
  protection: {
    unit: "percent",
    breakEven: { after: 0 },
    trailing: { activation: 0, distance: 0 },
    minStep: 0.001,
  },
  windDownMs: 3_600_000,
  shadowModelUsd: dec("1"),
  funding: { checkBefore: 600_000, costShare: 0.0005 },
  answersWithinMs: 300_000,
  needsNews: false,
  ...change,
});

export const nothingRestored: Restored = {
  openIntents: [],
  ourClientIds: new Set(),
  floor: "NORMAL",
  anchors: null,
  uptime: noBeats,
};

export const target = (change: Partial<TargetPosition> = {}): TargetPosition => ({
  symbol: BTC,
  leg: "LONG",
  size: 0.5,
  stopDistance: 0.02,
  targetDistance: null,
  urgency: "take",
  reason: "a test wants it",
  evidence: [],
  ...change,
});

/** A question that any answer fits. */
export const anyQuestion = {
  prompt: "p",
  variables: {},
  replySchema: z.unknown(),
  replySchemaName: "any",
  maxOutputTokens: 10,
  fingerprint: "f",
};

/** A strategy that answers what the test says. */
export function scripted(
  name: string,
  answer: Strategy["decide"],
  interpret?: Strategy["interpret"],
): Strategies["chosen"] {
  const strategy = {
    name,
    description: name,
    settings: z.strictObject({}),
    needsModel: interpret !== undefined,
    decide: answer,
    ...(interpret ? { interpret } : {}),
  };
  return { strategy: strategy as unknown as Strategy, settings: {} };
}

export const holding = (): Strategies["chosen"] =>
  scripted("hold", () => ({ kind: "targets", targets: [], note: "holding" }));

/** A strategy that wants what the list holds at the moment. */
export const targeting = (name: string, targets: readonly TargetPosition[]): Strategies["chosen"] =>
  scripted(name, () => ({ kind: "targets", targets, note: `${name} decides` }));

/** One that asks a model first, and wants what the list holds once it is answered. */
export const asking = (name: string, targets: readonly TargetPosition[]): Strategies["chosen"] =>
  scripted(
    name,
    () => ({ kind: "ask", questions: [anyQuestion] }),
    () => ({ kind: "targets", targets, note: `${name} decides by the answer` }),
  );

export const session = (nowMs: number): SessionView => ({
  id: "ras_test",
  active: true,
  expiresAtMs: nowMs + 86_400_000,
  symbols: [BTC, ETH],
  allowedActions: ["order.place", "order.replace", "order.cancel"],
  allowedOrderTypes: ["LIMIT", "MARKET"],
  maxNotionalPerOrder: dec("400"),
  maxTotalNotional: dec("20000"),
  usedNotional: ZERO,
});

export const account = (equity: string): ExchangeAccount => ({
  exchange: "EXCHANGE_A",
  equity: dec(equity),
  availableMargin: dec(equity),
  maintenanceMargin: ZERO,
  unrealizedPnl: ZERO,
  positionMode: "BOTH",
  status: "NORMAL",
});

export const position = (symbol: string, qty: string, avgPrice: string, side: "LONG" | "SHORT" = "LONG"): Position => ({
  symbol,
  side,
  qty: dec(qty),
  avgPrice: dec(avgPrice),
  markPrice: dec(avgPrice),
  unrealizedPnl: ZERO,
  leverage: 2,
  liquidationPrice: null,
  createdAtMs: START_MS,
  updatedAtMs: START_MS,
});
