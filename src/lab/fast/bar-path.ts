/**
 * The path of a price through one bar, in straight lines between waypoints. A bar has only four prices; if further
 * prices inside the bar were recorded, the path goes through them.
 */

/** `share` is of the bar's length, rising from 0 to 1. */
export interface Waypoint {
  readonly share: number;
  readonly price: number;
}

export type BarPath = readonly Waypoint[];

export interface BarPrices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Recorded prices of one symbol, for example those that an agent saw when it decided. */
export interface KnownPrices {
  /** Those within the bar, as shares of its length. */
  within(openMs: number, intervalMs: number): readonly Waypoint[];
}

/** When the extremes are reached if no recorded price shows it. */
const FIRST_EXTREME = 0.3;
const SECOND_EXTREME = 0.65;

/**
 * `leaning` is the account's side: with a long position the low comes first, with a short one the high. Without a position the
 * low comes first in a rising bar.
 */
export function pathOf(bar: BarPrices, leaning: number, known: readonly Waypoint[]): BarPath {
  const { open, high, low, close } = bar;
  const lowFirst = leaning === 0 ? close >= open : leaning > 0;
  const first = lowFirst ? low : high;
  const second = lowFirst ? high : low;
  const begin = { share: 0, price: open };
  const end = { share: 1, price: close };
  if (known.length === 0)
    return [begin, { share: FIRST_EXTREME, price: first }, { share: SECOND_EXTREME, price: second }, end];
  const seen = known.map(({ share, price }) => ({ share, price: Math.min(high, Math.max(low, price)) }));
  return withDetour(withDetour([begin, ...seen, end], first), second);
}

/** Places an extreme where the detour is shortest, in the middle of that stretch; the earliest stretch wins a tie. */
function withDetour(path: BarPath, extreme: number): BarPath {
  const detours = path.slice(1).map(({ price }, at) => {
    const before = path[at]?.price ?? price;
    return Math.abs(extreme - before) + Math.abs(price - extreme) - Math.abs(price - before);
  });
  const at = detours.indexOf(Math.min(...detours));
  const [from, to] = [path[at], path[at + 1]];
  if (from === undefined || to === undefined || detours[at] === 0) return path;
  return [...path.slice(0, at + 1), { share: (from.share + to.share) / 2, price: extreme }, ...path.slice(at + 1)];
}

export function priceOn(path: BarPath, share: number): number {
  let before = path[0];
  if (before === undefined) return NaN;
  if (share <= 0) return before.price;
  for (const next of path) {
    if (share < next.share) {
      const part = (share - before.share) / (next.share - before.share);
      return before.price + (next.price - before.price) * part;
    }
    before = next;
  }
  return before.price;
}

/** Expects the recorded prices in ascending order of time. */
export function knownPrices(seen: readonly { readonly atMs: number; readonly price: number }[]): KnownPrices {
  return {
    within: (openMs, intervalMs) =>
      between(seen, openMs, openMs + intervalMs).map(({ atMs, price }) => ({
        share: (atMs - openMs) / intervalMs,
        price,
      })),
  };
}

/** Those after `fromMs` and before `untilMs`. */
function between<Seen extends { readonly atMs: number }>(
  seen: readonly Seen[],
  fromMs: number,
  untilMs: number,
): readonly Seen[] {
  let [low, high] = [0, seen.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seen[middle]?.atMs ?? Infinity) <= fromMs) low = middle + 1;
    else high = middle;
  }
  const found: Seen[] = [];
  for (let at = low; at < seen.length; at++) {
    const each = seen[at];
    if (each === undefined || each.atMs >= untilMs) break;
    found.push(each);
  }
  return found;
}
