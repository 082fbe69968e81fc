/** The three news queries. Spec: 2 §2, §4, §5, §7.1, §8; records §13. */
import { expect } from "vitest";
import { type Card, card, type Surface } from "../harness.ts";
import { at, isObject, type Json, num, rows, text } from "../json.ts";
import { hmac, type Key, type Params, type Reply, signedHeaders, sorted } from "../rest-client.ts";
import type { Venue } from "../venue.ts";

const NEWS = "/api/v1/feeds/queryNews";
const HOT = "/api/v1/feeds/queryHot";
const FEATURED = "/api/v1/feeds/queryFeatured";
const DAY_MS = 86_400_000;

/** Success of the feed: code 200, not 200000. */
function found(reply: Reply): Json {
  expect(at(reply.body, "code"), reply.text).toBe(200);
  expect(reply.status).toBe(200);
  return reply.data;
}

const refused = (reply: Reply, code: number): void => {
  expect(at(reply.body, "code"), reply.text).toBe(code);
};

/** Puts an item into the feed and answers it as the query shows it. */
async function injected(v: Venue, kind: string, item: Readonly<Record<string, unknown>>): Promise<Json> {
  const title = `${kind} for ${v.account.id}`;
  await v.control("POST", "/control/news", { kind, title, content: "<p>body</p>", ...item });
  const path = kind === "hot" ? HOT : kind === "featured" ? FEATURED : NEWS;
  const data = found(await v.get(path, { pageSize: 30 }));
  return rows(data).find((row) => at(row, "title") === title) ?? null;
}

/** 2 §5.2: the older scheme, all in the query. */
async function byQuery(v: Venue, change: Params = {}, key: Key = v.account): Promise<Reply> {
  const timestamp = new Date(v.clock.nowMs()).toISOString().slice(0, 19);
  const params: Params = { apiKey: key.accessKey, timestamp, page: 1, ...change };
  const signedPart = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ""));
  return v.raw({ method: "GET", path: NEWS, query: { ...params, sign: hmac(key.secretKey, sorted(signedPart)) } });
}

const keyRefused = (id: string, code: number, sentence: string, kind: Parameters<Venue["key"]>[0]): Card =>
  card(id, "2 §7.1", sentence, async (v) => refused(await v.get(NEWS, {}, v.key(kind)), code));

const fieldsOf = (value: Json): readonly string[] => (isObject(value) ? Object.keys(value).sort() : []);

const HOT_FIELDS = [
  "content",
  "createdAt",
  "id",
  "ingestTime",
  "newsId",
  "newsType",
  "publishTime",
  "sourceUrl",
  "title",
];
const FEATURED_FIELDS = [
  "authorAvatar",
  "authorDisplayName",
  "authorName",
  "category",
  "content",
  "createdAt",
  "currencies",
  "id",
  "isBlueVerified",
  "mediaAttachments",
  "newsId",
  "newsType",
  "originalUrl",
  "publishTime",
  "quotedContent",
  "sourceUrl",
  "title",
];
const NEWS_FIELDS = [...FEATURED_FIELDS, "viewCount", "likeCount", "commentCount", "retweetCount"].sort();

export const feedRest: Surface = {
  name: "feed-rest",
  cards: [
    card("F-2.1-01", "2 §2.1", "the envelope has code 200 and a page object", async (v) => {
      const data = found(await v.get(NEWS));
      for (const field of ["page", "pageSize", "pageNum", "totalSize"])
        expect(typeof at(data, field), field).toBe("number");
      expect(Array.isArray(at(data, "list"))).toBe(true);
    }),
    card("F-8-01", "2 §4, §8", "page is 1 and pageSize 20 by default", async (v) => {
      expect(found(await v.get(NEWS))).toMatchObject({ page: 1, pageSize: 20 });
    }),
    card("F-2.2-01", "2 §2.2", "a news item has exactly the fields of NewsVO", async (v) => {
      const item = await injected(v, "news", { category: 1, currencies: ["BTC"] });
      expect(fieldsOf(item)).toEqual(NEWS_FIELDS);
      expect(item).toMatchObject({ newsType: "news", category: 1, content: "<p>body</p>" });
      expect(typeof at(item, "id")).toBe("number");
      expect(typeof at(item, "newsId")).toBe("string");
    }),
    card("F-2.3-01", "2 §2.3", "a hot item has ingestTime and neither category, author nor counts", async (v) => {
      const item = await injected(v, "hot", {});
      expect(fieldsOf(item)).toEqual(HOT_FIELDS);
      expect(at(item, "newsType")).toBe("hot");
    }),
    card("F-2.4-01", "2 §2.4", "a featured item is a news item without counts and ingestTime", async (v) => {
      const item = await injected(v, "featured", { category: 2 });
      expect(fieldsOf(item)).toEqual(FEATURED_FIELDS);
      expect(at(item, "newsType")).toBe("featured");
    }),
    card("F-2.6-01", "2 §2.6", "currencies are objects with currencyId, fullName and symbol", async (v) => {
      const item = await injected(v, "news", { currencies: ["ETH"] });
      const currency = at(item, "currencies", 0);
      expect(fieldsOf(currency)).toEqual(["currencyId", "fullName", "symbol"]);
      expect(text(at(currency, "symbol")).toUpperCase()).toBe("ETH");
    }),
    card("F-2.6-02", "2 §2.6", "optional fields may be null", async (v) => {
      const item = await injected(v, "news", { content: null, category: null, currencies: null });
      expect(item).toMatchObject({
        content: null,
        category: null,
        currencies: null,
        mediaAttachments: null,
        quotedContent: null,
      });
    }),
    card("F-2.2-02", "2 §2.2", "publishTime and createdAt are epoch milliseconds as numbers", async (v) => {
      const item = await injected(v, "news", {});
      for (const field of ["publishTime", "createdAt"]) {
        expect(typeof at(item, field)).toBe("number");
        expect(Math.abs(num(at(item, field)) - v.clock.nowMs())).toBeLessThan(120_000);
      }
    }),
    card("F-4-01", "2 §4", "categories filters by a comma list of ids", async (v) => {
      await injected(v, "news", { category: 4 });
      const list = rows(found(await v.get(NEWS, { categories: "4,13", pageSize: 30 })));
      expect(list.length).toBeGreaterThan(0);
      for (const row of list) expect([4, 13]).toContain(at(row, "category"));
    }),
    card("F-4-02", "2 §4; records §13", "an unknown category matches nothing", async (v) => {
      expect(found(await v.get(NEWS, { categories: "99" }))).toMatchObject({ totalSize: 0, pageNum: 0, list: [] });
    }),
    card("F-4-03", "2 §4", "startTime and endTime bound the items", async (v) => {
      const from = Math.floor(v.clock.nowMs()) - DAY_MS;
      const list = rows(found(await v.get(NEWS, { startTime: from, endTime: from + DAY_MS / 2, pageSize: 30 })));
      for (const row of list) {
        expect(num(at(row, "publishTime"))).toBeGreaterThanOrEqual(from);
        expect(num(at(row, "publishTime"))).toBeLessThanOrEqual(from + DAY_MS / 2);
      }
    }),
    ...(
      [
        ["F-4-04", NEWS, 15],
        ["F-4-05", HOT, 7],
        ["F-4-06", FEATURED, 180],
      ] as const
    ).map(([id, path, days]) =>
      card(id, "2 §4 rule 1", `${path} clamps an older startTime to ${days} days without an error`, async (v) => {
        const kind = path === HOT ? "hot" : path === FEATURED ? "featured" : "news";
        const title = `too old for ${v.account.id}`;
        const publishTimeMs = Math.floor(v.clock.nowMs()) - (days + 1) * DAY_MS;
        await v.control("POST", "/control/news", { kind, title, publishTimeMs });
        const data = found(
          await v.get(path, { startTime: publishTimeMs - DAY_MS, endTime: publishTimeMs + DAY_MS / 2 }),
        );
        expect(rows(data).map((row) => at(row, "title"))).not.toContain(title);
      }),
    ),
    card("F-4-07", "2 §4; records §13", "items come newest first, and pages do not overlap", async (v) => {
      // Bounded in the past, because other cards publish meanwhile.
      const endTime = Math.floor(v.clock.nowMs()) - DAY_MS;
      const first = rows(found(await v.get(NEWS, { endTime, page: 1, pageSize: 5 })));
      const second = rows(found(await v.get(NEWS, { endTime, page: 2, pageSize: 5 })));
      const ids = [...first, ...second].map((row) => at(row, "id"));
      expect(new Set(ids).size).toBe(ids.length);
      expect(first).toHaveLength(5);
      const times = [...first, ...second].map((row) => num(at(row, "publishTime") ?? at(row, "createdAt")));
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }),
    card("R-2-30012", "records §2, §13", "code 30012: a pageSize above 30", async (v) =>
      refused(await v.get(NEWS, { pageSize: 31 }), 30012),
    ),
    card("R-13-01", "records §13", "an error of the feed has data null", async (v) => {
      expect((await v.get(NEWS, { pageSize: 31 })).data).toBeNull();
    }),
    card("F-7.1-1003", "2 §7.1", "code 1003: the API key does not exist", async (v) =>
      refused(await v.get(NEWS, {}, { accessKey: "nobody-knows-me", secretKey: "s" }), 1003),
    ),
    card("F-7.1-1004", "2 §7.1", "code 1004: signature error", async (v) =>
      refused(await v.get(NEWS, {}, { ...v.account, secretKey: "wrong" }), 1004),
    ),
    keyRefused("F-7.1-1007", 1007, "code 1007: the address is not on the allowlist", "walled"),
    card("F-7.1-1010", "2 §7.1", "code 1010: the KYC level of the owner is insufficient", async (v) => {
      const level = (to: number) => v.control("POST", "/control/kyc", { accountId: v.account.id, level: to });
      await level(0);
      refused(await v.get(NEWS), 1010);
      refused(await byQuery(v), 1010);
      await level(1);
      found(await v.get(NEWS));
    }),
    keyRefused("F-7.1-2003", 2003, "code 2003: no access permission", "frozen"),
    card("F-5.1-01", "2 §5.1", "a nonce more than 60 s off is refused", async (v) => {
      const reply = await v.raw({ method: "GET", path: NEWS, headers: signedHeaders(v.account, {}, v.nonce(-90)) });
      refused(reply, 1004);
    }),
    card("F-5.2-01", "2 §5.2", "the query scheme is accepted", async (v) => void found(await byQuery(v))),
    card(
      "F-5.2-02",
      "2 §5.2",
      "parameters with empty values are left out of the signed string",
      async (v) => void found(await byQuery(v, { categories: "" })),
    ),
    card("F-5.2-03", "2 §5.2", "a timestamp 4 minutes old is inside the window", async (v) => {
      const timestamp = new Date(v.clock.nowMs() - 240_000).toISOString().slice(0, 19);
      found(await byQuery(v, { timestamp }));
    }),
    card("F-5.2-04", "2 §5.2", "a timestamp more than 5 minutes old is refused with 1004", async (v) => {
      const timestamp = new Date(v.clock.nowMs() - 400_000).toISOString().slice(0, 19);
      refused(await byQuery(v, { timestamp }), 1004);
    }),
    card("F-5.2-05", "2 §5.2", "a wrong sign is refused with 1004", async (v) =>
      refused(await byQuery(v, {}, { ...v.account, secretKey: "wrong" }), 1004),
    ),
    card("F-5.2-06", "2 §5.2", "both schemes are accepted by all three endpoints", async (v) => {
      for (const path of [HOT, FEATURED]) {
        found(await v.get(path));
        const params = { apiKey: v.account.accessKey, timestamp: new Date(v.clock.nowMs()).toISOString().slice(0, 19) };
        found(
          await v.raw({ method: "GET", path, query: { ...params, sign: hmac(v.account.secretKey, sorted(params)) } }),
        );
      }
    }),
  ],
};
