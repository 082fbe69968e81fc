/**
 * Sudden moves: a one-minute return that is large for the symbol's own recent volatility. Samples every few seconds, keeps one
 * minute of samples for each symbol, and learns the usual step by a slow average. Signals only: floats, and nothing is sized by it.
 */

export interface Moves {
  /** Takes a price. Returns the move in standard deviations if it is beyond `sigma`, once until the minute is over. */
  sample(symbol: string, price: number, at: { readonly nowMs: number; readonly sigma: number }): number | null;
}

const SAMPLE_EVERY_MS = 5_000;
const SAMPLES = 12;
/** Steps before the usual one is trusted: five minutes. */
const LEARN_STEPS = 60;
/** Share of the newest step in the average; remembers about half an hour. */
const NEWEST = 1 / 360;

interface Track {
  readonly prices: number[];
  sampledMs: number;
  variance: number;
  steps: number;
  quietUntilMs: number;
}

/** Reports no move before a symbol has been sampled for five minutes in this run. */
export function createMoves(): Moves {
  const tracks = new Map<string, Track>();
  return {
    sample: (symbol, price, { nowMs, sigma }) => {
      const track = tracks.get(symbol) ?? {
        prices: [],
        sampledMs: -Infinity,
        variance: 0,
        steps: 0,
        quietUntilMs: -Infinity,
      };
      tracks.set(symbol, track);
      if (nowMs - track.sampledMs < SAMPLE_EVERY_MS || !(price > 0)) return null;
      track.sampledMs = nowMs;
      // The usual step as it was before this one: a jump must not be measured by itself.
      const usual = Math.sqrt(track.variance * SAMPLES);
      learn(track, price);
      const first = track.prices[0];
      if (
        track.steps < LEARN_STEPS ||
        first === undefined ||
        track.prices.length <= SAMPLES ||
        nowMs < track.quietUntilMs
      )
        return null;
      const found = usual > 0 ? Math.log(price / first) / usual : 0;
      if (Math.abs(found) < sigma) return null;
      track.quietUntilMs = nowMs + SAMPLE_EVERY_MS * SAMPLES;
      return found;
    },
  };
}

function learn(track: Track, price: number): void {
  const last = track.prices.at(-1);
  track.prices.push(price);
  if (track.prices.length > SAMPLES + 1) track.prices.shift();
  if (last === undefined) return;
  const step = Math.log(price / last) ** 2;
  track.steps += 1;
  const weight = Math.max(NEWEST, 1 / track.steps);
  track.variance += (step - track.variance) * weight;
}
