/** The competition's fixed figures. Spec: 3 §8. */

export const FLOOR_USDT = "800";
export const INITIAL_CAPITAL_USDT = "1000";
export const MODEL_BUDGET_USD_PER_DAY = "10";
export const UPTIME_DISQUALIFIED_BELOW = 0.9;
export const UPTIME_PENALTY_BELOW = 0.95;

export type Phase = 1 | 2;

/** Maximum opening leverage by phase. */
export const OPENING_LEVERAGE_MAX: Readonly<Record<Phase, number>> = { 1: 2, 2: 5 };

/** Base assets of the 50 perpetuals of Phase I, all on the first exchange against USDT. */
export const PHASE_ONE_BASES: readonly string[] = (
  "BTC ETH BNB USDC XRP SOL TRX HYPE DOGE ZEC XLM ADA XMR LINK CC BCH LTC HBAR SUI LAB AVAX XAUT NEAR 1000SHIB M TAO " +
  "UNI PAXG WLFI ASTER ONDO WLD DOT SKY AAVE MORPHO ICP ETC DEXE 1000PEPE QNT BEAT KAS STABLE RENDER ATOM JUP POL ALGO JST"
).split(" ");
