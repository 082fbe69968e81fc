/** One shadow: a strategy without the right to trade, its paper account, and the question it may be waiting for. */
import type { StrategyRecord } from "../../context/memory.ts";
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { armedHash } from "../../strategy/armed-hash.ts";
import { type Quarantine, createQuarantine } from "../../strategy/quarantine.ts";
import type { ModelQuestion, Reply } from "../../strategy/strategy.ts";
import type { ShadowArmed } from "../contract/events.ts";
import { type MarkOf, PAPER_CAPITAL, PaperAccount } from "./paper-account.ts";
import { paperFromRow, paperRow } from "./paper-rows.ts";
import type { ShadowRow } from "../../rows/shadow.ts";

/** Questions of one round, waiting for their turn or for their answers. */
export interface ShadowRound {
  readonly decisionId: string;
  readonly round: number;
  readonly firstPart: number;
  readonly questions: readonly ModelQuestion[];
  readonly carry: unknown;
  /** Null until they have been asked. */
  readonly askedMs: number | null;
  readonly replies: readonly (Reply | null)[];
}

/** `hash` is of the strategy's name and settings: where it differs, an account of before is not taken over. */
export interface PaperBook {
  readonly shadow: ShadowArmed;
  readonly hash: string;
  readonly account: PaperAccount;
  readonly quarantine: Quarantine;
  waiting: ShadowRound | null;
  /** What its last question cost, USD: what the next one is likely to cost. */
  lastCostUsd: Decimal;
  /** The model that answered it last. */
  model: string | null;
  writtenMs: number;
}

const hashOfShadow = ({ armed }: ShadowArmed): string => armedHash(armed).slice(0, 16);

/**
 * A book for a shadow: the given one of an earlier run where strategy, settings and code are the same, else a new one. What the
 * given one has spent on models today stays spent.
 */
export function bookFor(shadow: ShadowArmed, restored: ShadowRow | undefined, nowMs: number): PaperBook {
  const hash = hashOfShadow(shadow);
  const account = restored?.hash === hash ? paperFromRow(restored.account) : new PaperAccount(nowMs);
  if (restored?.account.day.name === account.day.name) account.day.modelUsd = restored.account.day.modelUsd;
  return {
    shadow,
    hash,
    account,
    quarantine: createQuarantine(),
    waiting: null,
    lastCostUsd: ZERO,
    model: null,
    writtenMs: nowMs,
  };
}

/** True if the book continues under this configuration: the same strategy with the same settings and code. */
export const fits = (book: PaperBook, shadow: ShadowArmed): boolean => book.hash === hashOfShadow(shadow);

/** The body of a shadow row. */
export const bookRow = (book: PaperBook, event: ShadowRow["event"]): ShadowRow => ({
  event,
  book: book.shadow.name,
  strategy: book.shadow.armed.strategy.name,
  hash: book.hash,
  account: paperRow(book.account),
});

/** The score, open positions at these marks. What the model cost is reported beside the return, not taken off it. */
export function recordOf(book: PaperBook, marks: MarkOf): StrategyRecord {
  const { account, shadow } = book;
  const { decisions, failed, trades, wins, modelUsd } = account.totals;
  return {
    name: shadow.name,
    strategy: shadow.armed.strategy.name,
    sinceMs: account.sinceMs,
    decisions,
    failed,
    trades,
    wins,
    open: account.positions.size,
    returnAfterCosts: account.equity(marks).div(PAPER_CAPITAL).sub(1).toNumber(),
    maxDrawdown: account.maxDrawdown,
    sharpe: account.sharpe(),
    hourlyDrawdown: account.score.drawdown,
    model: book.model,
    modelCostUsd: modelUsd.toNumber(),
    costBps: account.costBps(),
  };
}
