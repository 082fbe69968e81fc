/** Indicators for strategies. They are implemented in the context, which shows some of them. */
export { atr, ema, rsi, slope, zscore } from "../context/indicators.ts";
