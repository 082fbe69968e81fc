/**
 * The money limits again, directly before an opening is sent: computed from raw figures by independent and simpler
 * code, so that one bug in the review is not enough. It imports no judging code from `risk/`. The bounds are the
 * competition's own and the insured gap; anything that a correct review approves fits inside them.
 */
import { Decimal, ZERO } from "../core/decimal.ts";
import { FLOOR_USDT, OPENING_LEVERAGE_MAX, type Phase } from "../domain/competition.ts";
import { isOpening, type Order } from "../domain/order.ts";
import type { DeskAction } from "./action.ts";

/** A position or an open order: what its fill would put at risk, at a price that is not too low. */
export interface OpenExposure {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  /** Set for an order; null for a position. */
  readonly clientOrderId: string | null;
  readonly qty: Decimal;
  readonly price: Decimal;
  readonly contractSize: Decimal;
}

/** Raw figures as read, not yet judged. */
export interface WireFacts {
  readonly phase: Phase;
  /** The venue's account value at current marks, USDT, and the age of that reading. */
  readonly equityUsdt: Decimal;
  readonly equityAgeMs: number;
  readonly stakes: readonly OpenExposure[];
  /** Mark of the order's symbol; null if not read. */
  readonly mark: Decimal | null;
  readonly leverageSetting: number | null;
  /** The insured gaps, as fractions of price, and the buffer above the floor. */
  readonly gapMajors: Decimal;
  readonly gapOthers: Decimal;
  /** How far the two sides of one coin may move apart, as a fraction of price. */
  readonly gapHedged: Decimal;
  readonly majors: readonly string[];
  readonly bufferUsdt: Decimal;
}

/** Gross exposure over equity stays under this share of the phase's cap, regardless of the configuration. */
const LEVERAGE_SHARE = new Decimal("0.95");
/** An older account reading is not used. */
const EQUITY_AGE_MAX_MS = 45_000;

/** The part of an action that adds exposure; null if it adds none. */
function openingOf(action: DeskAction, known: Order | null): OpenExposure | null {
  if (action.kind === "order.place") {
    const { order } = action.draft;
    if (!isOpening(order)) return null;
    const price = order.limitPrice ?? action.marketPrice ?? ZERO;
    return stakeOf(order, order.qty, price, action.contractSize);
  }
  if (action.kind !== "order.replace" || !known || !isOpening(known)) return null;
  const left = (action.qty ?? known.qty).sub(known.executedQty);
  return stakeOf(known, left, action.price ?? known.limitPrice ?? known.avgPrice, action.contractSize);
}

const stakeOf = (
  order: Pick<Order, "symbol" | "side" | "positionSide" | "clientOrderId">,
  qty: Decimal,
  price: Decimal,
  contractSize: Decimal,
): OpenExposure => ({
  symbol: order.symbol,
  leg: order.positionSide === "NONE" ? (order.side === "BUY" ? "LONG" : "SHORT") : order.positionSide,
  clientOrderId: order.clientOrderId,
  qty,
  price,
  contractSize,
});

const valueOf = ({ qty, price, contractSize }: OpenExposure): Decimal => qty.mul(price).mul(contractSize);

const baseOf = ({ symbol }: OpenExposure): string => symbol.split("_").at(-2) ?? symbol;

/** Per coin its larger side times its gap, and its smaller side times what the two may move apart. */
function lossAtGaps(stakes: readonly OpenExposure[], facts: WireFacts): Decimal {
  let loss = ZERO;
  for (const base of new Set(stakes.map(baseOf))) {
    const [long, short] = (["LONG", "SHORT"] as const).map((side) =>
      stakes
        .filter((stake) => baseOf(stake) === base && stake.leg === side)
        .reduce((sum, stake) => sum.add(valueOf(stake)), ZERO),
    ) as [Decimal, Decimal];
    const gap = facts.majors.includes(base) ? facts.gapMajors : facts.gapOthers;
    const apart = Decimal.min(facts.gapHedged, gap);
    loss = loss.add(Decimal.max(long, short).mul(gap)).add(Decimal.min(long, short).mul(apart));
  }
  return loss;
}

/** Why the action must not be sent, with the figure found and the figure allowed; null if it may. */
export function wireProblem(action: DeskAction, known: Order | null, facts: WireFacts | null): string | null {
  const asked = openingOf(action, known);
  if (!asked) return null;
  if (!facts) return "the account is not known";
  const { equityUsdt, equityAgeMs, mark, leverageSetting } = facts;
  const cap = OPENING_LEVERAGE_MAX[facts.phase];
  if (!mark?.gt(0)) return `no mark of ${asked.symbol} is known`;
  if (!asked.qty.gt(0) || !asked.contractSize.gt(0)) return "the order has no size";
  if (!(equityAgeMs <= EQUITY_AGE_MAX_MS)) return `the account was read ${Math.round(equityAgeMs)} ms ago`;
  if (leverageSetting === null || leverageSetting > cap)
    return `the leverage setting of ${asked.symbol} is ${leverageSetting ?? "not known"}, allowed ${cap}`;
  const order = { ...asked, price: Decimal.max(asked.price, mark) };
  const stakes = [...facts.stakes.filter((stake) => stake.clientOrderId !== order.clientOrderId), order];
  const gross = stakes.reduce((sum, stake) => sum.add(valueOf(stake)), ZERO);
  const most = equityUsdt.mul(cap).mul(LEVERAGE_SHARE);
  if (gross.gt(most)) return `everything filled would be ${gross.toFixed(2)} USDT, allowed ${most.toFixed(2)}`;
  const loss = lossAtGaps(stakes, facts);
  const spare = equityUsdt.sub(FLOOR_USDT).sub(facts.bufferUsdt);
  return loss.gt(spare)
    ? `the insured gap would cost ${loss.toFixed(2)} USDT, the buffer leaves ${spare.toFixed(2)}`
    : null;
}
