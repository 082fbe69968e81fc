/**
 * What orders cost. Predictions wait for fills, the fills of an order become one measurement, and the last 500
 * measurements are summed, shown and learnt from. The caller passes in what earlier runs measured. Knows no venue and
 * no journal.
 */
import { BoundedList, BoundedMap, filling, type Gauge } from "../../core/bounded.ts";
import { dec, type Decimal, ZERO } from "../../core/decimal.ts";
import type { Execution } from "../../domain/order.ts";
import {
  type CostKind,
  type CostLesson,
  type CostSum,
  type LearntCosts,
  learnCosts,
  lessonOf,
  type OrderCost,
  type Prediction,
  slippageOf,
  sumCosts,
} from "./execution-cost.ts";

/** Measured orders that are summed and learnt from, over restarts too. */
export const COSTS_KEPT = 500;
const PREDICTIONS_KEPT = 300;
const RUNNING_MAX = 200;
/** A close has its fills by then; later fills belong to another one. */
const CLOSE_FILLS_WITHIN_MS = 60_000;
/** An order is measured once it has had no further fill for this long. */
const QUIET_MS = 8_000;
/** A stop fires at its price; what filled further away than this share of it did something else. */
const TRIGGER_REACH = dec("0.05");

/** What is known of an order before its fills. */
export interface Expected {
  readonly what: CostKind;
  /** Null where no quote was there to predict from. */
  readonly prediction: Prediction | null;
  readonly decisionId: string | null;
}

/** Prices at which the venue closes a position. */
export interface TriggerPrices {
  readonly stop: Decimal | null;
  readonly target: Decimal | null;
}

/** Where a fill belongs; `triggers` are those of the position while it is held, else null. */
export interface FillFacts {
  readonly positionKey: string;
  readonly opening: boolean;
  readonly triggers: TriggerPrices | null;
}

/** What one order cost; `decisionId` is null if no decision caused it, as with a triggered stop. */
export interface MeasuredOrder extends OrderCost {
  readonly decisionId: string | null;
}

/** What the journal contains at a start. `atMs` is the time of the start: the fills count as received then. */
export interface RestoredCosts {
  /** Oldest first. */
  readonly measured: readonly OrderCost[];
  readonly predicted: readonly (Expected & { readonly clientOrderId: string })[];
  /** Fills of orders that no run has measured, oldest first. */
  readonly fills: readonly (FillFacts & { readonly execution: Execution })[];
  readonly atMs: number;
}

/** Where no earlier run reported costs. */
export const NO_COSTS: RestoredCosts = { measured: [], predicted: [], fills: [], atMs: 0 };

/** Over the last `COSTS_KEPT` measured orders; symbols in alphabetical order. */
export interface CostView {
  readonly total: CostSum;
  readonly bySymbol: ReadonlyMap<string, CostSum>;
}

/** Called at each intent, close and fill. A fill that no intent, close or trigger explains is not measured. */
export interface CostBook {
  expect(clientOrderId: string, expected: Expected): void;
  expectClose(positionKey: string, expected: Expected, nowMs: number): void;
  /** The position is flat; its fills may still come. */
  left(positionKey: string, triggers: TriggerPrices): void;
  fill(execution: Execution, facts: FillFacts, nowMs: number): void;
  /** Orders whose fills are all in; each is logged once. */
  settled(nowMs: number, contractSize: (symbol: string) => Decimal | undefined): readonly MeasuredOrder[];
  view(): CostView;
  gauges(): readonly Gauge[];
  learnt(prior: LearntCosts["fee"]): LearntCosts;
}

interface Running extends Expected {
  readonly execution: Execution;
  readonly positionKey: string;
  /** The price that slippage is measured from. */
  readonly from: number | null;
  qty: Decimal;
  value: Decimal;
  fee: Decimal;
  makerValue: Decimal;
  lastMs: number;
}

/** What a fill is measured against: what was known of its order, or the trigger of the stop or target that fired. */
interface Foreseen extends Expected {
  readonly trigger?: number;
}

const unfilled = (execution: Execution, positionKey: string, found: Foreseen, nowMs: number): Running => ({
  what: found.what,
  prediction: found.prediction,
  decisionId: found.decisionId,
  execution,
  positionKey,
  from: found.prediction?.mid ?? found.trigger ?? null,
  qty: ZERO,
  value: ZERO,
  fee: ZERO,
  makerValue: ZERO,
  lastMs: nowMs,
});

function addFill(order: Running, execution: Execution, nowMs: number): void {
  const value = execution.qty.mul(execution.price);
  order.qty = order.qty.add(execution.qty);
  order.value = order.value.add(value);
  order.fee = order.fee.add(execution.fee);
  if (execution.liquidity === "MAKER") order.makerValue = order.makerValue.add(value);
  order.lastMs = nowMs;
}

/** The book, with what earlier runs measured and predicted, and their unmeasured fills. */
export function createCostBook(restored: RestoredCosts): CostBook {
  const kept = new BoundedList<OrderCost>(COSTS_KEPT);
  const lessons = new BoundedList<CostLesson>(COSTS_KEPT);
  const keep = (cost: OrderCost): void => {
    kept.push(cost);
    lessons.push(lessonOf(cost));
  };
  const byClientId = new BoundedMap<string, Expected>(PREDICTIONS_KEPT);
  const closes = new BoundedMap<string, Expected & { readonly atMs: number }>(PREDICTIONS_KEPT);
  const gone = new BoundedMap<string, TriggerPrices>(PREDICTIONS_KEPT);
  const running = new BoundedMap<string, Running>(RUNNING_MAX);
  let viewed: CostView | null = null;
  let learnt: { readonly prior: LearntCosts["fee"]; readonly costs: LearntCosts } | null = null;
  for (const cost of restored.measured) keep(cost);
  for (const { clientOrderId, ...expected } of restored.predicted) byClientId.set(clientOrderId, expected);

  const closeOf = (positionKey: string, nowMs: number): Expected | null => {
    const close = closes.get(positionKey);
    return close && nowMs - close.atMs <= CLOSE_FILLS_WITHIN_MS ? close : null;
  };
  const begin = (execution: Execution, facts: FillFacts, nowMs: number): Running | null => {
    const found: Foreseen | null =
      byClientId.get(execution.clientOrderId) ??
      (facts.opening
        ? null
        : (closeOf(facts.positionKey, nowMs) ?? fired(execution, facts.triggers ?? gone.get(facts.positionKey))));
    return found && unfilled(execution, facts.positionKey, found, nowMs);
  };
  const fill: CostBook["fill"] = (execution, facts, nowMs) => {
    const order = running.get(execution.orderId) ?? begin(execution, facts, nowMs);
    if (!order) return;
    addFill(order, execution, nowMs);
    running.set(execution.orderId, order);
  };
  for (const { execution, ...facts } of restored.fills) fill(execution, facts, restored.atMs);

  return {
    expect: (clientOrderId, expected) => byClientId.set(clientOrderId, expected),
    expectClose: (positionKey, expected, nowMs) => closes.set(positionKey, { ...expected, atMs: nowMs }),
    left: (positionKey, triggers) => gone.set(positionKey, triggers),
    fill,
    settled: (nowMs, contractSize) => {
      const done = [...running.entries()].filter(([, order]) => nowMs - order.lastMs >= QUIET_MS);
      return done.flatMap(([orderId, order]) => {
        const size = contractSize(order.execution.symbol);
        if (!size) return [];
        running.delete(orderId);
        const cost = measured(order, size, nowMs);
        keep(cost);
        learnt = null;
        viewed = null;
        return { ...cost, decisionId: order.decisionId };
      });
    },
    view: () => (viewed ??= viewOf(kept.items())),
    gauges: () => [
      filling("agent.costs", kept.size, kept.cap),
      filling("agent.costsExpected", byClientId.size, byClientId.cap),
      filling("agent.costsRunning", running.size, running.cap),
    ],
    learnt: (prior) => {
      if (learnt?.prior.TAKER !== prior.TAKER || learnt.prior.MAKER !== prior.MAKER)
        learnt = { prior, costs: learnCosts(lessons.items(), prior) };
      return learnt.costs;
    },
  };
}

/** Nobody here asked for it: the stop or the target of the position, whichever lies nearer. */
function fired({ price }: Execution, triggers: TriggerPrices | null | undefined): Foreseen | null {
  const far = (trigger: Decimal | null): Decimal | null => trigger && price.sub(trigger).abs().div(trigger);
  const stop = far(triggers?.stop ?? null);
  const target = far(triggers?.target ?? null);
  const what: CostKind = stop !== null && (target === null || stop.lte(target)) ? "stop" : "target";
  const trigger = what === "stop" ? triggers?.stop : triggers?.target;
  const reach = what === "stop" ? stop : target;
  if (!trigger || !reach || reach.gt(TRIGGER_REACH)) return null;
  return { what, prediction: null, decisionId: null, trigger: trigger.toNumber() };
}

function viewOf(costs: readonly OrderCost[]): CostView {
  const symbols = [...new Set(costs.map(({ symbol }) => symbol))].sort();
  return {
    total: sumCosts(costs),
    bySymbol: new Map(symbols.map((symbol) => [symbol, sumCosts(costs.filter((cost) => cost.symbol === symbol))])),
  };
}

function measured(order: Running, contractSize: Decimal, atMs: number): OrderCost {
  const { execution, prediction, value, qty, from } = order;
  const { orderId, clientOrderId, symbol, side } = execution;
  const valueUsdt = value.mul(contractSize);
  return {
    ...{
      orderId,
      clientOrderId,
      symbol,
      side,
      leg: order.positionKey,
      what: order.what,
      atMs,
      valueUsdt,
      feeUsdt: order.fee,
    },
    predictedFeeUsdt: prediction && valueUsdt.mul(dec(prediction.feeBps.toFixed(6))).div(10_000),
    makerShare: order.makerValue.div(value).toNumber(),
    slippageBps: from === null ? null : slippageOf(side, value.div(qty).toNumber(), from),
    predictedSlippageBps: prediction?.slippageBps ?? null,
    biasBps: prediction?.biasBps ?? null,
    noiseBps: prediction?.noiseBps ?? null,
  };
}
