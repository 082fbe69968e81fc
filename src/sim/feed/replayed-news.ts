/**
 * Recorded headlines as the feed, shifted to the venue's time. An item with only a date becomes known at the end of
 * that day, so that nothing is known too early. Format: docs/DATA-FORMAT.md.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { err, ok, type Result } from "../../core/result.ts";
import { DAY_MS } from "../../core/time.ts";
import { readText } from "../market/import.ts";
import { FEED_RETENTION_MS } from "../../protocol/feeds/query-fields.ts";
import { COIN_NAMES, currencyOf, type FeedSource, type NewsVO } from "./news-source.ts";

const headline = z.looseObject({
  ts_ms: z.int().positive(),
  source: z.string().nullish(),
  subject: z.string().nullish(),
  title: z.string().nullish(),
  url: z.string().nullish(),
  midnight: z.boolean().optional(),
});

/** One parsed line of a headline file. Missing texts are "". */
export interface Headline {
  /** When it becomes known, in the tape's own time. */
  readonly knownMs: number;
  /** The timestamp of the source; null if only a date was known. */
  readonly publishedMs: number | null;
  readonly source: string;
  readonly subject: string;
  readonly title: string;
  readonly url: string | null;
}

/** Whether a data folder has a folder of news at all. */
export const hasNews = (dir: string): boolean => existsSync(join(dir, "news"));

/** Reads every `DIR/news/*.jsonl[.gz]`, oldest first. The error names file and line. */
export function readHeadlines(dir: string): Result<readonly Headline[], string> {
  const folder = join(dir, "news");
  if (!existsSync(folder)) return err(`no news in ${dir}: expected files like news/headlines.jsonl.gz`);
  const out: Headline[] = [];
  for (const file of readdirSync(folder)
    .filter((name) => /\.jsonl(\.gz)?$/.test(name))
    .sort()) {
    for (const [i, line] of readText(join(folder, file)).split("\n").entries()) {
      if (line.trim() === "") continue;
      const read = readHeadline(line);
      if (read === null)
        return err(`news/${file}:${String(i + 1)}: expected a JSON object with ts_ms, source, subject, title`);
      out.push(read);
    }
  }
  return out.length === 0 ? err(`no headlines in ${folder}`) : ok(out.sort((a, b) => a.knownMs - b.knownMs));
}

function readHeadline(line: string): Headline | null {
  try {
    const parsed = headline.safeParse(JSON.parse(line));
    if (!parsed.success) return null;
    const { ts_ms: stampMs, midnight = false, source, subject, title, url } = parsed.data;
    return {
      knownMs: midnight ? stampMs + DAY_MS - 1 : stampMs,
      publishedMs: midnight ? null : stampMs,
      source: source ?? "",
      subject: subject ?? "",
      title: title ?? "",
      url: url ?? null,
    };
  } catch {
    return null;
  }
}

/** `headlines` must be sorted by `knownMs`, as from `readHeadlines`. */
export interface ReplayedNewsSettings {
  readonly headlines: readonly Headline[];
  /**
   * Venue time minus tape time, as of the start: the market tape's own offset if the headlines overlap its window. Null
   * begins with the first headline and keeps the time of day.
   */
  readonly offsetMs: (nowMs: number) => number | null;
  /** Changes each item before it is published, at the venue's time. */
  readonly disguise?: { news(item: NewsVO, offsetMs: number): NewsVO };
}

/** Recorded news as a source. Headlines before the venue's start become the history, within the retention. */
export function createReplayedNews(settings: ReplayedNewsSettings): FeedSource {
  let next = 0;
  let offsetMs = 0;
  const upTo = (nowMs: number): NewsVO[] => {
    const out: NewsVO[] = [];
    for (
      let head = settings.headlines[next];
      head && head.knownMs + offsetMs <= nowMs;
      head = settings.headlines[next]
    ) {
      const item = recordOf(head, 770_000_000 + next, offsetMs);
      out.push(settings.disguise?.news(item, offsetMs) ?? item);
      next++;
    }
    return out;
  };
  return {
    history: (nowMs) => {
      offsetMs = chooseOffset(settings, nowMs);
      return upTo(nowMs).filter((item) => item.createdAt > nowMs - FEED_RETENTION_MS.news);
    },
    step: upTo,
  };
}

/** The tape's offset if any headline falls into its window, else one that starts the file at this time of day. */
function chooseOffset(settings: ReplayedNewsSettings, nowMs: number): number {
  const { headlines } = settings;
  const [first, last] = [headlines[0]?.knownMs ?? 0, headlines.at(-1)?.knownMs ?? 0];
  const given = settings.offsetMs(nowMs);
  if (given !== null) {
    const tapeNowMs = nowMs - given;
    if (tapeNowMs >= first - DAY_MS && tapeNowMs <= last) return given;
  }
  return Math.floor((nowMs - first) / DAY_MS) * DAY_MS;
}

const NAMES = new Map(Object.entries(COIN_NAMES).map(([base, name]) => [name.toLowerCase(), base]));

/** Assets named in a headline, by ticker in capitals or by name; the outlet's subject counts as a name. */
export function basesIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const word of text.split(/[^A-Za-z0-9]+/)) {
    if (word.length >= 3 && Object.hasOwn(COIN_NAMES, word)) found.add(word);
    const named = NAMES.get(word.toLowerCase());
    if (named !== undefined) found.add(named);
  }
  return [...found];
}

function recordOf(head: Headline, id: number, offsetMs: number): NewsVO {
  const bases = basesIn(`${head.subject} ${head.title}`);
  return {
    id,
    newsId: `r${id.toString(36)}`,
    newsType: "news",
    category: 1,
    title: head.title === "" ? null : head.title,
    content: null,
    publishTime: head.publishedMs === null ? null : head.publishedMs + offsetMs,
    sourceUrl: null,
    originalUrl: head.url,
    authorName: null,
    authorDisplayName: head.source === "" ? null : head.source,
    authorAvatar: null,
    isBlueVerified: null,
    viewCount: null,
    likeCount: null,
    commentCount: null,
    retweetCount: null,
    currencies: bases.length > 0 ? bases.map(currencyOf) : null,
    mediaAttachments: null,
    quotedContent: null,
    createdAt: head.knownMs + offsetMs,
  };
}
