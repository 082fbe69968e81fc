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
  /** What the sums below are made of, so that fills of the position before this one can be taken out again. */
  fills: readonly AccountFill[];
  /** When the position before it was closed, by the venue's time: what had filled until then is not counted. */
  afterMs: number;
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

interface AccountFill {
  readonly opening: boolean;
  readonly execution: Execution;
}

/** Copied for each position, because an account is changed in place. */
export const NEW_ACCOUNT: Readonly<TradeAccount> = {
  fills: [],
  afterMs: -Infinity,
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
export function bookFill(account: TradeAccount, opening: boolean, execution: Execution): void {
  const { atMs, qty, price, fee, realizedPnl } = execution;
  if (atMs <= account.afterMs) return;
  account.fills = [...account.fills, { opening, execution }];
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

/** The account without what had filled until `atMs`, when the position before this one was closed. */
export function accountAfter(account: Readonly<TradeAccount>, atMs: number): TradeAccount {
  const { fundingUsdt, wanted } = account;
  const after = { ...NEW_ACCOUNT, afterMs: Math.max(account.afterMs, atMs), fundingUsdt, wanted };
  for (const { opening, execution } of account.fills) bookFill(after, opening, execution);
  return after;
}

/** One position whose account was ended too soon and begun a second time. */
export const joinedAccount = (a: Readonly<TradeAccount>, b: Readonly<TradeAccount>): TradeAccount => ({
  fills: [...a.fills, ...b.fills],
  afterMs: Math.max(a.afterMs, b.afterMs),
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
