/**
 * The three news queries, read to their last page. A malformed item is dropped without its page. Supports both
 * signature schemes. Spec: 2 §2.1, §4, §5; records §13.
 */
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import type { Log } from "../core/log.ts";
import type { Secret } from "../core/secret.ts";
import type { NetEnv } from "../net/network.ts";
import type { NewsKind } from "../domain/news-item.ts";
import { createRateLimiter, type RateLimiter } from "../net/rate-limit.ts";
import { createRest, type Rest, type Sign } from "../net/rest.ts";
import { retryRead } from "../net/retry.ts";
import { signHeaders, signQuery } from "../net/sign.ts";
import { httpVerdict, isDefiniteRefusal, rejected } from "../protocol/codes.ts";
import { readEnvelope } from "../protocol/envelope.ts";
import { type AnyNewsRecord, anyNewsRecord } from "../protocol/feeds/news-record.ts";
import { FEED_PAGING, FEED_RETENTION_MS } from "../protocol/feeds/query-fields.ts";
import { queryFeatured } from "../protocol/feeds/query-featured.ts";
import { queryHot } from "../protocol/feeds/query-hot.ts";
import { queryNews } from "../protocol/feeds/query-news.ts";

/** Revealed only while signing. */
export interface FeedKeys {
  readonly accessKey: Secret;
  readonly secretKey: Secret;
}

/** Defaults: `scheme` "header", and a `limiter` of its own. */
export interface FeedClientOptions {
  readonly env: NetEnv;
  readonly log: Log;
  /** `http(s)://host[:port]`, the same host as the trading REST. */
  readonly restUrl: string;
  readonly keys: FeedKeys;
  /** "header" is V2, "query" the older V1; the service accepts both. */
  readonly scheme?: "header" | "query";
  /** The venue's time, where it is known better than ours. */
  readonly venueNowMs?: () => number;
  readonly limiter?: RateLimiter;
}

/** All pages of one query, as far as they were read. */
export interface FeedReading {
  /** Newest first. */
  readonly items: readonly AnyNewsRecord[];
  /** Number of items that did not match their schema. */
  readonly refused: number;
  /** False if there were more pages than we read, or if the span begins before the service's retention. */
  readonly complete: boolean;
}

/** Each page is tried three times; a page that fails ends the query with an error. At most 40 pages. */
export interface FeedClient {
  /**
   * Items published in the span, both ends inclusive. The service silently raises a start older than its retention (2
   * §4).
   */
  query(kind: NewsKind, span: { startMs: number; endMs: number }): Promise<Outcome<FeedReading>>;
  close(): Promise<void>;
}

const ENDPOINTS = { news: queryNews, hot: queryHot, featured: queryFeatured } as const;
const PAGES_MAX = 40;
const PATIENCE_MS = 60_000;

interface Page {
  readonly rows: readonly unknown[];
  readonly pages: number;
}

export function createFeedClient(options: FeedClientOptions): FeedClient {
  const { env, log } = options;
  const limiter = options.limiter ?? createRateLimiter(env.clock);
  const rest = createRest({ env, baseUrl: options.restUrl, limiter, sign: signOf(options) });

  let closed = false;

  const page = (kind: NewsKind, params: Record<string, unknown>): Promise<Outcome<Page>> =>
    retryRead(
      env,
      {
        attempts: 3,
        transient: (outcome) => !closed && (outcome.kind === "unknown" || outcome.kind === "not-sent"),
        onRetry: (outcome, attempt) =>
          log.event("warn", "venue.retry", `${ENDPOINTS[kind].path}, attempt ${attempt}: ${describeOutcome(outcome)}`, {
            path: ENDPOINTS[kind].path,
            attempt,
          }),
      },
      () => readPage(rest, ENDPOINTS[kind], params),
    );

  return {
    query: async (kind, { startMs, endMs }) => {
      const params = {
        startTime: String(Math.floor(startMs)),
        // A fixed end keeps items from moving between pages during the read.
        endTime: String(Math.floor(endMs)),
        pageSize: String(FEED_PAGING.maxSize),
      };
      const cut = startMs < venueNow(options) - FEED_RETENTION_MS[kind];
      const rows: unknown[] = [];
      let pages = 1;
      for (let number = 1; number <= Math.min(pages, PAGES_MAX); number++) {
        const outcome = await page(kind, { ...params, page: String(number) });
        if (outcome.kind !== "done") return outcome;
        rows.push(...outcome.value.rows);
        pages = outcome.value.pages;
      }
      return { kind: "done", value: { ...soundItems(rows), complete: pages <= PAGES_MAX && !cut } };
    },
    close: () => {
      closed = true;
      return rest.close();
    },
  };
}

const venueNow = ({ venueNowMs, env }: FeedClientOptions): number => venueNowMs?.() ?? env.clock.nowMs();

function signOf(options: FeedClientOptions): Sign {
  const { keys, scheme } = options;
  const now = (): number => venueNow(options);
  return (params) => {
    const pair = { accessKey: keys.accessKey.reveal(), secretKey: keys.secretKey.reveal() };
    return scheme === "query"
      ? { headers: { "Content-Type": "application/json" }, params: signQuery(pair, params, now()) }
      : { headers: { ...signHeaders(pair, params, Math.floor(now() / 1_000)) }, params };
  };
}

type FeedEndpoint = (typeof ENDPOINTS)[NewsKind];

async function readPage(rest: Rest, endpoint: FeedEndpoint, params: Record<string, unknown>): Promise<Outcome<Page>> {
  const { method, path, limit } = endpoint;
  const heard = await rest.send({ method, path, limit, params, priority: "read", patienceMs: PATIENCE_MS });
  if (heard.kind !== "done") return heard;
  const body = readEnvelope(endpoint, heard.text);
  if (body.kind === "refused" && isDefiniteRefusal(body.code)) {
    return rejected(body.code, body.message);
  }
  const verdict = httpVerdict(heard.status);
  if (verdict === "refused") return rejected(`http-${heard.status}`, heard.text.slice(0, 100));
  const page = body.kind === "success" && verdict === "read-body" ? pageOf(body.data) : null;
  if (page) return { kind: "done", value: page };
  return { kind: "unknown", message: `HTTP ${heard.status}: ${heard.text.slice(0, 100)}` };
}

/** A page object or a plain array, its items unread. */
function pageOf(data: unknown): Page | null {
  if (Array.isArray(data)) return { rows: data, pages: 1 };
  if (typeof data !== "object" || data === null || !("list" in data)) return null;
  const { list, pageNum } = data as { list: unknown; pageNum?: unknown };
  const pages = Number(pageNum ?? 1);
  if (list !== null && !Array.isArray(list)) return null;
  return { rows: list ?? [], pages: Number.isFinite(pages) ? pages : 1 };
}

function soundItems(rows: readonly unknown[]): { items: readonly AnyNewsRecord[]; refused: number } {
  const items: AnyNewsRecord[] = [];
  for (const row of rows) {
    const parsed = anyNewsRecord.safeParse(row);
    if (parsed.success) items.push(parsed.data);
  }
  return { items, refused: rows.length - items.length };
}
