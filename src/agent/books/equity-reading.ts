/** One reading of the venue's REST figure, carried forward by our own marks and fills until the next reading. */
import { dec, Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import type { ExchangeAccount } from "../../domain/position.ts";

/** Sums over all exchange accounts, USDT. `unrealized` is our own figure where an account does not state one. */
export interface EquityReading {
  readonly equity: Decimal;
  /** The venue's own unrealised result in that figure, and what it was by our marks at that moment. */
  readonly unrealized: Decimal;
  readonly oursThen: Decimal;
  readonly available: Decimal;
  /** When it was asked for: what happened later may not be in it. */
  readonly fromMs: number;
  readonly atMs: number;
}

/** Realised results and fees that a reading does not hold yet. */
export interface Booked {
  readonly atMs: number;
  readonly amount: Decimal;
}

/** A smaller difference means nothing: funding and rounding can cause it too. */
export const NEAR_USDT = dec("5");
const NEAR_SHARE = dec("0.03");

/** Whether two figures of the account's worth confirm each other. */
export const isNear = (a: Decimal, b: Decimal): boolean =>
  a
    .sub(b)
    .abs()
    .lte(Decimal.max(NEAR_USDT, a.abs().mul(NEAR_SHARE)));

/** Null as soon as one account does not state it. */
function unrealizedIn(accounts: readonly ExchangeAccount[]): Decimal | null {
  const reported = accounts.flatMap(({ unrealizedPnl }) => unrealizedPnl ?? []);
  return reported.length === accounts.length ? sumDecimals(reported) : null;
}

/** What the accounts say, with the unrealised result at our own marks of that moment beside it. */
export const readingOf = (
  accounts: readonly ExchangeAccount[],
  oursThen: Decimal,
  fromMs: number,
  atMs: number,
): EquityReading => ({
  equity: sumDecimals(accounts.map((account) => account.equity)),
  unrealized: unrealizedIn(accounts) ?? oursThen,
  oursThen,
  available: sumDecimals(accounts.map((account) => account.availableMargin)),
  fromMs,
  atMs,
});

/** The figure at this instant, given the unrealised result at present marks and what was booked since. */
export function carriedForward(reading: EquityReading, unrealized: Decimal, since: readonly Booked[]): Decimal {
  const booked = sumDecimals(since.map((entry) => entry.amount));
  // While no mark of ours has moved since, the venue's are as new or newer: a stream that was down has missed any price gap.
  const moved = unrealized.eq(reading.oursThen) ? ZERO : unrealized.sub(reading.unrealized);
  return reading.equity.add(moved).add(booked);
}
