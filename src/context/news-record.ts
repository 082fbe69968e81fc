/**
 * How far a news source has mattered: what prices did in the hour after its items, measured from the bars that are known. It is
 * computed again for each snapshot from items and bars, so that nothing has to be restored. A source is the host of the item's
 * address, or its kind without one; its text and the author's name have no say.
 */
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { NewsItem } from "../domain/news-item.ts";
import { shareInterval } from "../domain/share-interval.ts";

/** About one shown item. */
export interface ItemRecord {
  readonly source: string;
  /** Sources that report the same story, this one included. */
  readonly reports: number;
  /** Earlier items of the source whose hour is over, and those after which the price moved more than an ordinary hour's. */
  readonly judged: number;
  readonly moved: number;
  /** 95 % interval of that share, 0 to 1. A normal price does so after a third of all hours. */
  readonly low: number;
  readonly high: number;
}

/** Figures of a coin by its base; null where they are not known. */
export interface PricesOf {
  /** The last price before an instant. */
  priceBefore(base: string, atMs: number): number | null;
  /** Standard deviation of an hour's return. */
  volatilityHour(base: string): number | null;
}

/** An item that names more coins says little about each. */
const ABOUT_MAX = 3;

/** By item key, for the shown items; `known` are all items kept. */
export function newsRecords(
  shown: readonly NewsItem[],
  known: readonly NewsItem[],
  prices: PricesOf,
  nowMs: number,
): Readonly<Record<string, ItemRecord>> {
  const bySource = new Map<string, { judged: number; moved: number }>();
  const stories = new Map<string, Set<string>>();
  for (const item of known) {
    const source = sourceOf(item);
    for (const story of storiesOf(item)) stories.set(story, (stories.get(story) ?? new Set()).add(source));
    const moved = hasMoved(item, prices, nowMs);
    if (moved === null) continue;
    const tally = bySource.get(source) ?? { judged: 0, moved: 0 };
    bySource.set(source, { judged: tally.judged + 1, moved: tally.moved + (moved ? 1 : 0) });
  }
  return Object.fromEntries(
    shown.map((item) => {
      const source = sourceOf(item);
      const { judged, moved } = bySource.get(source) ?? { judged: 0, moved: 0 };
      const reporting = new Set([source, ...storiesOf(item).flatMap((story) => [...(stories.get(story) ?? [])])]);
      return [item.key, { source, reports: reporting.size, judged, moved, ...shareInterval(moved, judged) }];
    }),
  );
}

/** Lower-case host without `www.`; at most 40 characters of a host's own alphabet. */
export function sourceOf({ sourceUrl, kind }: NewsItem): string {
  const host = sourceUrl !== null && URL.canParse(sourceUrl) ? new URL(sourceUrl).hostname : "";
  const name = host.replace(/^www\./, "").slice(0, 40);
  return /^[a-z0-9.-]+$/.test(name) ? name : kind;
}

const storiesOf = ({ newsId, title }: NewsItem): readonly string[] => [
  `id:${newsId}`,
  `title:${title.toLowerCase().replace(/\s+/g, " ").trim()}`,
];

/** Null while its hour is not over, and where it names no coin, too many, or none with known prices. */
function hasMoved({ currencies, firstSeenMs }: NewsItem, prices: PricesOf, nowMs: number): boolean | null {
  const untilMs = firstSeenMs + HOUR_MS;
  if (untilMs > nowMs || currencies.length > ABOUT_MAX) return null;
  const moves = currencies.flatMap((base) => {
    // A minute earlier: the bar in which it was seen may already hold the move.
    const [before, after] = [prices.priceBefore(base, firstSeenMs - MINUTE_MS), prices.priceBefore(base, untilMs)];
    const volatility = prices.volatilityHour(base);
    if (before === null || after === null || volatility === null || !(volatility > 0)) return [];
    return [Math.abs(Math.log(after / before)) / volatility];
  });
  return moves.length === 0 ? null : Math.max(...moves) > 1;
}
