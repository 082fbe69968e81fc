import { describe, expect, test } from "vitest";
import { anyNewsRecord } from "../../src/protocol/feeds/news-record.ts";
import { NewsWindow } from "../../src/context/news-window.ts";
import { createNewsInbox } from "../../src/news/news-inbox.ts";
import { ingestedMs, readNewsItem } from "../../src/news/news-item.ts";

const NOW = 1_784_500_000_000;
const HOUR = 3_600_000;
const record = (given: Record<string, unknown>) =>
  anyNewsRecord.parse({ id: 1, newsId: "n1", newsType: "news", createdAt: NOW, ...given });
const LONG = "Regulator approves the first spot fund of its kind";

describe("one record", () => {
  test("becomes an item: plain, bounded, tickers in upper case, web addresses only", () => {
    const item = readNewsItem(
      record({
        title: "<b>BTC</b> moves",
        content: "<p>Body</p>",
        publishTime: NOW - 5,
        category: "7",
        authorName: "handle",
        authorDisplayName: "A\u202Ename",
        sourceUrl: "javascript:alert(1)",
        currencies: [
          { currencyId: "1", symbol: "btc" },
          { currencyId: "1", symbol: "BTC" },
          { currencyId: "2", symbol: null },
          { currencyId: "3", symbol: "not a ticker" },
        ],
      }),
      NOW,
    );
    expect(item).toEqual({
      key: "news:1",
      kind: "news",
      newsId: "n1",
      title: "BTC moves",
      text: "Body",
      category: 7,
      author: "Aname",
      currencies: ["BTC"],
      publishedAtMs: NOW - 5,
      firstSeenMs: NOW,
      sourceUrl: null,
    });
  });
  test("keeps a web address up to 500 characters, as long as it is once it is encoded", () => {
    const kept = (sourceUrl: string) => readNewsItem(record({ title: "T", sourceUrl }), NOW)?.sourceUrl;
    const host = "https://news.example/";
    expect(kept(host + "a".repeat(479))).toHaveLength(500);
    expect(kept(host + "a".repeat(480))).toBeNull();
    expect(kept(`${host}ä`)).toBe(`${host}%C3%A4`);
    expect(kept(host + "ä".repeat(79))).toHaveLength(495);
    expect(kept(host + "ä".repeat(80))).toBeNull();
  });
  test("two items whose long ids are one JSON number stay two stories", () => {
    const inbox = createNewsInbox();
    // What JSON.parse makes of …123 and …124.
    const id = Number("1784500000000000123");
    const receipts = ["a", "b"].map((newsId) => inbox.accept(record({ id, newsId, title: `Title of ${newsId}` }), NOW));
    expect(receipts).toMatchObject([
      { kind: "new", item: { key: "news:a" } },
      { kind: "new", item: { key: "news:b" } },
    ]);
  });
  test("every nullable field may be null; the first line stands in for a missing headline", () => {
    const bare = record({ title: null, content: "<p>First line</p><p>more</p>", currencies: null, publishTime: null });
    expect(readNewsItem(bare, NOW)).toMatchObject({ title: "First line", currencies: [], publishedAtMs: null });
    expect(readNewsItem(record({ title: "", content: null }), NOW)).toBeNull();
  });
  test("an item of the past is as old as its ingestion, never from the future", () => {
    expect(ingestedMs(record({ createdAt: NOW - HOUR }), NOW)).toBe(NOW - HOUR);
    expect(ingestedMs(record({ createdAt: NOW + HOUR }), NOW)).toBe(NOW);
    expect(ingestedMs(record({ createdAt: null, publishTime: NOW - 2 }), NOW)).toBe(NOW - 2);
  });
});

describe("one story once", () => {
  test.each(["", "0", 0, null])("articles of a source that names them %j are different stories", (newsId) => {
    const inbox = createNewsInbox();
    const given = ["Bitcoin up", "Ether down", "Fund filed"];
    const receipts = given.map((title, id) => inbox.accept(record({ id, newsId, title }), NOW));
    expect(receipts.map(({ kind }) => kind)).toEqual(["new", "new", "new"]);
    const news = new NewsWindow({ kept: 9, shown: 9, maxAgeMs: HOUR }, new Set());
    for (const receipt of receipts) if (receipt.kind === "new") news.add(receipt.item);
    expect(news.ranked(NOW, new Set())).toHaveLength(3);
  });
  test("the same record again, and the same article under another kind", () => {
    const inbox = createNewsInbox();
    expect(inbox.accept(record({ title: LONG }), NOW).kind).toBe("new");
    expect(inbox.accept(record({ title: LONG }), NOW + 1).kind).toBe("duplicate");
    const hot = record({ id: 9, newsType: "hot", title: LONG });
    expect(inbox.accept(hot, NOW + 2)).toMatchObject({ kind: "updated", item: { key: "news:1", kind: "hot" } });
    expect(inbox.accept(hot, NOW + 3).kind).toBe("duplicate");
    expect(inbox.accept(record({ title: LONG }), NOW + 4).kind).toBe("duplicate");
    expect(inbox.size()).toBe(1);
  });
  test("an edit updates words, keeps key and first sight", () => {
    const inbox = createNewsInbox();
    inbox.accept(record({ title: LONG, content: "first" }), NOW);
    const receipt = inbox.accept(record({ title: LONG, content: "second" }), NOW + HOUR);
    expect(receipt).toMatchObject({ kind: "updated", item: { key: "news:1", text: "second", firstSeenMs: NOW } });
  });
  test("another reporting adds what was missing and takes nothing away", () => {
    const inbox = createNewsInbox();
    inbox.accept(record({ id: 5, newsType: "hot", title: LONG, content: "hot words" }), NOW);
    const reported = inbox.accept(
      record({ title: "Other", content: "x", currencies: [{ currencyId: 1, symbol: "eth" }] }),
      NOW,
    );
    expect(reported).toMatchObject({ kind: "updated", item: { key: "hot:5", text: "hot words", currencies: ["ETH"] } });
  });
  test("forty copies of one headline under new ids count once within a day, and again after it", () => {
    const inbox = createNewsInbox();
    const kinds = Array.from({ length: 40 }, (_, i) =>
      inbox.accept(record({ id: i, newsId: `copy${i}`, title: `${LONG}${"!".repeat(i)}` }), NOW + i),
    ).map((receipt) => receipt.kind);
    expect(kinds.filter((kind) => kind === "new")).toHaveLength(1);
    expect(inbox.accept(record({ id: 99, newsId: "later", title: LONG }), NOW + 25 * HOUR).kind).toBe("new");
  });
  test("short headlines never collapse", () => {
    const inbox = createNewsInbox();
    for (const id of [1, 2]) {
      expect(inbox.accept(record({ id, newsId: `s${id}`, title: "Bitcoin up" }), NOW).kind).toBe("new");
    }
  });
  test("nearly the same words are one story; another figure, direction, denial or asset is another", () => {
    const reported = (title: string, base = "BTC") => ({ title, currencies: [{ currencyId: 1, symbol: base }] });
    const first = reported("Large exchange halts withdrawals of Bitcoin after wallet incident, 20,000 users affected");
    const kinds = [
      first,
      reported("Breaking: large exchange halts withdrawals of Bitcoin after a wallet incident, 20000 users affected"),
      reported(
        "L\u0430rge exch\u0430nge halts withdrawals \u043ef Bitcoin after wallet incident \u2014 20,000 users affected!",
      ),
      reported("Large exchange halts withdrawals of Bitcoin after wallet incident, 90,000 users affected"),
      reported("Large exchange resumes withdrawals of Bitcoin after wallet incident, 20,000 users affected"),
      reported("Large exchange denies it halts withdrawals of Bitcoin after wallet incident, 20,000 users affected"),
      reported("Large exchange halts withdrawals of Solana after wallet incident, 20,000 users affected", "SOL"),
    ];
    const inbox = createNewsInbox();
    const receipts = kinds.map((given, id) => inbox.accept(record({ id, newsId: `w${id}`, ...given }), NOW + id).kind);
    expect(receipts).toEqual(["new", "duplicate", "duplicate", "new", "new", "new", "new"]);
    expect(inbox.gauges().every(({ size, cap }) => size <= cap)).toBe(true);
  });
  test("what a post quotes is part of its text", () => {
    const post = record({
      title: null,
      content: "<p>So it begins</p>",
      quotedContent: { content: "<b>Fund</b> filed", author: "desk" },
    });
    expect(readNewsItem(post, NOW)).toMatchObject({
      title: "So it begins",
      text: "So it begins\nQuoted from desk: Fund filed",
    });
  });
  test("memory is bounded", () => {
    const inbox = createNewsInbox(10);
    for (let id = 0; id < 100; id++) inbox.accept(record({ id, newsId: `m${id}`, title: `Short ${id}` }), NOW);
    expect(inbox.size()).toBe(10);
  });
  test("names of object members are ordinary ids", () => {
    const inbox = createNewsInbox();
    expect(inbox.accept(record({ id: "__proto__", newsId: "constructor", title: LONG }), NOW).kind).toBe("new");
  });
});
