/**
 * News, hot and featured items as document 2 defines them. Treat the bodies as hostile HTML until they are stripped.
 */
import { z } from "zod";
import { idMaybe, textMaybe, timeMaybe, unread, wholeMaybe } from "../reply-fields.ts";

/** 2 §2.6. Symbols come in mixed case. */
export const currencyRecord = z.looseObject({ currencyId: unread, fullName: unread, symbol: textMaybe });

/** The post that an item quotes, 2 §2.6. */
export const quotedRecord = z.looseObject({
  content: textMaybe,
  /** Epoch ms. */
  createdAtSource: unread,
  originalUrl: unread,
  /** Handle. */
  author: textMaybe,
  nickName: textMaybe,
  authorAvatarUrl: unread,
  isBlueVerified: unread,
  verifiedType: unread,
  impressionCount: unread,
  likeCount: unread,
  replyCount: unread,
  retweetCount: unread,
  mediaAttachments: unread,
});

const common = {
  /** Primary key. */
  id: z.union([z.number(), z.string().min(1)]),
  /** Source-side article id. */
  newsId: idMaybe,
  /** English headline; may be empty with content filled. */
  title: textMaybe,
  /** Body HTML. */
  content: textMaybe,
  /** Original publish time, epoch ms. */
  publishTime: timeMaybe,
  /** Platform link. */
  sourceUrl: textMaybe,
  /** Ingestion (hot: insert) time, epoch ms. */
  createdAt: timeMaybe,
};

const authored = {
  /** 2 §2.5. */
  category: wholeMaybe.catch(null),
  originalUrl: unread,
  /** Handle of the author. */
  authorName: textMaybe,
  authorDisplayName: textMaybe,
  authorAvatar: unread,
  isBlueVerified: unread,
  currencies: z.array(currencyRecord).nullish(),
  /** 2 §2.6. The CDN address is `cdnUrl` with, on some servers, a brand prefix in place of cdn (records §13). */
  mediaAttachments: unread,
  quotedContent: quotedRecord.nullish(),
};

/** NewsVO, 2 §2.2. */
export const newsRecord = z.looseObject({
  ...common,
  newsType: z.literal("news"),
  ...authored,
  viewCount: unread,
  likeCount: unread,
  commentCount: unread,
  retweetCount: unread,
});
/** HotNewsVO, 2 §2.3. */
export const hotRecord = z.looseObject({ ...common, newsType: z.literal("hot"), ingestTime: unread });
/** FeaturedNewsVO, 2 §2.4: a news item without counts. */
export const featuredRecord = z.looseObject({ ...common, newsType: z.literal("featured"), ...authored });

/** Any of the three, distinguished by newsType. */
export const anyNewsRecord = z.discriminatedUnion("newsType", [newsRecord, hotRecord, featuredRecord]);

/** As received, its bodies still hostile HTML; `news/` turns it into plain text. */
export type NewsRecord = z.output<typeof newsRecord>;
/** As received: a hot topic has no author, no category and no currencies. */
export type HotRecord = z.output<typeof hotRecord>;
export type FeaturedRecord = z.output<typeof featuredRecord>;
/** As received; `newsType` says which of the three it is. */
export type AnyNewsRecord = z.output<typeof anyNewsRecord>;

/** 2 §2.5. */
export const NEWS_CATEGORIES: Readonly<Record<number, string>> = {
  1: "News",
  2: "Research",
  3: "Institutional",
  4: "KOL Insights",
  7: "Announcements",
  13: "Crypto Stock News",
};
