/**
 * One recorded symbol on the venue's time: hands out the trades of its candles as they fall due, keeps a made book around
 * the last one, and tells mark, index, funding and open interest. Index and open interest are made up: the data has
 * none. A symbol is halted before its first candle, over gaps in its data, and after its last one.
 */
import { quantize, toFloat } from "../../core/decimal.ts";
import type { Entropy } from "../../core/entropy.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { MarketInput } from "../exchange/api.ts";
import { candlePrints, type PathPrint } from "./candle-path.ts";
import { nextFundingAfter } from "./carry.ts";
import { type BookShape, type BookSide, emptySide, refreshSide, takeLots } from "./liquidity.ts";
import { candleIndexFrom, NO_FUNDING_RATE, type Recorded, recordedPrints, wholeCandle } from "./recorded.ts";
import { CLASS_FIGURES, type ClassFigures, referenceFor } from "./reference-prices.ts";

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
  readonly bids: BookSide;
  readonly asks: BookSide;
  /** Next candle to be opened, and the trades still due of the one that is open. In venue time. */
  nextCandle: number;
  pending: PathPrint[];
  /** End of the candle that is open; the symbol is live until then. */
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
  /** Smoothed volume of a minute in lots: what the made depth is drawn from. */
  minuteLots: number;
  fundingIndex: number;
  nextFundingMs: number;
  ended: boolean;
}

export interface DuePrint {
  readonly player: Player;
  readonly print: PathPrint;
}

/** Book and mark move this often, or on every beat of a market whose beat is slower. */
const SLOW_EVERY_MS = 1_000;
/** A market with beats up to this one has every print; a slower one fewer in proportion. */
const FULL_DETAIL_BEAT_MS = 2_000;
const MARK_SMOOTHING_MS = 3_000;
const INDEX_SMOOTHING_MS = 12_000;
/** A near level holds this share of a minute's volume. */
const LEVEL_SHARE = 0.03;
/** Resting value of a near level at least, USDT, so that a quiet hour still has a book. */
const LEVEL_USDT_MIN = 400;

export interface PlayerSettings {
  /** Venue time minus tape time. */
  readonly offsetMs: number;
  /** How often the market moves. */
  readonly beatMs: number;
}

export function createPlayer(recorded: Recorded, entropy: Entropy, { offsetMs, beatMs }: PlayerSettings): Player {
  const { symbol } = recorded.spec.rules;
  return {
    recorded,
    symbol,
    spot: symbol.includes("_SPOT_"),
    entropy: entropy.fork(`replay:${symbol}`),
    offsetMs,
    figures: CLASS_FIGURES[referenceFor(recorded.dataSymbol.replace(/USDT$/, "")).liquidity],
    bids: emptySide(true),
    asks: emptySide(false),
    slowEveryMs: Math.max(SLOW_EVERY_MS, beatMs),
    detail: Math.min(1, FULL_DETAIL_BEAT_MS / beatMs),
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

/** Sets the symbol up: the candle that is running joins midway, without the trades that lie before `nowMs`. */
export function startPlayer(input: MarketInput, player: Player, nowMs: number): void {
  const { recorded } = player;
  const at = candleIndexFrom(recorded.candles, nowMs - player.offsetMs - recorded.intervalMs + 1);
  player.nextCandle = at;
  player.fundingIndex = 0;
  input.setState(player.symbol, "halted");
  openCandles(input, player, nowMs);
  while (player.pending[0] && player.pending[0].atMs < nowMs) {
    const passed = player.pending.shift();
    if (passed) remember(player, passed);
  }
  if (!player.spot) renewFunding(input, player, nowMs);
  if (player.live) playBook(input, player, nowMs);
}

function remember(player: Player, print: PathPrint): void {
  player.lastTicks = print.ticks;
  player.lastBuys = print.takerBuys;
}

const seedOf = (player: Player, openMs: number): Entropy =>
  player.entropy.fork(`${player.recorded.dataSymbol}:${String(openMs)}`);

/** Opens every candle that begins up to `untilMs` and queues its trades. */
function openCandles(input: MarketInput, player: Player, untilMs: number): void {
  const { recorded, offsetMs } = player;
  const { candles, intervalMs } = recorded;
  while (player.nextCandle < candles.count) {
    const openMs = (candles.openMs[player.nextCandle] ?? 0) + offsetMs;
    if (openMs > untilMs) return;
    const whole = wholeCandle(recorded, player.nextCandle++);
    const made = (): readonly PathPrint[] =>
      candlePrints({ ...whole, openMs }, seedOf(player, whole.openMs), player.detail);
    const prints = recordedPrints(recorded, whole, openMs) ?? made();
    for (const print of prints) player.pending.push(print);
    player.liveUntilMs = openMs + intervalMs;
    const perMinute = (whole.volume * MINUTE_MS) / intervalMs;
    player.minuteLots = player.minuteLots === 0 ? perMinute : player.minuteLots * 0.9 + perMinute * 0.1;
    if (player.lastTicks === 0 || !player.live) jumpTo(player, whole.open);
    if (!player.live) go(input, player, true);
  }
}

function jumpTo(player: Player, ticks: number): void {
  player.lastTicks = ticks;
  player.mark = ticks;
  player.index = ticks;
}

function go(input: MarketInput, player: Player, live: boolean): void {
  player.live = live;
  input.setState(player.symbol, live ? "live" : "halted");
}

/** The trades that fall due up to `untilMs`; opens candles on the way. */
export function duePrints(input: MarketInput, player: Player, untilMs: number): readonly DuePrint[] {
  openCandles(input, player, untilMs);
  const found = player.pending.findIndex((print) => print.atMs > untilMs);
  const due = player.pending.splice(0, found < 0 ? player.pending.length : found);
  return due.map((print) => ({ player, print }));
}

export function playPrint(input: MarketInput, player: Player, print: PathPrint): void {
  input.print(player.symbol, print.takerBuys, print.ticks, print.lots, print.atMs);
  takeLots(print.takerBuys ? player.asks : player.bids, print.lots, print.ticks, Number.MAX_SAFE_INTEGER);
  remember(player, print);
}

function shapeNow(player: Player): BookShape {
  const { recorded, figures, lastTicks } = player;
  const { tickSize, lotSize, contractSize } = recorded.spec.rules;
  const lotUsdt = lastTicks * toFloat(tickSize) * toFloat(lotSize) * toFloat(contractSize);
  return {
    pitchTicks: Math.max(1, Math.round(lastTicks * figures.pitch)),
    levelLots: Math.max(1, player.minuteLots * LEVEL_SHARE, LEVEL_USDT_MIN / lotUsdt),
    spreadTicks: Math.max(1, Math.round(lastTicks * figures.spread)),
  };
}

/** Halts the symbol where its data stops. Called when all trades up to `nowMs` have been played. */
export function haltWhereOver(input: MarketInput, player: Player, nowMs: number): void {
  if (!player.live || nowMs < player.liveUntilMs) return;
  go(input, player, false);
  player.ended = player.nextCandle >= player.recorded.candles.count;
}

/** Brings book and mark to the last trade: the side it took stands at its price, the other a spread away. */
export function playBook(input: MarketInput, player: Player, nowMs: number): void {
  if (!player.live) return;
  const { lastTicks, lastBuys } = player;
  const shape = shapeNow(player);
  const bid = Math.max(1, lastBuys ? lastTicks - shape.spreadTicks : lastTicks);
  const moved = bid !== player.bids.best || player.bookTicks !== lastTicks;
  if (moved || nowMs - player.bookMs >= player.slowEveryMs) {
    const rising = bid > player.bids.best;
    const show = (side: BookSide, best: number): void =>
      input.setLiquidity(player.symbol, side.bid, refreshSide(side, best, shape, player.entropy), nowMs);
    // The side that gives way goes first, so that the two never cross.
    if (rising) show(player.asks, bid + shape.spreadTicks);
    show(player.bids, bid);
    if (!rising) show(player.asks, bid + shape.spreadTicks);
    player.bookTicks = lastTicks;
    player.bookMs = nowMs;
  }
  if (nowMs - player.markMs >= player.slowEveryMs) tellMark(input, player, nowMs);
}

function tellMark(input: MarketInput, player: Player, nowMs: number): void {
  const middle = (player.bids.best + player.asks.best) / 2;
  const passed = Math.min(HOUR_MS, nowMs - player.markMs);
  const towards = (from: number, memoryMs: number): number =>
    from + (middle - from) * (1 - Math.exp(-passed / memoryMs));
  player.mark = towards(player.mark, MARK_SMOOTHING_MS);
  player.index = towards(player.index, INDEX_SMOOTHING_MS);
  player.markMs = nowMs;
  const { tickSize } = player.recorded.spec.rules;
  const price = (ticks: number): ReturnType<typeof quantize> => tickSize.mul(Math.max(1, Math.round(ticks)));
  input.setMark(player.symbol, price(player.mark), price(player.index), nowMs);
}

/** What changes seldom. Called at the beginning of a step, so that a settlement that was reached has been settled. */
export function playSlow(input: MarketInput, player: Player, nowMs: number): void {
  if (!player.spot && nowMs >= player.nextFundingMs) renewFunding(input, player, nowMs);
}

/** Names the next settlement: the recorded one, its time shifted with the tape, or the plain grid where none is. */
function renewFunding(input: MarketInput, player: Player, nowMs: number): void {
  const { funding, spec } = player.recorded;
  const shifted = (i: number): number => (funding[i]?.atMs ?? 0) + player.offsetMs;
  while (player.fundingIndex < funding.length && shifted(player.fundingIndex) <= nowMs) player.fundingIndex++;
  const row = funding[player.fundingIndex];
  player.nextFundingMs = row ? shifted(player.fundingIndex) : nextFundingAfter(nowMs);
  input.setFunding(player.symbol, row?.rate ?? NO_FUNDING_RATE, player.nextFundingMs);
  if (player.lastTicks === 0) return;
  const { tickSize, lotSize, contractSize } = spec.rules;
  const price = toFloat(tickSize) * player.lastTicks * toFloat(contractSize);
  input.setOpenInterest(player.symbol, quantize(player.figures.openInterestUsdt / price, lotSize, "nearest"), nowMs);
}
