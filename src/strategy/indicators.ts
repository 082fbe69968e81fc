/** Indicators for strategies, by the name that strategies know. They live in the context, which shows a few of them. */
export { atr, ema, rsi, slope, zscore } from "../context/indicators.ts";
