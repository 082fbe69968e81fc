/**
 * News items in the exact wire form, and their sources. A source knows when items are ingested, but not who subscribes.
 * Spec: 2 §2.2 to §2.6.
 */

export interface CurrencyVO {
  readonly currencyId: string;
  readonly fullName: string | null;
  readonly symbol: string | null;
}

/** Picture or film of an item. Spec: 2 §2.6. */
export interface MediaAttachmentVO {
  readonly cdnUrl: string;
  readonly originalUrl: string | null;
  readonly shortUrl: string | null;
  readonly mediaType: "photo" | "video" | "gif";
}

/** The post that an item quotes; `createdAtSource` is epoch ms. Spec: 2 §2.6. */
export interface QuoteContentVO {
  readonly content: string | null;
  readonly createdAtSource: number | null;
  readonly originalUrl: string | null;
  readonly author: string | null;
  readonly nickName: string | null;
  readonly authorAvatarUrl: string | null;
  readonly isBlueVerified: boolean | null;
  readonly verifiedType: string | null;
  readonly impressionCount: number | null;
  readonly likeCount: number | null;
  readonly replyCount: number | null;
  readonly retweetCount: number | null;
  readonly mediaAttachments: readonly MediaAttachmentVO[] | null;
}

interface AuthoredVO {
  readonly id: number;
  readonly newsId: string;
  readonly category: number | null;
  readonly title: string | null;
  /** Body HTML. */
  readonly content: string | null;
  readonly publishTime: number | null;
  readonly sourceUrl: string | null;
  readonly originalUrl: string | null;
  readonly authorName: string | null;
  readonly authorDisplayName: string | null;
  readonly authorAvatar: string | null;
  readonly isBlueVerified: boolean | null;
  readonly currencies: readonly CurrencyVO[] | null;
  readonly mediaAttachments: readonly MediaAttachmentVO[] | null;
  readonly quotedContent: QuoteContentVO | null;
  /** Ingestion time, epoch ms. */
  readonly createdAt: number;
}

/** An article, post or notice; the counts are null if the source has none. Spec: 2 §2.2. */
export interface NewsVO extends AuthoredVO {
  readonly newsType: "news";
  readonly viewCount: number | null;
  readonly likeCount: number | null;
  readonly commentCount: number | null;
  readonly retweetCount: number | null;
}

/** A curated item: only queried, never pushed. Spec: 2 §2.4. */
export interface FeaturedNewsVO extends AuthoredVO {
  readonly newsType: "featured";
}

/** A trending topic, without category, author or currencies. Spec: 2 §2.3. */
export interface HotNewsVO {
  readonly id: number;
  readonly newsId: string;
  readonly newsType: "hot";
  readonly title: string | null;
  readonly content: string | null;
  readonly publishTime: number | null;
  readonly ingestTime: number;
  readonly sourceUrl: string | null;
  readonly createdAt: number;
}

/** Distinguished by `newsType`. Times are epoch ms of the service. */
export type FeedItem = NewsVO | HotNewsVO | FeaturedNewsVO;

/** Used by the news desk: `history` once, then `step` with times that never go back. */
export interface FeedSource {
  /** The items ingested before `nowMs`, oldest first, for the retention windows. Call once, first. */
  history(nowMs: number): readonly FeedItem[];
  /** The items ingested after the last call and up to `nowMs`, oldest first. */
  step(nowMs: number): readonly FeedItem[];
}

/** Bases with their usual names, for currency links and headlines. Other bases are named by their ticker. */
export const COIN_NAMES: Readonly<Record<string, string>> = {
  BTC: "Bitcoin",
  ETH: "Ethereum",
  BNB: "BNB",
  XRP: "XRP",
  SOL: "Solana",
  TRX: "TRON",
  HYPE: "Hyperliquid",
  DOGE: "Dogecoin",
  ZEC: "Zcash",
  XLM: "Stellar",
  ADA: "Cardano",
  XMR: "Monero",
  LINK: "Chainlink",
  BCH: "Bitcoin Cash",
  LTC: "Litecoin",
  HBAR: "Hedera",
  SUI: "Sui",
  AVAX: "Avalanche",
  NEAR: "NEAR Protocol",
  "1000SHIB": "Shiba Inu",
  TAO: "Bittensor",
  UNI: "Uniswap",
  DOT: "Polkadot",
  AAVE: "Aave",
  ICP: "Internet Computer",
  ETC: "Ethereum Classic",
  "1000PEPE": "Pepe",
  RENDER: "Render",
  ATOM: "Cosmos",
  JUP: "Jupiter",
  POL: "Polygon",
  ALGO: "Algorand",
};

/** The usual name of a base, or the base itself. */
export const coinName = (base: string): string => COIN_NAMES[base] ?? base;

/**
 * A currency link; the feed writes tickers in mixed case (records §13), and so does this function, by the parity of the
 * id.
 */
export function currencyOf(base: string): CurrencyVO {
  const ticker = base.replace(/^1000/, "");
  const id = [...ticker].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
  return {
    currencyId: String(id),
    fullName: COIN_NAMES[base] ?? null,
    symbol: id % 4 === 0 ? ticker.toLowerCase() : ticker,
  };
}
