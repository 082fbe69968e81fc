/** The competition's fixed figures. Spec: 3 §8. */
import type { Decimal } from "../core/decimal.ts";

export const FLOOR_USDT = "800";
/** Each account's equity at the start, subject to the organiser's announcement. */
export const INITIAL_CAPITAL_USDT = "1000";
/** Per team; what is left of a day does not carry over. */
export const MODEL_BUDGET_USD_PER_DAY = "10";
/** Share of time, 0 to 1: below it the agent is out. */
export const UPTIME_DISQUALIFIED_BELOW = 0.9;
/** Share of time, 0 to 1: from here down to the other bar the score loses by degrees. */
export const UPTIME_PENALTY_BELOW = 0.95;

/** Which limits and instruments apply; `competition.phaseTwo` of the configuration says when the second begins. */
export type Phase = 1 | 2;

/** Maximum opening leverage by phase. */
export const OPENING_LEVERAGE_MAX: Readonly<Record<Phase, number>> = { 1: 2, 2: 5 };

/** Base assets of the 50 perpetuals of Phase I, all on the first exchange against USDT. */
export const PHASE_ONE_BASES: readonly string[] = (
  "BTC ETH BNB USDC XRP SOL TRX HYPE DOGE ZEC XLM ADA XMR LINK CC BCH LTC HBAR SUI LAB AVAX XAUT NEAR 1000SHIB M TAO " +
  "UNI PAXG WLFI ASTER ONDO WLD DOT SKY AAVE MORPHO ICP ETC DEXE 1000PEPE QNT BEAT KAS STABLE RENDER ATOM JUP POL ALGO JST"
).split(" ");

/** `limit` is a label for people and prompts, not the name of a `Limit`. `left` is never below zero. */
export interface LimitRoom {
  readonly limit: string;
  readonly left: Decimal;
  readonly unit: "USDT" | "orders" | "positions";
}

/** Rendered from the very figures that the review uses. */
export interface Headroom {
  readonly mayOpen: boolean;
  /** Why nothing may be opened now; empty when something may. */
  readonly reason: string;
  readonly perOrderUsdt: Decimal;
  /** The smaller of what session and leverage leave. */
  readonly totalUsdt: Decimal;
  /** Further exposure that the cushion allows for a major and for any other coin. */
  readonly cushionMajorUsdt: Decimal;
  readonly cushionOtherUsdt: Decimal;
  readonly leverageMax: number;
  /** What a target of size 1 stands for, a share of equity: the most that one symbol may take. */
  readonly perSymbolEquityShare: number;
  /** Fees of opening and closing, the spread and what is learnt of slippage, fraction of notional. */
  readonly roundTripCost: number;
  /** What each limit still allows for openings, none below zero. */
  readonly limits: readonly LimitRoom[];
}
