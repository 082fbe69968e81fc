/** The position record of REST and of the Positions push. Spec: records §7.1, §11.3. */
import { z } from "zod";
import type { Position, PositionUpdate } from "../../domain/position.ts";
import {
  idMaybe,
  money,
  type MoneyField,
  moneyMaybe,
  moneyNeeded,
  moneyOf,
  moneyOrNull,
  priceOrNull,
  textMaybe,
  timeMaybe,
  timeOf,
  NEEDED_RULE,
  unread,
} from "../reply-fields.ts";
import { readPositionSide } from "./order-record.ts";

const positionFields = z.looseObject({
  /** 17 digits. */
  positionId: unread,
  portfolioId: idMaybe,
  sym: z.string().min(1),
  /** LONG or SHORT in BOTH mode, NONE in NET mode. */
  positionSide: textMaybe,
  /** Base units or contracts; signed in NET mode. A flat symbol may be listed with 0, or with nothing. */
  positionQty: money,
  /** Average entry price. */
  avgPrice: moneyMaybe,
  markPrice: moneyMaybe,
  /** |qty| x contractSize x mark, USDT. */
  positionValue: unread,
  /** positionValue / leverage. */
  positionMargin: unread,
  /** positionValue x mmRate of its bracket. */
  positionMM: unread,
  unrealizedPNL: moneyMaybe,
  unrealizedPNLRate: unread,
  leverage: moneyMaybe,
  /** Bracket maximum. */
  maxLeverage: unread,
  /** Bracket level, from "1". */
  riskLevel: unread,
  /** Accumulated for this position. */
  fee: unread,
  /** Accumulated, signed: negative = paid. */
  fundingFee: unread,
  /** Estimated liquidation price; "" or "0" when there is none. */
  liqPrice: moneyMaybe,
  /**
   * Algo records that protect the position. Unread: the list of algo orders reports them, and a bad entry here must not
   * hide a position.
   */
  tpslOrder: unread,
  createAt: timeMaybe,
  updateAt: timeMaybe,
});
type PositionFields = z.output<typeof positionFields>;

/** No position is without an entry price, and none with one may be taken for flat. */
const hasQty = ({ positionQty, avgPrice, positionValue, unrealizedPNL }: PositionFields): boolean =>
  moneyOrNull(positionQty) !== null ||
  [avgPrice, positionValue, unrealizedPNL].every((figure) => Number(figure ?? 0) === 0);

/**
 * Only symbol and quantity are required; flat rows and both position modes use this form. An empty quantity beside figures of
 * a position leaves the whole list unknown: nothing new is opened, and nothing that is held is dropped.
 */
export const positionRecord = positionFields.refine(hasQty, { path: ["positionQty"], error: NEEDED_RULE });
/** The wire form; `readPosition` converts it. */
export type PositionRecord = z.output<typeof positionRecord>;

/** The record of the Positions channel. */
export const positionPush = z.looseObject({
  sym: z.string().min(1),
  positionSide: textMaybe,
  positionQty: moneyNeeded,
  avgPrice: moneyMaybe,
  unrealizedPNL: moneyMaybe,
  leverage: moneyMaybe,
});
/** The wire form; `readPositionUpdate` converts it. */
export type PositionPush = z.output<typeof positionPush>;

function readLeverage(value: MoneyField | undefined): number | null {
  return moneyOrNull(value)?.toNumber() ?? null;
}

/** Null for a flat row. In one-way mode the sign of the quantity gives the side. */
export function readPosition(wire: PositionRecord): Position | null {
  const qty = moneyOf(wire.positionQty);
  if (qty.isZero()) return null;
  const stated = readPositionSide(wire.positionSide);
  return {
    symbol: wire.sym,
    side: stated === "NONE" ? (qty.isNegative() ? "SHORT" : "LONG") : stated,
    qty: qty.abs(),
    avgPrice: moneyOf(wire.avgPrice),
    markPrice: moneyOf(wire.markPrice),
    unrealizedPnl: moneyOf(wire.unrealizedPNL),
    leverage: readLeverage(wire.leverage) ?? 1,
    liquidationPrice: priceOrNull(wire.liqPrice),
    createdAtMs: timeOf(wire.createAt),
    updatedAtMs: timeOf(wire.updateAt),
  };
}

/** The open positions of a list; flat rows are left out. */
export const readPositions = (rows: readonly PositionRecord[]): readonly Position[] =>
  rows.map(readPosition).filter((position) => position !== null);

/** The quantity as sent, signed in one-way mode and zero when flat; leverage is null if not reported. */
export function readPositionUpdate(wire: PositionPush): PositionUpdate {
  return {
    symbol: wire.sym,
    positionSide: readPositionSide(wire.positionSide),
    qty: moneyOf(wire.positionQty),
    avgPrice: moneyOf(wire.avgPrice),
    leverage: readLeverage(wire.leverage),
  };
}
