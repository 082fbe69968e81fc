/**
 * The start of generated markets: for each base a plausible price, its daily volatility, its correlation with the
 * leader, and the depth of its market. Round figures of our own for practice, not quotations.
 */

/** From the deepest books to the thinnest. */
export type LiquidityClass = "major" | "large" | "mid" | "small";

/** One row of the table, for generated markets and for the sizes of the symbol table. */
export interface Reference {
  readonly base: string;
  /** USDT. */
  readonly price: number;
  /** Standard deviation of a day's return, fraction. */
  readonly dailyVolatility: number;
  /** Correlation of short returns with the leader, 0 to 1. */
  readonly leaderCorrelation: number;
  readonly liquidity: LiquidityClass;
  /** "pegged" returns to its price within an hour; the others move freely. */
  readonly kind: "coin" | "pegged" | "metal";
}

/** The base that the others follow by their correlation. */
export const LEADER = "BTC";

/** base, price, daily volatility in percent, correlation in percent, class (and kind where it is not a coin). */
const ROWS = `
BTC 60500 2.4 100 major|ETH 1780 3.3 84 major|BNB 585 2.6 72 large|USDC 1 0.02 0 large pegged|XRP 1.32 3.6 76 large
SOL 78 4 80 large|TRX 0.285 1.6 38 mid|HYPE 31 5.2 60 large|DOGE 0.092 4.2 78 large|ZEC 262 6.4 45 mid
XLM 0.155 4 70 mid|ADA 0.26 4.1 78 mid|XMR 318 4 35 mid|LINK 8.6 4.2 79 mid|CC 0.152 4.6 30 small
BCH 455 3.6 66 mid|LTC 53 3.5 73 mid|HBAR 0.092 4.4 70 mid|SUI 0.94 5 78 mid|LAB 0.62 8.5 25 small
AVAX 9.2 4.3 78 mid|XAUT 4420 1.1 8 mid metal|NEAR 1.34 5 72 mid|1000SHIB 0.0058 4.3 74 mid|M 1.46 6 20 small
TAO 196 5.4 64 mid|UNI 3.45 4.9 71 mid|PAXG 4425 1.1 8 mid metal|WLFI 0.108 5.2 52 mid|ASTER 0.69 6 48 mid
ONDO 0.262 4.8 70 mid|WLD 0.375 5.6 68 mid|DOT 1.42 4.4 76 mid|SKY 0.064 4.2 40 small|AAVE 112 4.8 72 mid
MORPHO 1.72 5.4 50 small|ICP 2.48 4.8 66 mid|ETC 8.7 3.9 74 mid|DEXE 2.9 5.2 30 small|1000PEPE 0.0036 5.6 74 mid
QNT 66 4 52 small|BEAT 0.385 9.5 15 small|KAS 0.034 5 55 small|STABLE 0.0235 7 22 small|RENDER 1.46 5.2 68 mid
ATOM 1.88 4.4 70 mid|JUP 0.168 5.2 66 mid|POL 0.101 4.6 70 mid|ALGO 0.094 4.4 71 mid|JST 0.041 3.4 30 small
`;

function readRow(row: string): Reference {
  const [base = "", price = "", volatility = "", correlation = "", liquidity = "small", kind = "coin"] = row.split(" ");
  return {
    base,
    price: Number(price),
    dailyVolatility: Number(volatility) / 100,
    leaderCorrelation: Number(correlation) / 100,
    liquidity: liquidity as LiquidityClass,
    kind: kind as Reference["kind"],
  };
}

const TABLE: ReadonlyMap<string, Reference> = new Map(
  ROWS.trim()
    .split(/[|\n]/)
    .map(readRow)
    .map((row) => [row.base, row]),
);

/** The row of a base. A base that is not in the table gets a thin, volatile market at 1 USDT. */
export function referenceFor(base: string): Reference {
  const known = TABLE.get(base);
  if (known) return known;
  return { base, price: 1, dailyVolatility: 0.05, leaderCorrelation: 0.5, liquidity: "small", kind: "coin" };
}

/** All bases with a row of their own. */
export const referenceBases = (): readonly string[] => [...TABLE.keys()];

/** The figures of a market class; recorded markets use them for their generated books as well. */
export interface ClassFigures {
  /** Quote value resting on a level near the touch, USDT. */
  readonly levelUsdt: number;
  /** Distance between levels near the touch, fraction of price. */
  readonly pitch: number;
  /** Distance between best bid and best ask in a quiet market, fraction of price; never under one tick. */
  readonly spread: number;
  /** Taker trades a second in a normal market. */
  readonly tradesPerSecond: number;
  /** Median value of a taker trade, USDT. */
  readonly tradeUsdt: number;
  /** Open interest, USDT. */
  readonly openInterestUsdt: number;
  /** Standard deviation of the perpetual's distance from its index, fraction. */
  readonly basis: number;
}

/** Round figures for practice; `quoted.ts` adjusts them for pegged bases and by the conditions. */
export const CLASS_FIGURES: Readonly<Record<LiquidityClass, ClassFigures>> = {
  major: {
    levelUsdt: 140_000,
    pitch: 4e-5,
    spread: 1e-6,
    tradesPerSecond: 4,
    tradeUsdt: 2_400,
    openInterestUsdt: 4e9,
    basis: 2e-4,
  },
  large: {
    levelUsdt: 38_000,
    pitch: 8e-5,
    spread: 6e-5,
    tradesPerSecond: 1.6,
    tradeUsdt: 1_100,
    openInterestUsdt: 5e8,
    basis: 3e-4,
  },
  mid: {
    levelUsdt: 9_000,
    pitch: 1.6e-4,
    spread: 1.4e-4,
    tradesPerSecond: 0.6,
    tradeUsdt: 480,
    openInterestUsdt: 7e7,
    basis: 4e-4,
  },
  small: {
    levelUsdt: 2_200,
    pitch: 3.5e-4,
    spread: 4e-4,
    tradesPerSecond: 0.2,
    tradeUsdt: 190,
    openInterestUsdt: 1.2e7,
    basis: 8e-4,
  },
};

/** How a generated market differs from the reference table. Every figure is a factor; 1 is the table itself. */
export interface MarketConditions {
  /** Every base's own moves, jumps and, below 1, the distance between perpetual and index. Above zero. */
  readonly volatility: number;
  /** Distance of best bid and best ask; never under one tick. */
  readonly spread: number;
  /** The quantity at a level; a smaller factor means more slippage. */
  readonly depth: number;
  /** The funding rate, before its cap. */
  readonly funding: number;
}

/** Changes nothing: the reference table itself. */
export const TABLE_CONDITIONS: MarketConditions = { volatility: 1, spread: 1, depth: 1, funding: 1 };

/** Multiplies the factors of a profile by those of a scenario. */
export const combined = (a: MarketConditions, b: MarketConditions): MarketConditions => ({
  volatility: a.volatility * b.volatility,
  spread: a.spread * b.spread,
  depth: a.depth * b.depth,
  funding: a.funding * b.funding,
});
