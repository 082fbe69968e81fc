/**
 * What an order is expected to cost beyond the middle of the book when it is decided, and what its fills show it did cost.
 * Slippage and volatility are signals and so floats, in basis points of the middle price at decision, positive where it
 * costs; fees and values in the ledger are Decimal. Pure: knows no venue, clock or journal.
 */
import { type Decimal, ZERO } from "../../core/decimal.ts";

/** How a fill met the book: MAKER rested in it, TAKER took from it. Each has its own fee rate. */
export type Liquidity = "MAKER" | "TAKER";

/** One side of the visible book, best first. */
export type Levels = readonly { readonly price: number; readonly qty: number }[];

/** What is known of an order and its market when it is decided: floats, for estimates and never for sizes. */
export interface CostQuestion {
  readonly side: "BUY" | "SELL";
  readonly qty: number;
  readonly bid: number;
  readonly ask: number;
  /** The side that a taking order meets; empty where only the touch is known. */
  readonly levels: Levels;
  /** Waits at this price and never crosses; null for an order that takes. */
  readonly restsAt: number | null;
  /** Worst price it may fill at; null for none. */
  readonly limit: number | null;
  /** Fractions of value. */
  readonly fee: Readonly<Record<Liquidity, number>>;
  /** Standard deviation of an hour's return, fraction; null while not known. */
  readonly volatilityHour: number | null;
  /** What takers paid beyond earlier predictions, basis points; learnt, 0 before. */
  readonly bias: number;
}

/** Slippage is in basis points of `mid`, with `biasBps` in it, fee in those of value. `price` is without the bias. */
export interface Prediction {
  readonly mid: number;
  /** Average price expected. */
  readonly price: number;
  readonly slippageBps: number;
  /** The part of it that was learnt from earlier orders, not read off the book. */
  readonly biasBps: number;
  readonly feeBps: number;
  readonly liquidity: Liquidity;
  /** One standard deviation of the mid price between decision and arrival: an error within it is not significant. */
  readonly noiseBps: number;
  /** Share of the quantity that the visible book would fill, 0 to 1. */
  readonly depthShare: number;
}

/** From decision to the matching engine: preview, a sync to disk and at most one slot of the order endpoint. */
const ARRIVES_WITHIN_H = 2 / 3_600;
/**
 * A quantity beyond the visible book is expected to fill at this share of an hour's volatility beyond the last level.
 */
const BEYOND_DEPTH = 0.05;
const BPS = 10_000;

/** Average price of a taking order over the levels, and the share that they fill. */
export function walkBook(levels: Levels, qty: number): { readonly price: number; readonly share: number } | null {
  let left = qty;
  let value = 0;
  for (const level of levels) {
    if (left <= 0) break;
    const taken = Math.min(left, level.qty);
    value += taken * level.price;
    left -= taken;
  }
  const filled = qty - left;
  return filled > 0 && qty > 0 ? { price: value / filled, share: filled / qty } : null;
}

/** Null while there is no two-sided quote to measure from. */
export function predictCost(question: CostQuestion): Prediction | null {
  const { side, bid, ask, restsAt, fee } = question;
  if (!(bid > 0) || !(ask >= bid) || !(question.qty > 0)) return null;
  const mid = (bid + ask) / 2;
  const noiseBps = (question.volatilityHour ?? 0) * Math.sqrt(ARRIVES_WITHIN_H) * BPS;
  const taken = takingPrice(question, mid);
  const price = restsAt ?? taken.price;
  const liquidity: Liquidity = restsAt === null ? "TAKER" : "MAKER";
  const slippageBps = slippageOf(side, price, mid);
  const biasBps = restsAt === null ? question.bias : 0;
  return {
    mid,
    price,
    slippageBps: slippageBps + biasBps,
    biasBps,
    feeBps: fee[liquidity] * BPS,
    liquidity,
    noiseBps,
    depthShare: restsAt === null ? taken.share : 0,
  };
}

/** Signed so that what costs is positive. */
export const slippageOf = (side: "BUY" | "SELL", price: number, mid: number): number =>
  ((side === "BUY" ? price - mid : mid - price) / mid) * BPS;

function takingPrice(question: CostQuestion, mid: number): { readonly price: number; readonly share: number } {
  const { side, qty, bid, ask, levels, limit } = question;
  const sign = side === "BUY" ? 1 : -1;
  const touch = side === "BUY" ? ask : bid;
  const within = (price: number): boolean => limit === null || (price - limit) * sign <= 0;
  const walked = walkBook(
    levels.filter(({ price }) => within(price)),
    qty,
  );
  if (walked === null) return { price: touch, share: 0 };
  if (walked.share >= 1) return walked;
  const last = levels.findLast(({ price }) => within(price))?.price ?? touch;
  const beyond = last + sign * mid * BEYOND_DEPTH * (question.volatilityHour ?? 0);
  const rest = limit !== null && !within(beyond) ? limit : beyond;
  return { price: walked.price * walked.share + rest * (1 - walked.share), share: walked.share };
}

/** What an order was for: opening, reducing, closing, or a stop or target that the venue triggered. */
export const COST_KINDS = ["open", "reduce", "close", "stop", "target"] as const;
/** The `what` of a measured order and of its `cost` row. */
export type CostKind = (typeof COST_KINDS)[number];

/** One order, measured. Money in USDT. */
export interface OrderCost {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly leg: string;
  readonly what: CostKind;
  readonly side: "BUY" | "SELL";
  readonly atMs: number;
  readonly valueUsdt: Decimal;
  readonly feeUsdt: Decimal;
  /** Null where nothing was predicted: a stop fires at a price that no book showed beforehand. */
  readonly predictedFeeUsdt: Decimal | null;
  /** Share of the value that was filled as maker. */
  readonly makerShare: number;
  /** Against the middle at decision, or against the trigger of a stop. Null where neither is known. */
  readonly slippageBps: number | null;
  readonly predictedSlippageBps: number | null;
  readonly biasBps: number | null;
  readonly noiseBps: number | null;
}

/** Sums over measured orders. */
export interface CostSum {
  readonly orders: number;
  readonly valueUsdt: Decimal;
  readonly feesUsdt: Decimal;
  /** Of those orders for which something was predicted, weighted by value; null while there is none. */
  readonly predictedFeeBps: number | null;
  readonly feeBps: number | null;
  readonly predictedSlippageBps: number | null;
  readonly slippageBps: number | null;
  /** Beyond the trigger, of stops that fired; null while none did. */
  readonly stopSlippageBps: number | null;
}

/** Rates are weighted by value, over orders that were predicted; stops that fired have a figure of their own. */
export function sumCosts(costs: readonly OrderCost[]): CostSum {
  const reported = costs.filter((cost) => cost.predictedFeeUsdt !== null && cost.slippageBps !== null);
  const fired = costs.filter(({ what }) => what === "stop");
  const total = (of: readonly OrderCost[], figure: (cost: OrderCost) => Decimal): Decimal =>
    of.reduce((sum, cost) => sum.add(figure(cost)), ZERO);
  const value = total(reported, (cost) => cost.valueUsdt);
  const bps = (figure: (cost: OrderCost) => Decimal): number | null =>
    value.gt(0) ? total(reported, figure).div(value).mul(BPS).toNumber() : null;
  return {
    orders: costs.length,
    valueUsdt: total(costs, (cost) => cost.valueUsdt),
    feesUsdt: total(costs, (cost) => cost.feeUsdt),
    predictedFeeBps: bps((cost) => cost.predictedFeeUsdt ?? ZERO),
    feeBps: bps((cost) => cost.feeUsdt),
    predictedSlippageBps: weighted(reported, (cost) => cost.predictedSlippageBps),
    slippageBps: weighted(reported, (cost) => cost.slippageBps),
    stopSlippageBps: weighted(fired, (cost) => cost.slippageBps),
  };
}

function weighted(costs: readonly OrderCost[], figure: (cost: OrderCost) => number | null): number | null {
  let weights = 0;
  let sum = 0;
  for (const cost of costs) {
    const found = figure(cost);
    if (found === null) continue;
    const weight = cost.valueUsdt.toNumber();
    weights += weight;
    sum += weight * found;
  }
  return weights > 0 ? sum / weights : null;
}

/** What the next prediction takes from the orders before it. Rates are fractions of value. */
export interface LearntCosts {
  readonly fee: Readonly<Record<Liquidity, number>>;
  /** Taker slippage beyond the prediction, basis points. */
  readonly bias: number;
}

/** The initial estimate weighs as much as this many orders. */
const PRIOR_ORDERS = 20;
/** A single order cannot teach more than this. */
const BIAS_MAX_BPS = 20;

/** What one measured order teaches; null where it teaches nothing of that. */
export interface CostLesson {
  /** Of an order that was wholly one or the other. */
  readonly liquidity: Liquidity | null;
  readonly feeRate: number | null;
  /** Slippage beyond the book, basis points. */
  readonly biasBps: number | null;
}

export function lessonOf(cost: OrderCost): CostLesson {
  const { makerShare, valueUsdt, feeUsdt, slippageBps: found, predictedSlippageBps: predicted, biasBps } = cost;
  const liquidity = makerShare === 0 ? "TAKER" : makerShare === 1 ? "MAKER" : null;
  // Against the book alone: what was learnt before must not be learnt twice.
  const beyond = found === null || predicted === null ? null : clipped(found - (predicted - (biasBps ?? 0)));
  return {
    liquidity,
    feeRate: valueUsdt.gt(0) ? feeUsdt.div(valueUsdt).toNumber() : null,
    biasBps: liquidity === "TAKER" ? beyond : null,
  };
}

/** Slow averages of what was paid; a fee rate is learnt only from orders that were wholly maker or wholly taker. */
export function learnCosts(lessons: readonly CostLesson[], prior: LearntCosts["fee"]): LearntCosts {
  let [taker, takers, maker, makers, bias, biased] = [0, 0, 0, 0, 0, 0];
  for (const { liquidity, feeRate, biasBps } of lessons) {
    if (feeRate !== null && liquidity === "TAKER") {
      taker += feeRate;
      takers += 1;
    } else if (feeRate !== null && liquidity === "MAKER") {
      maker += feeRate;
      makers += 1;
    }
    if (biasBps !== null) {
      bias += biasBps;
      biased += 1;
    }
  }
  const fee = { TAKER: slowly(prior.TAKER, taker, takers), MAKER: slowly(prior.MAKER, maker, makers) };
  return { fee, bias: slowly(0, bias, biased) };
}

const clipped = (bps: number): number => Math.max(-BIAS_MAX_BPS, Math.min(BIAS_MAX_BPS, bps));

/** A mean that begins with what was assumed. */
const slowly = (prior: number, sum: number, count: number): number =>
  (prior * PRIOR_ORDERS + sum) / (PRIOR_ORDERS + count);
