/**
 * A candle that was recorded trade by trade only in part, because the recording begins or ends in it. That part is
 * played as recorded, and the path before and after it is generated so that the candle remains exact.
 */
import { fewestPrints, type PathPrint, type WholeCandle } from "./candle-path.ts";
import type { FoundTrades } from "./trades.ts";

/** From its first instant up to its end, exclusive. */
export interface RecordedPart {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Generates the trades of a candle; the name distinguishes the two generated parts of one candle. */
export type MakePath = (candle: WholeCandle, part: "before" | "after") => readonly PathPrint[];

/** The trades of one whole candle, in order of time, and which part of them was recorded. */
export interface FinePrints {
  readonly prints: readonly PathPrint[];
  /** The recorded part, in the time of the given candle. */
  readonly fine: RecordedPart;
}

/** A generated part takes at least this long. */
const MADE_MIN_MS = 1_000;

interface Part {
  readonly candle: WholeCandle;
  /** The least volume that it needs; 0 if it has no price to touch. */
  readonly least: number;
}

interface Ends {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly open: number;
  readonly close: number;
}

/** A generated part: from one price to another, touching the prices not touched yet. */
function partOf({ fromMs, untilMs, open, close }: Ends, touches: readonly number[]): Part {
  const high = Math.max(open, close, ...touches);
  const low = Math.min(open, close, ...touches);
  const candle = { openMs: fromMs, intervalMs: Math.max(0, untilMs - fromMs), open, high, low, close, volume: 0 };
  return { candle, least: high === low ? 0 : fewestPrints({ ...candle, volume: 1 }) };
}

/** The first part's volume out of the remaining volume; null if it does not suffice, or a part is too short. */
function shareOf(before: Part, after: Part, left: number): number | null {
  const long = (part: Part): boolean => part.candle.intervalMs >= MADE_MIN_MS;
  const spans = (long(before) ? before.candle.intervalMs : 0) + (long(after) ? after.candle.intervalMs : 0);
  if (left > 0 && spans === 0) return null;
  if ((before.least > 0 && !long(before)) || (after.least > 0 && !long(after))) return null;
  if (before.least + after.least > left) return null;
  if (!long(after)) return left;
  if (!long(before)) return 0;
  const even = Math.round((left * before.candle.intervalMs) / spans);
  return Math.max(before.least, Math.min(left - after.least, even));
}

/** Null if the trades and the candle do not match. `found` has timestamps in the candle's time. */
export function partlyRecorded(candle: WholeCandle, found: FoundTrades, make: MakePath): FinePrints | null {
  const { prints, begins, ends } = found;
  const [first, last] = [prints[0], prints.at(-1)];
  if (!first || !last || (!begins && first.ticks !== candle.open) || (!ends && last.ticks !== candle.close))
    return null;
  const prices = prints.map(({ ticks }) => ticks);
  const [high, low] = [prices.reduce((a, b) => Math.max(a, b)), prices.reduce((a, b) => Math.min(a, b))];
  const left = prints.reduce((sum, { lots }) => sum - lots, candle.volume);
  if (left < 0 || high > candle.high || low < candle.low) return null;
  const endMs = candle.openMs + candle.intervalMs;
  const [fromMs, untilMs] = [begins ? first.atMs : candle.openMs, ends ? last.atMs + 1 : endMs];
  const touches = [...(high < candle.high ? [candle.high] : []), ...(low > candle.low ? [candle.low] : [])];
  const longerBefore = fromMs - candle.openMs >= endMs - untilMs;
  const start = begins ? candle.open : first.ticks;
  const finish = ends ? candle.close : last.ticks;
  const before = partOf(
    { fromMs: candle.openMs, untilMs: fromMs, open: start, close: first.ticks },
    longerBefore ? touches : [],
  );
  const after = partOf(
    { fromMs: untilMs, untilMs: endMs, open: last.ticks, close: finish },
    longerBefore ? [] : touches,
  );
  const share = shareOf(before, after, left);
  if (share === null) return null;
  return {
    prints: [
      ...make({ ...before.candle, volume: share }, "before"),
      ...prints,
      ...make({ ...after.candle, volume: left - share }, "after"),
    ],
    fine: { fromMs, untilMs },
  };
}
