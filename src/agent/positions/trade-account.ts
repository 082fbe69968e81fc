/** The account of one position, from its first fill to its last: quantities, values, fees and funding, in USDT. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { ExitCause } from "../../domain/closed-trade.ts";
import type { Execution } from "../../domain/order.ts";

/** Costs of a position so far. Fees are positive where paid; funding is positive where received. */
export interface TradeCosts {
  readonly feesUsdt: Decimal;
  readonly fundingUsdt: Decimal;
}

/** Mutable, kept by `TradeBook`. */
export interface TradeAccount {
  /** The venue's time of its first opening fill; Infinity before that. */
  beganMs: number;
  entryQty: Decimal;
  entryValue: Decimal;
  exitQty: Decimal;
  exitValue: Decimal;
  realizedUsdt: Decimal;
  feesUsdt: Decimal;
  fundingUsdt: Decimal;
  wanted: { readonly why: string; readonly cause: ExitCause } | null;
}

/** Copied for each position, because an account is changed in place. */
export const NEW_ACCOUNT: Readonly<TradeAccount> = {
  beganMs: Infinity,
  entryQty: ZERO,
  entryValue: ZERO,
  exitQty: ZERO,
  exitValue: ZERO,
  realizedUsdt: ZERO,
  feesUsdt: ZERO,
  fundingUsdt: ZERO,
  wanted: null,
};

/** Adds a fill of an order that opened the position, or of one that closed it. */
export function bookFill(
  account: TradeAccount,
  opening: boolean,
  { atMs, qty, price, fee, realizedPnl }: Execution,
): void {
  account.feesUsdt = account.feesUsdt.add(fee);
  if (opening) {
    account.beganMs = Math.min(account.beganMs, atMs);
    account.entryQty = account.entryQty.add(qty);
    account.entryValue = account.entryValue.add(qty.mul(price));
  } else {
    account.exitQty = account.exitQty.add(qty);
    account.exitValue = account.exitValue.add(qty.mul(price));
    account.realizedUsdt = account.realizedUsdt.add(realizedPnl);
  }
}

/** One position whose account was ended too soon and begun a second time. */
export const joinedAccount = (a: Readonly<TradeAccount>, b: Readonly<TradeAccount>): TradeAccount => ({
  beganMs: Math.min(a.beganMs, b.beganMs),
  entryQty: a.entryQty.add(b.entryQty),
  entryValue: a.entryValue.add(b.entryValue),
  exitQty: a.exitQty.add(b.exitQty),
  exitValue: a.exitValue.add(b.exitValue),
  realizedUsdt: a.realizedUsdt.add(b.realizedUsdt),
  feesUsdt: a.feesUsdt.add(b.feesUsdt),
  fundingUsdt: a.fundingUsdt.add(b.fundingUsdt),
  wanted: a.wanted ?? b.wanted,
});
