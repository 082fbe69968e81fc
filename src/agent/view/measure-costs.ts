/** Predicts the cost of orders at the decision, and records what their fills cost. Feeds the cost book. */
import { type Decimal, toFloat, toWire } from "../../core/decimal.ts";
import type { Execution, PlaceOrder } from "../../domain/order.ts";
import type { TakerCost } from "../../risk/headroom.ts";
import { assumedFees } from "../../risk/settings.ts";
import {
  type CostSum,
  type LearntCosts,
  type OrderCost,
  predictCost,
  type Prediction,
} from "../books/execution-cost.ts";
import type { At } from "../contract/effects.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { quoteOf } from "../state/worth.ts";
import { costRow, type CostRow, costText } from "../../rows/cost.ts";
import type { PredictionRow } from "../../rows/fields.ts";

/** The `positionKeyOf` that a fill is counted on; `opening` is false where it took from that position. */
export interface FillPlace {
  readonly positionKey: string;
  readonly opening: boolean;
  /** False where it only may be that position. */
  readonly sure: boolean;
}

/** Levels walked on each side. */
const LEVELS = 50;

/** From the orders kept in the book; before any, the fees that the venue states, else those of the settings, and no bias. */
export function learntCosts(state: AgentState): LearntCosts {
  const { taker, maker } = state.fees ?? assumedFees(state.settings.risk);
  return state.costs.learnt({ TAKER: toFloat(taker), MAKER: toFloat(maker) });
}

/** A taker's cost per side, for the round trip that limits and prompts are given: fractions of value. */
export function takerCost(state: AgentState): TakerCost {
  const { fee, bias } = learntCosts(state);
  return { fee: fee.TAKER, slippage: bias / 10_000 };
}

interface Asked {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly qty: Decimal;
  readonly restsAt: Decimal | null;
  readonly limit: Decimal | null;
}

function predict(state: AgentState, { symbol, side, qty, restsAt, limit }: Asked, nowMs: number): Prediction | null {
  const quote = quoteOf(state, symbol, nowMs);
  if (!quote) return null;
  const { fee, bias } = learntCosts(state);
  return predictCost({
    side,
    qty: toFloat(qty),
    ...quote,
    levels: state.context.levels(symbol, { bid: side === "SELL", count: LEVELS }, nowMs),
    restsAt: restsAt && toFloat(restsAt),
    limit: limit && toFloat(limit),
    fee,
    volatilityHour: state.volatility(symbol, nowMs),
    bias,
  });
}

/** What it would cost to take the whole quantity at once; null without a quote. */
export const predictCrossing = (
  state: AgentState,
  order: Pick<Asked, "symbol" | "side" | "qty">,
  nowMs: number,
): Prediction | null => predict(state, { ...order, restsAt: null, limit: null }, nowMs);

/** For the row of an order that is about to be promised. */
export function predictOrder(
  state: AgentState,
  order: PlaceOrder,
  { opening, decisionId, nowMs }: { readonly opening: boolean; readonly decisionId: string; readonly nowMs: number },
): PredictionRow | null {
  const rests = order.timeInForce === "GTX";
  const price = order.limitPrice;
  const asked = { symbol: order.symbol, side: order.side, qty: order.qty };
  const prediction = predict(state, { ...asked, restsAt: rests ? price : null, limit: rests ? null : price }, nowMs);
  state.costs.expect(order.clientOrderId, { what: opening ? "open" : "reduce", prediction, decisionId });
  return prediction && predictionFields(prediction);
}

/** For the row of a close: a market order that the venue places itself. */
export function predictClose(
  state: AgentState,
  held: HeldPosition,
  decisionId: string | null,
  nowMs: number,
): PredictionRow | null {
  const side = held.side === "LONG" ? "SELL" : "BUY";
  const asked: Asked = { symbol: held.symbol, side, qty: held.position.qty, restsAt: null, limit: null };
  const prediction = predict(state, asked, nowMs);
  state.costs.expectClose(held.key, { what: "close", prediction, decisionId }, nowMs);
  return prediction && predictionFields(prediction);
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const predictionFields = (prediction: Prediction): PredictionRow => ({
  midPrice: prediction.mid,
  price: rounded(prediction.price, 10),
  slippageBps: rounded(prediction.slippageBps, 3),
  biasBps: rounded(prediction.biasBps, 3),
  feeBps: rounded(prediction.feeBps, 4),
  liquidity: prediction.liquidity,
  noiseBps: rounded(prediction.noiseBps, 3),
  depthShare: rounded(prediction.depthShare, 4),
});

/** For every new fill; stop and target come from its position while it is held. */
export function countCost(state: AgentState, execution: Execution, place: FillPlace, nowMs: number): void {
  const held = state.positions.get(place.positionKey);
  const triggers = held ? triggersOf(held) : null;
  state.costs.fill(execution, { ...place, triggers }, nowMs);
}

/** Stop and target that stand at the venue, else those wanted; null where there is none. */
export const triggersOf = ({ standingStop, standingTarget, meta }: HeldPosition) => ({
  stop: standingStop ?? meta.stopPrice,
  target: standingTarget ?? meta.targetPrice,
});

/** Journals the orders whose fills are all in. */
export function reportCosts(state: AgentState, { nowMs, out }: At): void {
  for (const { decisionId, ...cost } of state.costs.settled(nowMs, (symbol) => state.rules.get(symbol)?.contractSize)) {
    const row = roundedCost(cost);
    out.record(costRow(row), decisionId);
    out.log("debug", "order.cost", costText(row), {
      orderId: cost.orderId,
      symbol: cost.symbol,
      ...(decisionId ? { decision: decisionId } : {}),
    });
  }
}

const roundedCost = (cost: OrderCost): CostRow => ({
  ...cost,
  valueUsdt: cost.valueUsdt.toDecimalPlaces(8),
  predictedFeeUsdt: cost.predictedFeeUsdt && cost.predictedFeeUsdt.toDecimalPlaces(8),
  makerShare: rounded(cost.makerShare, 4),
  slippageBps: cost.slippageBps && rounded(cost.slippageBps, 3),
  predictedSlippageBps: cost.predictedSlippageBps && rounded(cost.predictedSlippageBps, 3),
  biasBps: cost.biasBps && rounded(cost.biasBps, 3),
  noiseBps: cost.noiseBps && rounded(cost.noiseBps, 3),
});

/** Sums as plain figures, money as decimal text. */
export interface CostSumStatus {
  readonly orders: number;
  readonly valueUsdt: string;
  readonly feesUsdt: string;
  readonly feeBps: number | null;
  readonly predictedFeeBps: number | null;
  readonly slippageBps: number | null;
  readonly predictedSlippageBps: number | null;
  readonly stopSlippageBps: number | null;
}

/** For the status, over the last `COSTS_KEPT` measured orders. */
export interface CostStatus {
  readonly total: CostSumStatus;
  readonly bySymbol: Readonly<Record<string, CostSumStatus>>;
  /** What predictions use now, basis points: fees of value, and taker slippage beyond the visible book. */
  readonly learnt: { readonly takerFeeBps: number; readonly makerFeeBps: number; readonly biasBps: number };
}

/** Rounded: rates to three places of a basis point, values to four places of USDT, fees to eight. */
export function costStatus(state: AgentState): CostStatus {
  const { total, bySymbol } = state.costs.view();
  const { fee, bias } = learntCosts(state);
  return {
    total: sumStatus(total),
    bySymbol: Object.fromEntries([...bySymbol].map(([symbol, sum]) => [symbol, sumStatus(sum)])),
    learnt: {
      takerFeeBps: rounded(fee.TAKER * 10_000, 3),
      makerFeeBps: rounded(fee.MAKER * 10_000, 3),
      biasBps: rounded(bias, 3),
    },
  };
}

function sumStatus(sum: CostSum): CostSumStatus {
  const figure = (value: number | null): number | null => (value === null ? null : rounded(value, 3));
  return {
    orders: sum.orders,
    valueUsdt: toWire(sum.valueUsdt.toDecimalPlaces(4)),
    feesUsdt: toWire(sum.feesUsdt.toDecimalPlaces(8)),
    feeBps: figure(sum.feeBps),
    predictedFeeBps: figure(sum.predictedFeeBps),
    slippageBps: figure(sum.slippageBps),
    predictedSlippageBps: figure(sum.predictedSlippageBps),
    stopSlippageBps: figure(sum.stopSlippageBps),
  };
}
