/**
 * What the account is worth, from three witnesses that may disagree: the venue's REST figure carried forward by our own
 * marks, the balance pushes of the user stream, and our own count since the day began. Also the day's anchors, which
 * survive restarts because they are journalled. All money in USDT.
 */
import { BoundedMap } from "../core/bounded.ts";
import { dec, type Decimal, sumDecimals, ZERO } from "../core/decimal.ts";
import { utcDay } from "../core/time.ts";
import type { Execution } from "../domain/order.ts";
import type { Asset, ExchangeAccount } from "../domain/position.ts";

export interface DayAnchors {
  readonly day: string;
  readonly equityStartUsdt: Decimal;
  /** Unrealised result at that moment: what later changes of it are measured from. */
  readonly unrealizedStartUsdt: Decimal;
  readonly feesUsdt: Decimal;
  readonly realizedUsdt: Decimal;
}

export interface EquityWitnesses {
  /** Null while a witness has nothing to say. */
  readonly rest: Decimal | null;
  readonly stream: Decimal | null;
  readonly own: Decimal | null;
}

export interface EquityBook {
  sweep(accounts: readonly ExchangeAccount[], unrealized: Decimal, startedAtMs: number, atMs: number): void;
  asset(asset: Asset, atMs: number): void;
  fill(execution: Execution, atMs: number): void;
  /** The three figures at this instant, given the unrealised result at present marks. The same object while nothing has changed. */
  witnesses(unrealized: Decimal): EquityWitnesses;
  /** The figure decisions are based on: REST carried forward; null before the first reading. */
  live(unrealized: Decimal): Decimal | null;
  readAtMs(): number | null;
  /** When the last reading was begun: what happened later may not be in it. */
  readFromMs(): number;
  availableMargin(): Decimal;
  /**
   * Until `untilMs` the operator may change the money itself, as at the beginning of a phase: where a reading then differs
   * from our own count, the day is counted anew from that reading, so that a reset is not taken for a loss or a gain.
   */
  expectReset(untilMs: number): void;
  /** Today's anchors; rolls over when the UTC day has changed (never back). */
  anchors(atMs: number, unrealized: Decimal): DayAnchors | null;
}

const SEEN_CAP = 5_000;
/** A smaller difference is not worth a new count: funding and rounding reach it too. */
const RESET_FROM_USDT = dec("5");

export function createEquityBook(restored: DayAnchors | null): EquityBook {
  let restEquity: Decimal | null = null;
  /** The venue's own unrealised result in that figure, and what it was by our marks at that moment. */
  let restUnrealized = ZERO;
  let oursThen = ZERO;
  let available = ZERO;
  let readAtMs: number | null = null;
  let anchors = restored;
  /** Realised results and fees that the REST figure does not hold yet. */
  let sweptFromMs = -Infinity;
  let sinceSweep: { atMs: number; amount: Decimal }[] = [];
  let resetUntilMs = -Infinity;
  const balances = new Map<string, Decimal>();
  const seenFills = new BoundedMap<string, true>(SEEN_CAP);
  /** What was last said, and for which unrealised result: it is asked for at every tick and seldom differs. */
  let said: { readonly unrealized: Decimal; readonly witnesses: EquityWitnesses } | null = null;

  const live = (unrealized: Decimal): Decimal | null => {
    if (restEquity === null) return null;
    const booked = sumDecimals(sinceSweep.map((entry) => entry.amount));
    // While no mark of ours has moved since, the venue's are as new or newer: a stream that was down knows nothing of a gap.
    const moved = unrealized.eq(oursThen) ? ZERO : unrealized.sub(restUnrealized);
    return restEquity.add(moved).add(booked);
  };
  const roll = (atMs: number, unrealized: Decimal): void => {
    const day = utcDay(atMs);
    if (anchors && day <= anchors.day) return;
    const equity = live(unrealized);
    if (equity === null) return;
    anchors = begun(day, equity, unrealized);
    said = null;
  };
  const isReset = (atMs: number, unrealized: Decimal): boolean => {
    const equity = live(unrealized);
    if (atMs >= resetUntilMs || equity === null || anchors === null) return false;
    return ownCount(anchors, unrealized).sub(equity).abs().gt(RESET_FROM_USDT);
  };
  return {
    expectReset: (untilMs) => {
      resetUntilMs = untilMs;
    },
    sweep: (accounts, unrealized, startedAtMs, atMs) => {
      said = null;
      restEquity = sumDecimals(accounts.map((account) => account.equity));
      restUnrealized = unrealizedIn(accounts) ?? unrealized;
      oursThen = unrealized;
      available = sumDecimals(accounts.map((account) => account.availableMargin));
      readAtMs = atMs;
      sweptFromMs = startedAtMs;
      sinceSweep = sinceSweep.filter((entry) => entry.atMs >= startedAtMs);
      if (isReset(atMs, unrealized)) anchors = begun(utcDay(atMs), restEquity, unrealized);
    },
    asset: (asset) => {
      said = null;
      balances.set(`${asset.exchange}|${asset.coin}`, asset.balance);
    },
    fill: (execution, atMs) => {
      if (seenFills.has(execution.transactionId)) return;
      said = null;
      seenFills.set(execution.transactionId, true);
      if (atMs >= sweptFromMs) sinceSweep.push({ atMs, amount: execution.realizedPnl.sub(execution.fee) });
      if (!anchors) return;
      anchors = {
        ...anchors,
        feesUsdt: anchors.feesUsdt.add(execution.fee),
        realizedUsdt: anchors.realizedUsdt.add(execution.realizedPnl),
      };
    },
    witnesses: (unrealized) => {
      if (said?.unrealized === unrealized) return said.witnesses;
      const usdt = [...balances].filter(([key]) => key.endsWith("|USDT")).map(([, balance]) => balance);
      const witnesses: EquityWitnesses = {
        rest: live(unrealized),
        stream: usdt.length > 0 ? sumDecimals(usdt).add(unrealized) : null,
        own: anchors ? ownCount(anchors, unrealized) : null,
      };
      said = { unrealized, witnesses };
      return witnesses;
    },
    live,
    readAtMs: () => readAtMs,
    readFromMs: () => sweptFromMs,
    availableMargin: () => available,
    anchors: (atMs, unrealized) => {
      roll(atMs, unrealized);
      return anchors;
    },
  };
}

/** Null as soon as one account does not say. */
function unrealizedIn(accounts: readonly ExchangeAccount[]): Decimal | null {
  const told = accounts.flatMap(({ unrealizedPnl }) => unrealizedPnl ?? []);
  return told.length === accounts.length ? sumDecimals(told) : null;
}

const begun = (day: string, equityStartUsdt: Decimal, unrealizedStartUsdt: Decimal): DayAnchors => ({
  day,
  equityStartUsdt,
  unrealizedStartUsdt,
  feesUsdt: ZERO,
  realizedUsdt: ZERO,
});

const ownCount = (anchors: DayAnchors, unrealized: Decimal): Decimal =>
  anchors.equityStartUsdt
    .add(anchors.realizedUsdt)
    .sub(anchors.feesUsdt)
    .add(unrealized.sub(anchors.unrealizedStartUsdt));
