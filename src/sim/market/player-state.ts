/** The state of a player of one recorded symbol, and its initial value. */
import type { Entropy } from "../../core/entropy.ts";
import { BookTrack } from "./book-track.ts";
import type { PathPrint } from "./candle-path.ts";
import { type GeneratedSide, emptySide } from "./liquidity.ts";
import type { RecordedPart } from "./part-candle.ts";
import type { Recorded } from "./recorded.ts";
import { CLASS_FIGURES, type ClassFigures, referenceFor } from "./reference-prices.ts";

/** Book and mark price move at this interval, or at every step if the market's steps are longer. */
const SLOW_EVERY_MS = 1_000;
/** A market with steps up to this length plays every print; with longer steps proportionally fewer. */
const FULL_DETAIL_STEP_MS = 2_000;

/** Times are the venue's by default, prices in ticks. Changed only by `player.ts`. */
export interface Player {
  readonly recorded: Recorded;
  readonly symbol: string;
  readonly spot: boolean;
  readonly entropy: Entropy;
  /** Venue time minus tape time. */
  readonly offsetMs: number;
  readonly figures: ClassFigures;
  readonly slowEveryMs: number;
  /** Share of the usual number of prints in a candle. */
  readonly detail: number;
  readonly bids: GeneratedSide;
  readonly asks: GeneratedSide;
  /** The recorded books beneath the candles; null if there are none. */
  readonly track: BookTrack | null;
  /** In venue time, the last opened stretch of recorded trades. */
  fine: RecordedPart;
  /** The next candle to open, and the due trades of the open one. In venue time. */
  nextCandle: number;
  pending: PathPrint[];
  /** End of the open candle; the symbol is live until then. */
  liveUntilMs: number;
  live: boolean;
  lastTicks: number;
  lastBuys: boolean;
  bookTicks: number;
  bookMs: number;
  /** Smoothed prices in ticks. */
  mark: number;
  index: number;
  markMs: number;
  /** Smoothed volume of a minute in lots, from which the depth is generated. */
  minuteLots: number;
  fundingIndex: number;
  nextFundingMs: number;
  ended: boolean;
}

/** Shared by all symbols of a tape, so that they stay synchronised. */
export interface PlayerSettings {
  /** Venue time minus tape time. */
  readonly offsetMs: number;
  /** The interval of market steps. */
  readonly stepMs: number;
}

/** Initially halted before its first candle; `startPlayer` finds its place on the tape. */
export function createPlayer(recorded: Recorded, entropy: Entropy, { offsetMs, stepMs }: PlayerSettings): Player {
  const { symbol } = recorded.spec.rules;
  return {
    recorded,
    symbol,
    spot: symbol.includes("_SPOT_"),
    entropy: entropy.fork(`replay:${recorded.shownAs?.trueSymbol ?? symbol}`),
    offsetMs,
    figures: CLASS_FIGURES[referenceFor(recorded.dataSymbol.replace(/USDT$/, "")).liquidity],
    bids: emptySide(true),
    asks: emptySide(false),
    track: recorded.books.length === 0 ? null : new BookTrack(symbol, recorded.books, offsetMs),
    fine: { fromMs: 0, untilMs: 0 },
    slowEveryMs: Math.max(SLOW_EVERY_MS, stepMs),
    detail: Math.min(1, FULL_DETAIL_STEP_MS / stepMs),
    nextCandle: 0,
    pending: [],
    liveUntilMs: Number.NEGATIVE_INFINITY,
    live: false,
    lastTicks: 0,
    lastBuys: true,
    bookTicks: 0,
    bookMs: Number.NEGATIVE_INFINITY,
    mark: 0,
    index: 0,
    markMs: Number.NEGATIVE_INFINITY,
    minuteLots: 0,
    fundingIndex: 0,
    nextFundingMs: 0,
    ended: false,
  };
}
