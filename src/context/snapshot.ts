/**
 * What a strategy sees: an immutable view of the rolling context at one instant. Figures are floats, for judging; exact
 * money stands in the account part as `Decimal`. What is not known is null, and its age is Infinity.
 */
import type { Headroom } from "../domain/competition.ts";
import type { Decimal } from "../core/decimal.ts";
import type { ClosedTrade } from "../domain/closed-trade.ts";
import type { Candle } from "../domain/market.ts";
import type { LiveScore } from "../domain/live-score.ts";
import type { NewsItem } from "../domain/news-item.ts";
import type { Order } from "../domain/order.ts";
import type { Position } from "../domain/position.ts";
import type { SymbolRules } from "../domain/symbol.ts";
import type { Facts } from "./facts.ts";
import type { HistoryView } from "./history-view.ts";
import type { IndicatorView } from "./indicators.ts";
import type { ItemRecord } from "./news-record.ts";
import type { Lesson, StrategyRecord } from "./memory.ts";

/** One symbol as known at the snapshot's instant. Fractions are of 1, not percent; `fundingRate` is per settlement. */
export interface SymbolView {
  readonly symbol: string;
  readonly base: string;
  readonly rules: SymbolRules | null;
  readonly last: number | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly spreadBps: number | null;
  /** (bid depth - ask depth) / (bid depth + ask depth) over the best levels, -1 to 1. */
  readonly depthImbalance: number | null;
  /** Quote value resting within 10 basis points of the middle, both sides. */
  readonly depthUsdt: number | null;
  readonly mark: number | null;
  readonly index: number | null;
  /** (mark - index) / index in basis points. */
  readonly basisBps: number | null;
  readonly fundingRate: number | null;
  readonly nextFundingAtMs: number | null;
  readonly openInterest: number | null;
  /** Fraction over about the last hour; null until an hour is known. */
  readonly openInterestChange: number | null;
  /** Taker buys minus taker sells over their sum, last 5 minutes, -1 to 1. */
  readonly tradeFlow: number | null;
  /** Quote value of the trades of the last 5 minutes; null while none was reported. */
  readonly tradedUsdt: number | null;
  /** Standard deviation of returns scaled to one hour, as a fraction of price. */
  readonly volatilityHour: number | null;
  /** Returns over spans as fractions: "5m", "1h", "4h", "24h"; absent when not known. */
  readonly returns: Readonly<Record<string, number>>;
  /** Correlation of minute returns with the leader (the first symbol of the universe), -1 to 1. */
  readonly correlationToLeader: number | null;
  /** By interval, oldest first; the last one is the running bar. */
  readonly candles: Readonly<Record<string, readonly Candle[]>>;
  /** By interval ("5m", "1H", "1D"), where that interval is kept. */
  readonly indicators: Readonly<Record<string, IndicatorView>>;
  /** What the past weeks say: one day to three weeks of hours, volume, funding as settled, a path of closes, the regime. */
  readonly history: HistoryView;
  /** Price over that of the same coin on another exchange, less one, in basis points; null where none is watched. */
  readonly crossBasisBps: number | null;
  /** Minute bars that are known, and how many are missing between the newest four hours of them. */
  readonly minutesKnown: number;
  readonly minutesMissing: number;
  /** Milliseconds since the venue last reported each part, Infinity when never. */
  readonly ageMs: {
    readonly book: number;
    readonly bbo: number;
    readonly mark: number;
    readonly index: number;
    readonly trade: number;
    readonly funding: number;
    readonly openInterest: number;
    /** Since the newest minute bar was reported. */
    readonly candle: number;
  };
}

/** A position that is held, with its protection, its origin and what it has cost so far. */
export interface HeldPosition {
  readonly position: Position;
  /** Price of the venue-side stop that stands on it; null while it has none. */
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
  readonly openedAtMs: number;
  /** The decision that opened it; null for an adopted position. */
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly thesis: string | null;
  /** Value at the mark. */
  readonly notionalUsdt: Decimal;
  /** Paid so far for it: fees, and funding received less paid by the rates we knew. */
  readonly feesUsdt: Decimal;
  readonly fundingUsdt: Decimal;
}

/** The account as read from the venue `ageMs` before the snapshot; all money in USDT. */
export interface AccountView {
  readonly equityUsdt: Decimal;
  readonly availableMarginUsdt: Decimal;
  readonly floorUsdt: Decimal;
  /** Equity above the floor. */
  readonly floorDistanceUsdt: Decimal;
  /** Value of all positions, and of long less short ones, at the mark. */
  readonly exposureUsdt: Decimal;
  readonly netExposureUsdt: Decimal;
  readonly unrealizedUsdt: Decimal;
  readonly positions: readonly HeldPosition[];
  readonly openOrders: readonly Order[];
  /** Since the UTC day began. */
  readonly feesTodayUsdt: Decimal;
  readonly realizedTodayUsdt: Decimal;
  /** Own positions that were closed, newest first, bounded; also those of earlier runs. */
  readonly recentTrades: readonly ClosedTrade[];
  readonly ageMs: number;
}

/** One target of a decision, and what has become of it up to the snapshot. */
export interface OwnDecision {
  readonly decisionId: string;
  readonly atMs: number;
  readonly symbol: string;
  readonly stance: "LONG" | "SHORT" | "FLAT";
  /** Share of the largest position, 0 to 1. */
  readonly size: number;
  /** At the decision; null where none was known. */
  readonly price: number | null;
  /** How far the price has moved in favour of the stance since, fraction; for FLAT, how far it fell for whom it closed. */
  readonly moved: number | null;
  /** `none`: nothing was opened by it, or nothing was there to close. `usdt` is open or realised, after costs. */
  readonly result: { readonly kind: "open" | "closed" | "none"; readonly usdt: number | null };
}

/** `atMs` is our own wall time, epoch ms; `account` is null until it has been read. */
export interface Snapshot {
  readonly atMs: number;
  readonly symbols: readonly SymbolView[];
  /** Newest and most relevant first, de-duplicated, bounded. */
  readonly news: readonly NewsItem[];
  /** By item key, what is known of the sources of `news`; absent where nobody measures it. */
  readonly newsRecords?: Readonly<Record<string, ItemRecord>>;
  readonly account: AccountView | null;
  readonly headroom: Headroom;
  /** By the name of each configured source (`sources` in the configuration); empty where none is configured. */
  readonly facts: Facts;
  /** The account's own figures in the competition; absent where none is counted. */
  readonly score?: LiveScore;
  /** Own decisions that wanted something, newest first, bounded; absent where nobody keeps them. */
  readonly decisions?: readonly OwnDecision[];
  /** When each use of the spend plan last had an answer, epoch ms, by its name; absent where nobody keeps it. */
  readonly bought?: Readonly<Record<string, number>>;
  /** What is not known, in words, for the model. */
  readonly missing: readonly string[];
  /** How the shadows have done on paper; absent where nobody keeps such records. */
  readonly records?: readonly StrategyRecord[];
  /** Typed lessons of earlier days that have not expired; `lessonText` words them. */
  readonly lessons?: readonly Lesson[];
}

/** Undefined for a symbol outside the universe. */
export const symbolView = (snapshot: Snapshot, symbol: string): SymbolView | undefined =>
  snapshot.symbols.find((view) => view.symbol === symbol);
