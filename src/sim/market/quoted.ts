/**
 * One symbol of a generated market as its market makers and takers see it: the touch, the liquidity around it, and the
 * trades. The fair price comes from `price-path.ts`.
 */
import { toFloat } from "../../core/decimal.ts";
import type { Entropy } from "../../core/entropy.ts";
import type { MarketInput, SymbolSpec } from "../exchange/contract/market-api.ts";
import type { Carry } from "./carry.ts";
import { CLASS_FIGURES, type ClassFigures, type MarketConditions, type Reference } from "./reference-prices.ts";
import { type BookShape, type GeneratedSide, emptySide, refreshSide, takeLots } from "./liquidity.ts";
import { type BasePath, nervousness } from "./price-path.ts";

/**
 * One symbol with its generated book. `carry` moves beside the price; `refreshedMs` is when the book was last shown.
 */
export interface Quoted {
  readonly spec: SymbolSpec;
  readonly symbol: string;
  readonly spot: boolean;
  readonly path: BasePath;
  readonly figures: ClassFigures;
  readonly fundingScale: number;
  readonly entropy: Entropy;
  /** Shifts the symbol's slow figures against those of the others. */
  readonly phaseMs: number;
  readonly tick: number;
  /** Base units of one lot. */
  readonly lotBase: number;
  readonly carry: Carry;
  readonly bids: GeneratedSide;
  readonly asks: GeneratedSide;
  refreshedMs: number;
  /** The last reported settlement; 0 before the start and for spot. */
  nextFundingMs: number;
}

/** `path` is shared by all symbols of the base, `entropy` is the symbol's own. */
export interface QuotedSettings {
  readonly spec: SymbolSpec;
  readonly path: BasePath;
  readonly spot: boolean;
  readonly entropy: Entropy;
  readonly conditions: MarketConditions;
}

/** An unchanged book is refreshed at this interval, to restore what was taken. */
const REFRESH_EVERY_MS = 1_000;
const TRADES_PER_STEP_MAX = 12;
/** A move through the book prints at this many levels at most. */
const SWEEP_LEVELS = 4;

/** Without a book: the first `moveBook` shows one. */
export function createQuoted(settings: QuotedSettings): Quoted {
  const { spec, path, spot, entropy, conditions } = settings;
  const figures = figuresOf(path.reference, conditions);
  const price = Math.exp(path.logPrice);
  const contract = toFloat(spec.rules.contractSize);
  const first = path.reference.kind === "pegged" || spot ? 0 : figures.basis * entropy.normal("quoted:basis");
  return {
    spec,
    symbol: spec.rules.symbol,
    spot,
    path,
    figures,
    fundingScale: conditions.funding,
    entropy,
    phaseMs: entropy.int("quoted:phase", 0, 60_000),
    tick: toFloat(spec.rules.tickSize),
    lotBase: toFloat(spec.rules.lotSize) * contract,
    carry: { basis: first, mark: price, premium: first, openInterest: figures.openInterestUsdt / price / contract },
    bids: emptySide(true),
    asks: emptySide(false),
    refreshedMs: Number.NEGATIVE_INFINITY,
    nextFundingMs: 0,
  };
}

function figuresOf({ liquidity, kind }: Reference, conditions: MarketConditions): ClassFigures {
  const table = CLASS_FIGURES[liquidity];
  const usual = kind === "pegged" ? { ...table, basis: 1e-5, spread: 1e-6 } : table;
  return {
    ...usual,
    spread: usual.spread * conditions.spread,
    levelUsdt: usual.levelUsdt * conditions.depth,
    // A market that hardly moves also stays close to its index.
    basis: usual.basis * Math.min(1, conditions.volatility),
  };
}

/** Middle of the touch, price. */
export const middleOf = (quoted: Quoted): number => ((quoted.bids.best + quoted.asks.best) / 2) * quoted.tick;

function shapeNow(quoted: Quoted, price: number): BookShape {
  const { figures, tick } = quoted;
  const nervous = nervousness(quoted.path);
  return {
    pitchTicks: Math.max(1, Math.round((price * figures.pitch) / tick)),
    levelLots: Math.max(1, figures.levelUsdt / (price * quoted.lotBase) / Math.max(0.8, nervous)),
    spreadTicks: Math.max(1, Math.round((price * figures.spread * nervous) / tick)),
  };
}

/** The new touch: unchanged while the fair price is inside it and its width fits, else around the fair price. */
function wantedTouch(quoted: Quoted, middleTicks: number, spreadTicks: number): readonly [bid: number, ask: number] {
  const { bids, asks } = quoted;
  const inside = bids.best > 0 && middleTicks >= bids.best && middleTicks <= asks.best;
  if (inside && Math.abs(asks.best - bids.best - spreadTicks) <= spreadTicks * 0.3) return [bids.best, asks.best];
  const bid = Math.max(1, Math.floor(middleTicks - (spreadTicks - 1) / 2));
  return [bid, bid + spreadTicks];
}

/**
 * Moves the book to the fair price. If the price has moved through resting levels, takers print there first, so that
 * participants in the way are filled before the book moves past them.
 */
export function moveBook(input: MarketInput, quoted: Quoted, nowMs: number): void {
  const price = Math.exp(quoted.path.logPrice + quoted.carry.basis);
  const shape = shapeNow(quoted, price);
  const [bid, ask] = wantedTouch(quoted, price / quoted.tick, shape.spreadTicks);
  const still = bid === quoted.bids.best && ask === quoted.asks.best;
  if (still && nowMs - quoted.refreshedMs < REFRESH_EVERY_MS) return;
  if (quoted.bids.best > 0 && bid >= quoted.asks.best) sweep(input, quoted, bid, nowMs);
  else if (quoted.bids.best > 0 && ask <= quoted.bids.best) sweep(input, quoted, ask, nowMs);
  quoted.refreshedMs = nowMs;
  const rising = bid > quoted.bids.best;
  const show = (side: GeneratedSide, best: number): void =>
    input.setLiquidity(quoted.symbol, side.bid, refreshSide(side, best, shape, quoted.entropy), nowMs);
  // The receding side moves first, so that the two never cross.
  if (rising) show(quoted.asks, ask);
  show(quoted.bids, bid);
  if (!rising) show(quoted.asks, ask);
}

/** Takers run through the levels up to `limit`: buys if it is above the asks, sells if below the bids. */
function sweep(input: MarketInput, quoted: Quoted, limit: number, nowMs: number): void {
  const up = limit >= quoted.asks.best;
  const { prices, lots } = (up ? quoted.asks : quoted.bids).rows;
  const passed = prices.filter((price) => (up ? price <= limit : price >= limit));
  const stride = Math.max(1, Math.ceil(passed.length / SWEEP_LEVELS));
  passed.forEach((price, i) => {
    if (i % stride !== 0 || price === limit) return;
    input.print(quoted.symbol, up, price, tradeLots(quoted, lots[i] ?? 1), nowMs);
  });
  input.print(quoted.symbol, up, limit, tradeLots(quoted, Number.MAX_SAFE_INTEGER), nowMs);
}

function tradeLots(quoted: Quoted, most: number): number {
  const usdt = quoted.figures.tradeUsdt * Math.exp(1.1 * quoted.entropy.normal("trade:size"));
  const price = Math.max(quoted.tick, middleOf(quoted));
  return Math.max(1, Math.min(most, Math.round(usdt / (price * quoted.lotBase))));
}

/** A Poisson draw by inversion, for a small mean. */
function drawCount(mean: number, entropy: Entropy): number {
  let chance = Math.exp(-Math.min(mean, 30));
  let left = entropy.next("trade:count");
  let count = 0;
  while (left > chance && count < TRADES_PER_STEP_MAX) {
    left -= chance;
    count++;
    chance *= mean / count;
  }
  return count;
}

/** Takers at the touch. They favour the direction of the price, and a large one walks up to three levels. */
export function tradeAtTouch(input: MarketInput, quoted: Quoted, fromMs: number, toMs: number): void {
  const rate = quoted.figures.tradesPerSecond * nervousness(quoted.path);
  const count = drawCount((rate * (toMs - fromMs)) / 1_000, quoted.entropy);
  const lean = 0.5 + 0.3 * Math.tanh(quoted.path.pressure / 1.5);
  for (let i = 0; i < count; i++) {
    const buys = quoted.entropy.chance("trade:side", lean);
    const side = buys ? quoted.asks : quoted.bids;
    const limit = buys ? Number.MAX_SAFE_INTEGER : 0;
    for (const [price, lots] of takeLots(side, tradeLots(quoted, Number.MAX_SAFE_INTEGER), limit, 3)) {
      input.print(quoted.symbol, buys, price, lots, toMs);
    }
  }
}
