/**
 * A generated market as bars: the simulated service's generator runs ahead, and its trades are aggregated into minutes.
 * The same seed and step give the same prices as the whole service.
 */
import { type Decimal, toFloat } from "../../core/decimal.ts";
import { seededEntropy } from "../../core/entropy.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import type { MarketInput, SymbolSpec } from "../../sim/exchange/contract/market-api.ts";
import { createGenerator } from "../../sim/market/generator.ts";
import type { CandleColumns, FundingRow } from "../../sim/market/import.ts";
import { fitRecorded, type Recorded } from "../../sim/market/recorded.ts";
import type { MarketConditions } from "../../sim/market/reference-prices.ts";

/** Times are epoch ms on a minute; `stepMs` is the step of the market. */
export interface GeneratedMarketSettings {
  readonly symbols: readonly SymbolSpec[];
  readonly seed: number | string;
  readonly conditions: MarketConditions;
  readonly fromMs: number;
  readonly forMs: number;
  readonly stepMs: number;
}

const COLUMNS = ["open", "high", "low", "close", "volume"] as const;

/** Ticks and lots by minute; the volume is zero without trades. */
class Minutes {
  readonly #fromMs: number;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  readonly funding = new Map<number, Decimal>();

  constructor(fromMs: number, count: number) {
    this.#fromMs = fromMs;
    [this.open, this.high, this.low, this.close, this.volume] = COLUMNS.map(() => new Float64Array(count)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
  }

  trade(ticks: number, lots: number, atMs: number): void {
    const at = Math.floor((atMs - this.#fromMs) / MINUTE_MS);
    if (at < 0 || at >= this.open.length) return;
    if (this.volume[at] === 0) this.open[at] = this.high[at] = this.low[at] = ticks;
    this.high[at] = Math.max(this.high[at] ?? 0, ticks);
    this.low[at] = Math.min(this.low[at] ?? ticks, ticks);
    this.close[at] = ticks;
    this.volume[at] = (this.volume[at] ?? 0) + lots;
  }

  /** A minute without a trade repeats the last price; minutes before the first trade take its price. */
  fillGaps(): void {
    let last = this.open.find((ticks) => ticks > 0) ?? 1;
    for (let at = 0; at < this.open.length; at++) {
      if (this.volume[at] === 0) this.open[at] = this.high[at] = this.low[at] = this.close[at] = last;
      last = this.close[at] ?? last;
    }
  }
}

/** Generates all bars at once. */
export function generateBars(settings: GeneratedMarketSettings): readonly Recorded[] {
  const { symbols, seed, conditions, fromMs, forMs, stepMs } = settings;
  const count = Math.ceil(forMs / MINUTE_MS);
  const minutes = new Map(symbols.map(({ rules }) => [rules.symbol, new Minutes(fromMs, count)]));
  const entropy = seededEntropy(`sim:${seed}`).fork("market");
  const tape = createGenerator({ symbols, entropy, conditions, marks: false });
  const ignore = (): void => undefined;
  const input: MarketInput = {
    setLiquidity: ignore,
    changeLiquidity: ignore,
    print: (symbol, _takerBuys, ticks, lots, nowMs) => minutes.get(symbol)?.trade(ticks, lots, nowMs),
    setMark: ignore,
    setFunding: (symbol, rate, nextMs) => void minutes.get(symbol)?.funding.set(nextMs, rate),
    setOpenInterest: ignore,
    setState: ignore,
  };
  tape.start(input, fromMs);
  for (let nowMs = fromMs + stepMs; nowMs < fromMs + forMs + stepMs; nowMs += stepMs) tape.step(nowMs);
  return symbols.map((spec) => recordedOf(spec, minutes.get(spec.rules.symbol) ?? new Minutes(fromMs, count), fromMs));
}

function recordedOf(spec: SymbolSpec, minutes: Minutes, fromMs: number): Recorded {
  minutes.fillGaps();
  const { rules } = spec;
  const priceDecimals = rules.tickSize.decimalPlaces();
  const lot = rules.lotSize.mul(rules.contractSize);
  const volumeDecimals = lot.decimalPlaces();
  const scaled = (column: Float64Array, step: Decimal, decimals: number): Float64Array => {
    const units = Math.round(toFloat(step) * 10 ** decimals);
    return column.map((value) => value * units);
  };
  const price = (column: Float64Array): Float64Array => scaled(column, rules.tickSize, priceDecimals);
  const candles: CandleColumns = {
    count: minutes.open.length,
    openMs: Float64Array.from(minutes.open, (_, at) => fromMs + at * MINUTE_MS),
    open: price(minutes.open),
    high: price(minutes.high),
    low: price(minutes.low),
    close: price(minutes.close),
    volume: scaled(minutes.volume, lot, volumeDecimals),
    priceDecimals,
    volumeDecimals,
  };
  const funding: FundingRow[] = [...minutes.funding]
    .map(([atMs, rate]) => ({ atMs, rate }))
    .sort((a, b) => a.atMs - b.atMs);
  const parsed = parseSymbol(rules.symbol);
  const dataSymbol = `${parsed.ok ? parsed.value.base : rules.symbol}USDT`;
  return fitRecorded({ spec, dataSymbol, candles, intervalMs: MINUTE_MS, funding });
}
