/** How a generated market differs from the reference table. Every figure multiplies the table's; 1 is the table itself. */
export interface MarketConditions {
  /** Of every base's own moves, jumps and, below 1, of the distance between perpetual and index. Above zero. */
  readonly volatility: number;
  /** Distance of best bid and best ask; never under one tick. */
  readonly spread: number;
  /** What rests on a level: less of it means more slippage. */
  readonly depth: number;
  /** The funding rate, before its cap. */
  readonly funding: number;
}

/** Changes nothing: the reference table as it stands. */
export const TABLE_CONDITIONS: MarketConditions = { volatility: 1, spread: 1, depth: 1, funding: 1 };

/** Both at once: what a profile says and what a scenario says. */
export const combined = (a: MarketConditions, b: MarketConditions): MarketConditions => ({
  volatility: a.volatility * b.volatility,
  spread: a.spread * b.spread,
  depth: a.depth * b.depth,
  funding: a.funding * b.funding,
});
