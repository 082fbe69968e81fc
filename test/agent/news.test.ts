/** Which news asks for a decision of its own. */
import { test } from "vitest";
import { HOUR_MS } from "../../src/core/time.ts";
import type { NewsItem } from "../../src/domain/news-item.ts";
import { ready, settingsOf, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const news = (key: string, publishedAtMs: number | null, firstSeenMs: number): NewsItem => ({
  key,
  kind: "news",
  newsId: key,
  title: `Bitcoin story ${key}`,
  text: "",
  category: 1,
  author: null,
  currencies: ["BTC"],
  publishedAtMs,
  firstSeenMs,
  sourceUrl: null,
});

/** A ready agent to whom the news has come, after its first decision. */
function heard(item: (nowMs: number) => NewsItem, settings = settingsOf()): World {
  const w = story("2 s -> logs decision.triggered once", ready({ settings }));
  w.feed({ kind: "news", item: item(w.nowMs) });
  return w;
}

test("fresh news about a listed asset asks for a decision, old news does not", () => {
  const fresh = heard((nowMs) => news("fresh", nowMs - 60_000, nowMs));
  story("12 s -> logs decision.triggered saying news: fresh BTC once", fresh);
  const undated = heard((nowMs) => news("unknown", null, nowMs));
  story("12 s -> logs decision.triggered saying news: unknown BTC once", undated);
  const old = heard((nowMs) => news("old", nowMs - HOUR_MS, nowMs));
  story("12 s -> logs decision.triggered never", old);
});

test("news of hours ago is old though its source dates it ahead of time", () => {
  const seenBefore = heard((nowMs) => news("ahead", nowMs + 3 * HOUR_MS, nowMs - 5 * HOUR_MS));
  story("12 s -> logs decision.triggered never", seenBefore);
  const seenNow = heard((nowMs) => news("ahead", nowMs + 3 * HOUR_MS, nowMs));
  story("12 s -> logs decision.triggered saying news: ahead BTC once", seenNow);
});

test("an overview that names many of our assets is shown and asks for no decision", () => {
  const settings = settingsOf({ cadence: { ...settingsOf().cadence, newsSymbolsMax: 1 } });
  const w = heard((nowMs) => ({ ...news("both", nowMs, nowMs), currencies: ["BTC", "ETH"] }), settings);
  story("12 s -> logs decision.triggered never", w);
});
