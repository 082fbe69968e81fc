/**
 * One recorded symbol on the venue's time: plays the trades of its candles as they fall due, keeps a generated book
 * around the last one, and reports mark, index, funding and open interest. Index and open interest are generated,
 * because the data have none. A symbol is halted before its first candle, over gaps in its data, and after its last
 * one.
 */
import { quantize, toFloat } from "../../core/decimal.ts";
import type { Entropy } from "../../core/entropy.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { MarketInput } from "../exchange/contract/market-api.ts";
import type { DueDepth } from "./book-track.ts";
import { candlePrints, type PathPrint } from "./candle-path.ts";
import { nextFundingAfter } from "./carry.ts";
import { type BookShape, type GeneratedSide, refreshSide, takeLots } from "./liquidity.ts";
import type { RecordedPart } from "./part-candle.ts";
import type { Player } from "./player-state.ts";
import { candleIndexFrom, NO_FUNDING_RATE, recordedPrints, wholeCandle } from "./recorded.ts";

/** A trade or a change of a recorded book that is due. */
export interface DueEvent {
  readonly player: Player;
  readonly atMs: number;
  readonly print: PathPrint | null;
  readonly depth: DueDepth | null;
}

const MARK_SMOOTHING_MS = 3_000;
const INDEX_SMOOTHING_MS = 12_000;
/** A near level holds this share of a minute's volume. */
const LEVEL_SHARE = 0.03;
/** Minimum resting value of a near level, USDT, so that a quiet hour still has a book. */
const LEVEL_USDT_MIN = 400;

/** Sets the symbol up; the running candle is joined without its trades before `nowMs`. */
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
  for (const depth of player.track?.due(nowMs) ?? []) player.track?.take(input, depth);
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
    const chance = seedOf(player, whole.openMs);
    const found = recordedPrints(recorded, whole, openMs, (candle, part) =>
      candlePrints(candle, chance.fork(part), player.detail),
    );
    const made = (): readonly PathPrint[] => candlePrints({ ...whole, openMs }, chance, player.detail);
    for (const print of found?.prints ?? made()) player.pending.push(print);
    if (found) widenFine(player, found.fine);
    player.liveUntilMs = openMs + intervalMs;
    const perMinute = (whole.volume * MINUTE_MS) / intervalMs;
    player.minuteLots = player.minuteLots === 0 ? perMinute : player.minuteLots * 0.9 + perMinute * 0.1;
    if (player.lastTicks === 0 || !player.live) jumpTo(player, whole.open);
    if (!player.live) go(input, player, true);
  }
}

function widenFine(player: Player, stretch: RecordedPart): void {
  const joins = player.fine.untilMs === stretch.fromMs;
  player.fine = joins ? { ...player.fine, untilMs: stretch.untilMs } : stretch;
}

/** Whether the exchange shows the recorded book: if both it and the trades that took from it are known. */
const showsRecorded = ({ track, fine, live }: Player, nowMs: number): boolean =>
  live && track !== null && track.covers(nowMs) && nowMs >= fine.fromMs && nowMs < fine.untilMs;

function jumpTo(player: Player, ticks: number): void {
  player.lastTicks = ticks;
  player.mark = ticks;
  player.index = ticks;
}

function go(input: MarketInput, player: Player, live: boolean): void {
  player.live = live;
  input.setState(player.symbol, live ? "live" : "halted");
}

/** The trades and book changes due up to `untilMs`, trades first at equal times; opens candles on the way. */
export function dueUntil(input: MarketInput, player: Player, untilMs: number): readonly DueEvent[] {
  openCandles(input, player, untilMs);
  const found = player.pending.findIndex((print) => print.atMs > untilMs);
  const prints = player.pending.splice(0, found < 0 ? player.pending.length : found);
  const depths = player.track?.due(untilMs) ?? [];
  return [
    ...prints.map((print): DueEvent => ({ player, atMs: print.atMs, print, depth: null })),
    ...depths.map((depth): DueEvent => ({ player, atMs: depth.atMs, print: null, depth })),
  ];
}

/** Call in order of time over all symbols. A recorded book is shown from the first event whose trades are known too. */
export function playDue(input: MarketInput, { player, print, depth, atMs }: DueEvent): void {
  if (print) playPrint(input, player, print);
  if (!depth) return;
  player.track?.take(input, depth);
  if (player.track?.serving === false && showsRecorded(player, atMs)) player.track.show(input, atMs);
}

function playPrint(input: MarketInput, player: Player, print: PathPrint): void {
  const { takerBuys, ticks, lots, atMs } = print;
  if (player.track?.serving) player.track.makeWay(input, takerBuys, ticks, atMs);
  input.print(player.symbol, takerBuys, ticks, lots, atMs);
  takeLots(takerBuys ? player.asks : player.bids, lots, ticks, Number.MAX_SAFE_INTEGER);
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

/** Advances book and mark price to the present: the recorded book if there is one, else one around the last trade. */
export function playBook(input: MarketInput, player: Player, nowMs: number): void {
  if (!player.live) return;
  if (showsRecorded(player, nowMs)) player.track?.show(input, nowMs);
  else playMadeBook(input, player, nowMs);
  if (nowMs - player.markMs >= player.slowEveryMs) reportMark(input, player, nowMs);
}

/** The side that the last trade took is at its price, and the other side a spread away. */
function playMadeBook(input: MarketInput, player: Player, nowMs: number): void {
  if (player.track?.serving) {
    player.track.leave();
    player.bookMs = Number.NEGATIVE_INFINITY;
  }
  const { lastTicks, lastBuys } = player;
  const shape = shapeNow(player);
  const bid = Math.max(1, lastBuys ? lastTicks - shape.spreadTicks : lastTicks);
  const moved = bid !== player.bids.best || player.bookTicks !== lastTicks;
  if (moved || nowMs - player.bookMs >= player.slowEveryMs) {
    const rising = bid > player.bids.best;
    const show = (side: GeneratedSide, best: number): void =>
      input.setLiquidity(player.symbol, side.bid, refreshSide(side, best, shape, player.entropy), nowMs);
    // The receding side moves first, so that the two never cross.
    if (rising) show(player.asks, bid + shape.spreadTicks);
    show(player.bids, bid);
    if (!rising) show(player.asks, bid + shape.spreadTicks);
    player.bookTicks = lastTicks;
    player.bookMs = nowMs;
  }
}

function reportMark(input: MarketInput, player: Player, nowMs: number): void {
  const { bids, asks } = player.track?.serving ? player.track : player;
  const middle = bids.best > 0 && asks.best > 0 ? (bids.best + asks.best) / 2 : player.lastTicks;
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

/** The slow figures. Called at the start of a step, after a reached settlement has been settled. */
export function playSlow(input: MarketInput, player: Player, nowMs: number): void {
  if (!player.spot && nowMs >= player.nextFundingMs) renewFunding(input, player, nowMs);
}

/** Sets the next settlement: the recorded one, its time shifted with the tape, or the plain grid without one. */
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
