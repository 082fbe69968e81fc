/** One coin of one exchange account, as the assets list and the Assets push give it. Spec: records §4.4, §11.3. */
import { z } from "zod";
import type { Asset } from "../../domain/position.ts";
import { idMaybe, moneyMaybe, moneyOf, textMaybe, textOf, unread } from "../reply-fields.ts";

/** Only the coin is required: pushes carry little besides balance, available and frozen (records §11.3). */
export const assetRecord = z.looseObject({
  portfolioId: idMaybe,
  coin: z.string().min(1),
  /** Missing on pushes of some servers. */
  exchangeType: textMaybe,
  /** Realised funds that can be moved. */
  balance: moneyMaybe,
  /** Free part of balance. */
  available: moneyMaybe,
  /** Locked by open orders. */
  frozen: moneyMaybe,
  /** Absolute value of a negative equity, else 0. */
  debt: unread,
  /** Balance plus open profit, less debt, in coin units. */
  equity: unread,
  /** Equity in USDT. */
  equityValue: unread,
  borrow: unread,
  virtualBorrow: unread,
  overdraw: unread,
  /** USDT price of the coin. */
  indexPrice: unread,
  /** balance x indexPrice x discount. */
  marginValue: unread,
  upnl: unread,
  debtMargin: unread,
  perpMargin: unread,
  /** May be transferred between the exchange accounts. */
  maxTransferable: unread,
  createAt: unread,
  updateAt: unread,
});
/** The wire form; `readAsset` converts it. */
export type AssetRecord = z.output<typeof assetRecord>;

/** Amounts in units of the coin, zero where missing; `exchange` is empty where a push leaves it out. */
export function readAsset(wire: AssetRecord): Asset {
  return {
    exchange: textOf(wire.exchangeType),
    coin: wire.coin,
    balance: moneyOf(wire.balance),
    available: moneyOf(wire.available),
    frozen: moneyOf(wire.frozen),
  };
}
