/** Turns a template into a story and a story into wire records, with the nulls and irregularities of the real feed. */
import type { Entropy } from "../../core/entropy.ts";
import { MINUTE_MS } from "../../core/time.ts";
import {
  coinName,
  currencyOf,
  type FeaturedNewsVO,
  type HotNewsVO,
  type MediaAttachmentVO,
  type NewsVO,
  type QuoteContentVO,
} from "./news-source.ts";
import { AMOUNTS, FIRMS, HANDLES, PERCENTS, PLACES, type Template } from "./news-templates.ts";

/** An item before its wire form. `lie` and `lean` are for the market and do not appear in the feed. */
export interface Story {
  readonly base: string;
  readonly category: number;
  readonly lean: -1 | 0 | 1;
  readonly lie: boolean;
  readonly aboutCoin: boolean;
  readonly title: string;
  readonly body: string;
  /** When the source published it; the feed ingests it a little later. */
  readonly publishedMs: number;
}

const pick = <T>(entropy: Entropy, reason: string, from: readonly [T, ...T[]]): T =>
  from[entropy.int(reason, 0, from.length)] ?? from[0];

/** Fills a template; without one the text is only the coin's name. `atMs` is the time of ingestion. */
export function writeStory(given: {
  readonly template: Template | undefined;
  readonly base: string;
  readonly lie: boolean;
  readonly atMs: number;
  readonly entropy: Entropy;
}): Story {
  const { base, entropy } = given;
  const template: Template = given.template ?? { category: 1, lean: 0, aboutCoin: true, title: "{coin}", body: "" };
  const words: Record<string, string> = {
    coin: coinName(base),
    ticker: base.replace(/^1000/, ""),
    firm: pick(entropy, "news:firm", FIRMS),
    place: pick(entropy, "news:place", PLACES),
    amount: pick(entropy, "news:amount", AMOUNTS),
    percent: pick(entropy, "news:percent", PERCENTS),
    minutes: String(entropy.int("news:minutes", 10, 90)),
  };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
  return {
    base,
    category: template.category,
    lean: template.lean,
    lie: given.lie,
    aboutCoin: template.aboutCoin,
    title: filled(template.title),
    body: filled(template.body),
    publishedMs: given.atMs - Math.floor(3 * MINUTE_MS * entropy.next("news:delay") ** 3),
  };
}

/** The id of the record, which is new in the store, and its ingestion time, epoch ms. */
export interface WireAt {
  readonly id: number;
  readonly ingestedMs: number;
  readonly entropy: Entropy;
}

const SITE = "https://news.example.com";
const newsIdOf = (at: WireAt): string => `a${at.id.toString(36)}`;
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60);

function mediaFor(at: WireAt): readonly MediaAttachmentVO[] | null {
  if (!at.entropy.chance("news:media", 0.25)) return null;
  const name = `${newsIdOf(at)}.jpg`;
  const mediaType = pick(at.entropy, "news:media-type", ["photo", "photo", "video", "gif"] as const);
  const originalUrl = at.entropy.chance("news:media-original", 0.7) ? `${SITE}/media/${name}` : null;
  return [{ cdnUrl: `https://cdn.example.com/${name}`, originalUrl, shortUrl: null, mediaType }];
}

function quoteFor(story: Story, at: WireAt): QuoteContentVO | null {
  if (story.category !== 4 || !at.entropy.chance("news:quote", 0.4)) return null;
  const [author, nickName] = pick(at.entropy, "news:quoted", HANDLES);
  return {
    content: `What do we make of $${story.base.replace(/^1000/, "")} here?`,
    createdAtSource: story.publishedMs - 10 * MINUTE_MS,
    originalUrl: `https://social.example.com/${author}/status/${String(at.id)}`,
    author,
    nickName,
    authorAvatarUrl: null,
    isBlueVerified: at.entropy.chance("news:quoted-blue", 0.5),
    verifiedType: null,
    impressionCount: at.entropy.int("news:seen", 100, 90_000),
    likeCount: at.entropy.int("news:liked", 0, 900),
    replyCount: null,
    retweetCount: null,
    mediaAttachments: null,
  };
}

function authored(story: Story, at: WireAt): Omit<FeaturedNewsVO, "newsType"> {
  const { entropy } = at;
  const isPost = story.category === 4;
  const [handle, display] = pick(entropy, "news:author", HANDLES);
  const newsId = newsIdOf(at);
  return {
    id: at.id,
    newsId,
    category: entropy.chance("news:no-category", 0.03) ? null : story.category,
    // Posts often have no headline; the text is all in the body (records §13).
    title: isPost && entropy.chance("news:no-title", 0.3) ? null : story.title,
    content: isPost ? `<p>${story.title}</p>${story.body}` : story.body,
    publishTime: entropy.chance("news:no-time", 0.02) ? null : story.publishedMs,
    sourceUrl: `${SITE}/${newsId}`,
    originalUrl: isPost
      ? `https://social.example.com/${handle}/status/${String(at.id)}`
      : `https://press.example.org/${slug(story.title)}`,
    authorName: isPost ? handle : null,
    authorDisplayName: isPost ? display : null,
    authorAvatar: isPost ? `https://cdn.example.com/avatar/${handle}.png` : null,
    isBlueVerified: isPost ? entropy.chance("news:blue", 0.6) : null,
    currencies: story.aboutCoin && !entropy.chance("news:no-currency", 0.06) ? [currencyOf(story.base)] : null,
    mediaAttachments: mediaFor(at),
    quotedContent: quoteFor(story, at),
    createdAt: at.ingestedMs,
  };
}

/** Posts (category 4) have an author and counts; all other items have neither. */
export function newsFrom(story: Story, at: WireAt): NewsVO {
  const { entropy } = at;
  const counted = story.category === 4;
  const count = (most: number): number | null => (counted ? entropy.int("news:count", 0, most) : null);
  return {
    ...authored(story, at),
    newsType: "news",
    viewCount: count(120_000),
    likeCount: count(3_000),
    commentCount: count(400),
    retweetCount: count(700),
  };
}

/** A post becomes research, category 2 instead of 4: featured items are never posts. Categories: 2 §2.5. */
export function featuredFrom(story: Story, at: WireAt): FeaturedNewsVO {
  return { ...authored({ ...story, category: story.category === 4 ? 2 : story.category }, at), newsType: "featured" };
}

/** Three in ten have no body, and two in ten no link. */
export function hotFrom(story: Story, at: WireAt): HotNewsVO {
  return {
    id: at.id,
    newsId: newsIdOf(at),
    newsType: "hot",
    title: story.title,
    content: at.entropy.chance("news:hot-body", 0.7) ? story.body : null,
    publishTime: story.publishedMs,
    ingestTime: at.ingestedMs,
    sourceUrl: at.entropy.chance("news:hot-url", 0.8) ? `${SITE}/${newsIdOf(at)}` : null,
    createdAt: at.ingestedMs,
  };
}
