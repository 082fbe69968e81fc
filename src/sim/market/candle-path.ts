/**
 * Trades inside one candle: a plausible walk from open to close through high and low, whose quantities sum to the
 * volume, so that the candle can be rebuilt from them exactly. Whole ticks and lots only.
 */
import type { Entropy } from "../../core/entropy.ts";
import { MINUTE_MS } from "../../core/time.ts";

/** A candle converted to its instrument. `openMs` is in the tape's or the venue's time, and so are its trades. */
export interface WholeCandle {
  readonly openMs: number;
  readonly intervalMs: number;
  /** Ticks. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Lots. */
  readonly volume: number;
}

/** One trade, generated or recorded. `atMs` is in the time of its candle. */
export interface PathPrint {
  readonly atMs: number;
  readonly ticks: number;
  readonly lots: number;
  readonly takerBuys: boolean;
}

const PRINTS_PER_MINUTE = { least: 10, more: 14 };
const PRINTS_MAX = 400;

/** The prices that a walk must touch, in order, without equal neighbours. */
function waypoints(candle: WholeCandle, lowFirst: boolean): number[] {
  const { open, high, low, close } = candle;
  const order = lowFirst ? [open, low, high, close] : [open, high, low, close];
  return order.filter((price, i) => i === 0 || price !== order[i - 1]);
}

/** The fewest trades from which a candle can be rebuilt: one for each price it must touch. */
export function fewestPrints(candle: WholeCandle): number {
  if (candle.volume === 0) return 0;
  return Math.min(waypoints(candle, true).length, waypoints(candle, false).length);
}

/**
 * The trades of a candle in order of time, all before its end; none for a candle without volume. The caller makes the
 * lot fine enough that the volume is at least `fewestPrints`. `detail` below 1 gives fewer of them, but enough to
 * rebuild the candle.
 */
export function candlePrints(candle: WholeCandle, entropy: Entropy, detail = 1): readonly PathPrint[] {
  if (candle.volume === 0) return [];
  const points = chooseWay(candle, entropy);
  const minutes = (candle.intervalMs / MINUTE_MS) ** 0.7;
  const wanted = Math.round(
    detail * minutes * (PRINTS_PER_MINUTE.least + PRINTS_PER_MINUTE.more * entropy.next("candle:prints")),
  );
  const count = Math.max(points.length, Math.min(wanted, PRINTS_MAX, candle.volume));
  const prices = walk(points, count, candle, entropy);
  const lots = share(candle.volume, count, entropy);
  const times = instants(candle, count, entropy);
  return prices.map((ticks, i) => {
    const before = prices[i - 1] ?? ticks;
    const takerBuys = ticks === before ? entropy.chance("candle:side", 0.5) : ticks > before;
    return { atMs: times[i] ?? candle.openMs, ticks, lots: lots[i] ?? 1, takerBuys };
  });
}

/** A candle that closes higher has more often reached its low first. */
function chooseWay(candle: WholeCandle, entropy: Entropy): number[] {
  const lowFirst = entropy.chance("candle:order", candle.close >= candle.open ? 0.68 : 0.32);
  const chosen = waypoints(candle, lowFirst);
  if (chosen.length <= candle.volume) return chosen;
  return waypoints(candle, !lowFirst);
}

/** The indices of the waypoints among `count` prints: the ends first and last, the others by distance. */
function places(points: readonly number[], count: number, entropy: Entropy): number[] {
  const stretches = points.slice(1).map((point, i) => {
    const distance = Math.abs(point - (points[i] ?? point)) + 1;
    return Math.sqrt(distance) * (0.6 + 0.8 * entropy.next("candle:leg"));
  });
  const sum = stretches.reduce((total, stretch) => total + stretch, 0);
  const out = [0];
  let walked = 0;
  stretches.forEach((stretch, i) => {
    walked += stretch;
    const least = (out[i] ?? 0) + 1;
    const most = count - 1 - (stretches.length - 1 - i);
    const target = i === stretches.length - 1 ? count - 1 : Math.round((walked / sum) * (count - 1));
    out.push(Math.max(least, Math.min(most, target)));
  });
  return out;
}

function walk(points: readonly number[], count: number, candle: WholeCandle, entropy: Entropy): number[] {
  const at = places(points, count, entropy);
  const prices = new Array<number>(count).fill(points[0] ?? candle.open);
  const noise = 0.12 * (candle.high - candle.low);
  for (let stretch = 0; stretch + 1 < points.length; stretch++) {
    const [from, to] = [at[stretch] ?? 0, at[stretch + 1] ?? 0];
    const [start, end] = [points[stretch] ?? 0, points[stretch + 1] ?? 0];
    for (let i = from + 1; i < to; i++) {
      const along = start + ((end - start) * (i - from)) / (to - from) + noise * entropy.normal("candle:noise");
      prices[i] = Math.max(candle.low, Math.min(candle.high, Math.round(along)));
    }
    prices[to] = end;
  }
  return prices;
}

/** Splits `volume` into `count` whole parts of at least one, unevenly, with nothing left over. */
function share(volume: number, count: number, entropy: Entropy): number[] {
  const weights = Array.from({ length: count }, () => -Math.log(1 - entropy.next("candle:lots")) + 0.05);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const parts = weights.map((weight) => 1 + Math.floor(((volume - count) * weight) / sum));
  const left = volume - parts.reduce((total, part) => total + part, 0);
  // The largest part can absorb a remainder of either sign.
  const largest = parts.indexOf(Math.max(...parts));
  parts[largest] = (parts[largest] ?? 0) + left;
  return parts;
}

/** Rising instants over the candle, the first near its start and all before its end. */
function instants(candle: WholeCandle, count: number, entropy: Entropy): number[] {
  const slot = (candle.intervalMs - 2) / count;
  return Array.from({ length: count }, (_, i) => {
    const within = i === 0 ? 0.2 * entropy.next("candle:time") : entropy.next("candle:time");
    return candle.openMs + Math.floor((i + within) * slot);
  });
}
