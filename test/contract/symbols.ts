import { BTC, BTC_B, BTC_SPOT, ETH } from "./venue.ts";

/** Few instruments, so that the service under test is light: each kind, and three that single cards may push about. */
export const FEW_SYMBOLS: readonly string[] = [
  BTC,
  ETH,
  ...["SOL", "XRP", "LTC", "DOGE"].map((base) => `EXCHANGE_A_PERP_${base}_USDT`),
  BTC_B,
  BTC_SPOT,
];
