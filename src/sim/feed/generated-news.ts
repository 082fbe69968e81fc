/**
 * News generated from a seed, at a plausible pace: articles, posts, notices, hot topics and featured pieces, with the
 * gaps and nulls of the real feed. Some items come just before the price moves accordingly, some after, and some are
 * false.
 */
import type { Entropy } from "../../core/entropy.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import { FEED_RETENTION_MS } from "../../protocol/feeds/query-fields.ts";
import { featuredFrom, hotFrom, newsFrom, type Story, writeStory } from "./news-writer.ts";
import type { FeedItem, FeedSource } from "./news-source.ts";
import { HOT_TITLES, LIES, TEMPLATES } from "./news-templates.ts";

/**
 * Spans in ms of the service's clock. The `push` also affects the draws: pass one that does nothing to keep the texts
 * and move no price.
 */
export interface GeneratedNewsSettings {
  readonly entropy: Entropy;
  /** Bases that news may be about, most mentioned first. */
  readonly bases: readonly string[];
  /**
   * Moves the price of a base; the generator's `push` under every symbol of that base. If absent, news moves nothing.
   */
  readonly push?: (base: string, fractionalMove: number, overMs: number) => void;
  /** Mean time between news items; default 4 minutes. */
  readonly meanGapMs?: number;
  /** Share of items that the price follows, and share of false ones; defaults 0.12 and 0.05. */
  readonly moverShare?: number;
  readonly lieShare?: number;
  /** How far back the news goes at the start; by default as far as queries reach. */
  readonly pastMs?: number;
}

const MEAN_GAP_MS = 4 * MINUTE_MS;
/** Hot and featured items are this much rarer than news. */
const HOT_GAP_MS = 50 * MINUTE_MS;
const FEATURED_GAP_MS = 7 * HOUR_MS;
/** Older news is sparser, so that half a year stays small. */
const HISTORY_GAP_MS = { news: 24 * MINUTE_MS, hot: 2 * HOUR_MS, featured: DAY_MS };

type Kind = FeedItem["newsType"];

interface Planned {
  readonly kind: Kind;
  readonly atMs: number;
}

/** A seeded news source. The same seed, start and step times give the same news and the same pushes. */
export function createGeneratedNews(settings: GeneratedNewsSettings): FeedSource {
  const entropy = settings.entropy.fork("news");
  const gaps = settings.entropy.fork("news gaps");
  const gapOf: Record<Kind, number> = {
    news: settings.meanGapMs ?? MEAN_GAP_MS,
    hot: HOT_GAP_MS,
    featured: FEATURED_GAP_MS,
  };
  let serial = 0;
  let upcoming: Planned[] = [];
  const gap = (meanMs: number): number => Math.max(1_000, -meanMs * Math.log(1 - entropy.next("news:gap")));
  const make = (kind: Kind, atMs: number, live: boolean): FeedItem => {
    const story = chooseStory(settings, entropy, kind, atMs);
    if (live) moveMarket(settings, entropy, story);
    serial++;
    const at = { id: 880_000_000 + serial, ingestedMs: atMs, entropy };
    const item = kind === "news" ? newsFrom(story, at) : kind === "hot" ? hotFrom(story, at) : featuredFrom(story, at);
    return withGaps(item, gaps);
  };
  return {
    history: (nowMs) => {
      const plans: Planned[] = [];
      for (const kind of ["featured", "news", "hot"] as const) {
        const oldestMs = nowMs - Math.min(FEED_RETENTION_MS[kind], settings.pastMs ?? Infinity);
        for (let atMs = nowMs - gap(gapOf[kind]); atMs > oldestMs; atMs -= gap(HISTORY_GAP_MS[kind])) {
          plans.push({ kind, atMs: Math.floor(atMs) });
        }
      }
      // The first new item comes within the first minute, so that a new practice run soon has news.
      upcoming = [
        { kind: "news", atMs: nowMs + Math.min(45_000, gap(20_000)) },
        { kind: "hot", atMs: nowMs + gap(gapOf.hot) },
        { kind: "featured", atMs: nowMs + gap(gapOf.featured) },
      ];
      return plans.sort((a, b) => a.atMs - b.atMs).map((plan) => make(plan.kind, plan.atMs, false));
    },
    step: (nowMs) => {
      const out: FeedItem[] = [];
      for (let next = due(upcoming, nowMs); next; next = due(upcoming, nowMs)) {
        out.push(make(next.kind, Math.floor(next.atMs), true));
        const { kind, atMs } = next;
        upcoming = upcoming.map((plan) => (plan === next ? { kind, atMs: atMs + gap(gapOf[kind]) } : plan));
      }
      return out;
    },
  };
}

function due(upcoming: readonly Planned[], nowMs: number): Planned | undefined {
  const ripe = upcoming.filter((plan) => plan.atMs <= nowMs);
  return ripe.sort((a, b) => a.atMs - b.atMs)[0];
}

function chooseStory(settings: GeneratedNewsSettings, entropy: Entropy, kind: Kind, atMs: number): Story {
  const lies = kind === "news" && entropy.chance("news:lie", settings.lieShare ?? 0.05);
  const templates = lies ? LIES : kind === "hot" ? HOT_TITLES : TEMPLATES;
  const template = templates[entropy.int("news:template", 0, templates.length)] ?? TEMPLATES[0];
  // The square favours the bases that are mentioned most.
  const place = Math.floor(settings.bases.length * entropy.next("news:base") ** 2);
  const base = settings.bases[place] ?? "BTC";
  return writeStory({ template, base, lie: lies, atMs, entropy });
}

/** Some true news moves the price accordingly; some false news moves it and is reversed; the rest moves nothing. */
function moveMarket(settings: GeneratedNewsSettings, entropy: Entropy, story: Story): void {
  const { push } = settings;
  if (!push || !story.aboutCoin || story.lean === 0) return;
  const share = story.lie ? 0.5 : (settings.moverShare ?? 0.12);
  if (!entropy.chance("news:moves", share)) return;
  const size = story.lean * (0.004 + 0.012 * Math.abs(entropy.normal("news:size")));
  const overMs = 20_000 + 100_000 * entropy.next("news:over");
  push(story.base, Math.max(-0.08, Math.min(0.08, size)), overMs);
  // A false item's move is reversed: the reversal starts at once but takes several times as long.
  if (story.lie) push(story.base, 1 / (1 + Math.max(-0.08, Math.min(0.08, size))) - 1, overMs * 5);
}

const NEVER_NULL: ReadonlySet<string> = new Set(["id", "newsId", "newsType", "ingestTime", "createdAt", "currencyId"]);
const SHARE = 0.02;

function holed<T extends object>(record: T, entropy: Entropy): T {
  const holes = Object.keys(record).filter((name) => !NEVER_NULL.has(name) && entropy.chance("news:null", SHARE));
  return holes.length === 0 ? record : { ...record, ...Object.fromEntries(holes.map((name) => [name, null])) };
}

/** The item with some fields null, but never both title and content. */
export function withGaps(item: FeedItem, entropy: Entropy): FeedItem {
  const holes = holed(item, entropy);
  const { title } = item;
  const whole = holes.title === null && holes.content === null ? { ...holes, title } : holes;
  if (whole.newsType === "hot") return whole;
  const { quotedContent, currencies } = whole;
  return {
    ...whole,
    quotedContent: quotedContent === null ? null : holed(quotedContent, entropy),
    currencies: currencies === null ? null : currencies.map((currency) => holed(currency, entropy)),
  };
}
