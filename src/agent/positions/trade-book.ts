/**
 * The costs and results of positions: fills and funding are summed per position, and a flat position yields one closed
 * trade. Fills may arrive before or after the report that the position is flat, so a trade is written a little later.
 * All money is in USDT. Knows no venue and no journal; the records of earlier runs are passed in.
 */
import { BoundedList, BoundedMap } from "../../core/bounded.ts";
import { type Decimal, dec, maxDecimal } from "../../core/decimal.ts";
import type { ClosedTrade, ExitCause } from "../../domain/closed-trade.ts";
import type { Execution } from "../../domain/order.ts";
import { mustShow } from "./read-lag.ts";
import {
  accountAfter,
  bookFill,
  joinedAccount,
  NEW_ACCOUNT,
  type TradeAccount,
  type TradeCosts,
} from "./trade-account.ts";
import type { PositionMeta } from "./positions.ts";

/** Closed trades kept for the snapshot. */
const RECENT_MAX = 50;
const FILLS_SEEN_MAX = 5_000;
/** A closing fill that is this late will not come: the executions list cannot be read. */
const SETTLE_MS = 90_000;

/** A fill from the journal of an earlier run. */
export interface PastFill {
  readonly positionKey: string;
  readonly opening: boolean;
  readonly execution: Execution;
}

/** From the journal, so that a position held across a restart keeps its costs and its trade. */
export interface RestoredTrades {
  /** Oldest first. */
  readonly closed: readonly ClosedTrade[];
  /** Fills and funding of positions that were open at the end of the journal, oldest first. */
  readonly fills: readonly PastFill[];
  readonly funding: readonly { readonly positionKey: string; readonly amountUsdt: Decimal }[];
}

/** For a start without earlier trades. */
export const NO_TRADES: RestoredTrades = { closed: [], fills: [], funding: [] };

interface Ending {
  readonly key: string;
  readonly account: TradeAccount;
  readonly meta: PositionMeta;
  readonly avgPrice: Decimal;
  readonly qty: Decimal;
  readonly closedAtMs: number;
  readonly missed: boolean;
}

/**
 * Keys are `positionKeyOf`s. A fill counts once, by transaction id, whether it arrives before or after its position is
 * reported as flat.
 */
export interface TradeBook {
  /** False if this fill has been counted before. */
  fill(key: string, opening: boolean, execution: Execution): boolean;
  funding(key: string, amountUsdt: Decimal): void;
  /** The position before the held one was closed at `atMs`, the venue's time: what had filled until then was its own. */
  begin(key: string, atMs: number): void;
  /** Why the held position is about to close; the first reason given counts. */
  ending(key: string, why: string, cause?: ExitCause): void;
  /** The position is flat; `settled` returns its trade later. `missed`: the only evidence is a list without it. */
  flat(
    key: string,
    leg: { readonly meta: PositionMeta; readonly avgPrice: Decimal; readonly qty: Decimal; readonly missed?: boolean },
    atMs: number,
  ): void;
  /** A position missing from a list is held after all: its account continues. */
  back(key: string): void;
  /**
   * Trades whose fills have all arrived, or for which an executions list read since `readMs` shows no more. Each is
   * returned once.
   */
  settled(nowMs: number, readMs: number): readonly ClosedTrade[];
  costs(key: string): TradeCosts;
  /** True while a position is held or its trade is not yet returned. */
  knows(key: string): boolean;
  /** True while the trade of a position that is over lacks closing fills. */
  awaits(key: string): boolean;
  /** Newest first. */
  recent(): readonly ClosedTrade[];
}

/** Fills and funding of restored positions are counted again, so that their trades are complete. */
export function createTradeBook(restored: RestoredTrades): TradeBook {
  const open = new Map<string, TradeAccount>();
  let endings: Ending[] = [];
  const closed = new BoundedList<ClosedTrade>(RECENT_MAX);
  const seen = new BoundedMap<string, true>(FILLS_SEEN_MAX);

  const openAccount = (key: string): TradeAccount => {
    const account = open.get(key) ?? { ...NEW_ACCOUNT };
    open.set(key, account);
    return account;
  };
  /**
   * The position that just ended takes the closing fills it still lacks, but none from after the start of the next one.
   */
  const accountFor = (key: string, opening: boolean, { atMs }: Execution): TradeAccount => {
    const isNext = opening || atMs > (open.get(key)?.beganMs ?? Infinity);
    const ended = isNext ? undefined : endings.find((ending) => ending.key === key && !isWhole(ending));
    return ended?.account ?? openAccount(key);
  };
  const fill: TradeBook["fill"] = (key, opening, execution) => {
    if (seen.has(execution.transactionId)) return false;
    seen.set(execution.transactionId, true);
    bookFill(accountFor(key, opening, execution), opening, execution);
    return true;
  };
  const funding: TradeBook["funding"] = (key, amountUsdt) => {
    const account = openAccount(key);
    account.fundingUsdt = account.fundingUsdt.add(amountUsdt);
  };
  for (const trade of restored.closed) closed.push(trade);
  for (const past of restored.fills) fill(past.positionKey, past.opening, past.execution);
  for (const { positionKey, amountUsdt } of restored.funding) funding(positionKey, amountUsdt);

  return {
    fill,
    funding,
    begin: (key, atMs) => {
      open.set(key, accountAfter(openAccount(key), atMs));
    },
    ending: (key, why, cause = "decision") => {
      openAccount(key).wanted ??= { why, cause };
    },
    flat: (key, { missed = false, ...leg }, closedAtMs) => {
      const account = open.get(key) ?? { ...NEW_ACCOUNT };
      open.delete(key);
      endings.push({ key, account, ...leg, closedAtMs, missed });
    },
    back: (key) => {
      const ending = endings.findLast((candidate) => candidate.key === key && candidate.missed);
      if (!ending) return;
      endings = endings.filter((other) => other !== ending);
      open.set(key, joinedAccount(ending.account, open.get(key) ?? NEW_ACCOUNT));
    },
    settled: (nowMs, readMs) => {
      const shown = ({ closedAtMs }: Ending): boolean => mustShow(readMs, closedAtMs);
      const done = endings.filter(
        (ending) => isWhole(ending) || shown(ending) || nowMs - ending.closedAtMs >= SETTLE_MS,
      );
      if (done.length === 0) return [];
      endings = endings.filter((ending) => !done.includes(ending));
      const trades = done.map(tradeOf);
      for (const trade of trades) closed.push(trade);
      return trades;
    },
    costs: (key) => open.get(key) ?? NEW_ACCOUNT,
    knows: (key) => open.has(key) || endings.some((ending) => ending.key === key),
    awaits: (key) => endings.some((ending) => ending.key === key && !isWhole(ending)),
    recent: () => [...closed.items()].reverse(),
  };
}

const isWhole = ({ account, qty }: Ending): boolean => account.exitQty.gte(maxDecimal(account.entryQty, qty));

function tradeOf({ key, account, meta, avgPrice, qty, closedAtMs }: Ending): ClosedTrade {
  const [symbol = "", side] = key.split("|");
  const exitPrice = account.exitQty.gt(0) ? account.exitValue.div(account.exitQty) : null;
  const { feesUsdt, fundingUsdt } = account;
  const guessed = guessedCause(meta, exitPrice, side === "SHORT");
  return {
    id: `${key}@${meta.openedAtMs}`,
    symbol,
    side: side === "SHORT" ? "SHORT" : "LONG",
    qty: maxDecimal(account.entryQty, qty),
    entryPrice: account.entryQty.gt(0) ? account.entryValue.div(account.entryQty) : avgPrice,
    exitPrice,
    feesUsdt,
    fundingUsdt,
    netUsdt: exitPrice === null ? null : account.realizedUsdt.sub(feesUsdt).add(fundingUsdt),
    openedAtMs: meta.openedAtMs,
    closedAtMs,
    decisionId: meta.decisionId,
    strategy: meta.strategy,
    thesis: meta.thesis,
    basis: meta.basis ?? "none",
    exit: account.wanted?.cause ?? guessed,
    exitReason: account.wanted?.why ?? (guessed === "outside" ? "closed at the venue" : guessed),
  };
}

/** We did not request the close: the stop or target nearest to the exit price shows the cause. */
function guessedCause({ stopPrice, targetPrice }: PositionMeta, exitPrice: Decimal | null, short: boolean): ExitCause {
  if (!exitPrice) return "outside";
  const beyond = (price: Decimal, worse: boolean): boolean =>
    worse === short ? exitPrice.gte(price.mul(SLACK.down)) : exitPrice.lte(price.mul(SLACK.up));
  if (stopPrice && beyond(stopPrice, true)) return "stop";
  if (targetPrice && beyond(targetPrice, false)) return "target";
  return "outside";
}

/** A stop fills at market, slightly above or below its price. */
const SLACK = { up: dec("1.003"), down: dec("0.997") };

/** Funding of one settlement: at a positive rate a long pays and a short receives. */
export function fundingAmount(side: "LONG" | "SHORT", notionalUsdt: Decimal, rate: number): Decimal {
  const amount = notionalUsdt.mul(dec(rate.toFixed(10)));
  return side === "LONG" ? amount.neg() : amount;
}
