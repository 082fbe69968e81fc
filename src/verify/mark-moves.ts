/** How far the venue's marks moved within the last minute: one symbol's, and two symbols' against each other. */
import { abs, gt, lt, max, mul, NIL, type Num, num, sub } from "./decimal.ts";
import type { History } from "./history.ts";
import { factsOf, ONE } from "./venue-view.ts";

/** How far back to look for a move. */
export const MOVE_SPAN_MS = 60_000;

/** The move of one symbol's mark, as a share of the earlier price. */
export interface MarkMove {
  readonly symbol: string;
  readonly share: Num;
}

interface Mark {
  readonly symbol: string;
  readonly mark: Num;
}

/**
 * The largest move of each symbol's mark between any two marks of the last minute, as a share of the earlier, rounded
 * up: a stop may have filled at the extreme. The mark at the start of the minute counts as the first.
 */
export function largestJumps(history: History, atMs: number, symbols: readonly string[]): readonly MarkMove[] {
  return symbols.map((symbol) => ({
    symbol,
    share: largestMove(lastMarks(history, atMs, [symbol]).map(({ mark }) => mark)),
  }));
}

/** Whether two symbols moved further apart within the last minute than the share `beyond`. */
export function movedApart(
  history: History,
  atMs: number,
  { pair, beyond }: { readonly pair: readonly [string, string]; readonly beyond: Num },
): boolean {
  const together = pairedMarks(lastMarks(history, atMs, pair), pair[0]);
  return together.some(([a, b], from) =>
    together
      .slice(from + 1)
      .some(([laterA, laterB]) => gt(abs(sub(mul(laterA, b), mul(a, laterB))), mul(beyond, mul(a, b)))),
  );
}

/** The marks of the last minute, and of each symbol the one that held when the minute began. */
function lastMarks(history: History, atMs: number, symbols: readonly string[]): readonly Mark[] {
  const marks = factsOf(history, "mark").filter((fact) => symbols.includes(fact.symbol) && fact.atMs <= atMs);
  const begins = symbols.map((symbol) =>
    marks.findLastIndex((fact) => fact.symbol === symbol && fact.atMs <= atMs - MOVE_SPAN_MS),
  );
  return marks.slice(Math.max(0, Math.min(...begins)));
}

/** The marks of two symbols as they stood together, each time one of them changed. */
function pairedMarks(marks: readonly Mark[], one: string): readonly (readonly [Num, Num])[] {
  let [first, second]: [Num | null, Num | null] = [null, null];
  return marks.flatMap(({ symbol, mark }): readonly (readonly [Num, Num])[] => {
    if (symbol === one) first = mark;
    else second = mark;
    return first && second ? [[first, second]] : [];
  });
}

function largestMove([first = NIL, ...later]: readonly Num[]): Num {
  let [low, high, largest] = [first, first, NIL];
  for (const mark of later) {
    largest = max(largest, max(shareOf(sub(mark, low), low), shareOf(sub(high, mark), high)));
    if (lt(mark, low)) low = mark;
    high = max(high, mark);
  }
  return largest;
}

/** `part` of `whole` in thousandths, rounded up, at most 2; zero for zero. */
function shareOf(part: Num, whole: Num): Num {
  for (let step = 0; step <= 20_000; step += 10) {
    const share = num(step / 10_000) ?? NIL;
    if (!gt(part, mul(whole, share))) return share;
  }
  return num(2) ?? ONE;
}
