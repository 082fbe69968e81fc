/**
 * The regimes of a generated market. A regime sets the amount of noise and whether the price drifts or swings; it lasts
 * minutes, then another follows. Regimes give momentum and reversal rules something to trade.
 */
import type { Entropy } from "../../core/entropy.ts";
import { MINUTE_MS } from "../../core/time.ts";

/** "trend" drifts one way, "whipsaw" oscillates; the other three differ only in noise. */
export type RegimeName = "calm" | "normal" | "wild" | "trend" | "whipsaw";

/** One regime of one base, from `sinceMs` until the next is drawn at `untilMs`. */
export interface RegimePeriod {
  readonly name: RegimeName;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Multiplies the noise of the reference volatility. */
  readonly noise: number;
  /** For "trend": drift in standard deviations of a minute, per minute, with sign. */
  readonly driftPerMinute: number;
  /** For "whipsaw": swing in standard deviations of a minute, and its period. */
  readonly swing: number;
  readonly swingPeriodMs: number;
}

interface Mood {
  readonly name: RegimeName;
  readonly weight: number;
  readonly noise: number;
  readonly meanMinutes: number;
}

const MOODS: readonly Mood[] = [
  { name: "calm", weight: 26, noise: 0.45, meanMinutes: 9 },
  { name: "normal", weight: 30, noise: 0.8, meanMinutes: 10 },
  { name: "wild", weight: 8, noise: 1.7, meanMinutes: 5 },
  { name: "trend", weight: 26, noise: 0.7, meanMinutes: 6 },
  { name: "whipsaw", weight: 10, noise: 0.8, meanMinutes: 5 },
];

const WEIGHT_SUM = MOODS.reduce((sum, mood) => sum + mood.weight, 0);

function drawMood(entropy: Entropy): Mood {
  let left = entropy.next("regime:mood") * WEIGHT_SUM;
  for (const mood of MOODS) {
    left -= mood.weight;
    if (left < 0) return mood;
  }
  return MOODS[1] as Mood;
}

/** A new regime from `nowMs` on. Lengths are exponential, between half a minute and six times the mean. */
export function drawRegime(entropy: Entropy, nowMs: number): RegimePeriod {
  const mood = drawMood(entropy);
  const draw = -Math.log(1 - entropy.next("regime:length"));
  const lengthMs = Math.max(30_000, Math.min(6, draw) * mood.meanMinutes * MINUTE_MS);
  const sign = entropy.chance("regime:sign", 0.5) ? 1 : -1;
  const strength = entropy.next("regime:strength");
  return {
    name: mood.name,
    sinceMs: nowMs,
    untilMs: nowMs + lengthMs,
    noise: mood.noise * (0.85 + 0.3 * entropy.next("regime:noise")),
    driftPerMinute: mood.name === "trend" ? sign * (0.4 + 0.6 * strength) : 0,
    swing: mood.name === "whipsaw" ? 1.2 + 1.6 * strength : 0,
    swingPeriodMs: 40_000 + 60_000 * entropy.next("regime:period"),
  };
}

/** Expected move of the log price from `fromMs` to `toMs`, in standard deviations of a minute. */
export function regimeDrift(regime: RegimePeriod, fromMs: number, toMs: number): number {
  if (regime.name === "trend") return (regime.driftPerMinute * (toMs - fromMs)) / MINUTE_MS;
  if (regime.name !== "whipsaw") return 0;
  const at = (ms: number): number => Math.sin((2 * Math.PI * (ms - regime.sinceMs)) / regime.swingPeriodMs);
  return regime.swing * (at(toMs) - at(fromMs));
}
