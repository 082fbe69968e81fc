/** Which news asks for a decision of its own. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/time.ts";
import type { NewsItem } from "../../src/domain/news-item.ts";
import { holding, ready, settingsOf, type World } from "../support/agent-world.ts";

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

/** The triggers of decisions after the first, once the news has come. */
function triggers(item: (nowMs: number) => NewsItem): string {
  const w: World = ready({ strategies: { chosen: holding(), fallback: holding() } });
  w.tick(2_000);
  const before = w.logs("decision.triggered").length;
  w.feed({ kind: "news", item: item(w.nowMs) });
  for (let n = 0; n < 12; n++) w.tick(1_000);
  return w.logs("decision.triggered").slice(before).join();
}

test("fresh news about a listed asset asks for a decision, old news does not", () => {
  expect(triggers((nowMs) => news("fresh", nowMs - 60_000, nowMs))).toMatch(/news: fresh BTC/);
  expect(triggers((nowMs) => news("unknown", null, nowMs))).toMatch(/news: unknown BTC/);
  expect(triggers((nowMs) => news("old", nowMs - HOUR_MS, nowMs))).toBe("");
});

test("news of hours ago is old though its source dates it ahead of time", () => {
  expect(triggers((nowMs) => news("ahead", nowMs + 3 * HOUR_MS, nowMs - 5 * HOUR_MS))).toBe("");
  expect(triggers((nowMs) => news("ahead", nowMs + 3 * HOUR_MS, nowMs))).toMatch(/news: ahead BTC/);
});

test("an overview that names many of our assets is shown and asks for no decision", () => {
  const settings = settingsOf({ cadence: { ...settingsOf().cadence, newsSymbolsMax: 1 } });
  const w = ready({ settings, strategies: { chosen: holding(), fallback: holding() } });
  w.tick(2_000);
  const before = w.logs("decision.triggered").length;
  w.feed({ kind: "news", item: { ...news("both", w.nowMs, w.nowMs), currencies: ["BTC", "ETH"] } });
  for (let n = 0; n < 12; n++) w.tick(1_000);
  expect(w.logs("decision.triggered").slice(before)).toEqual([]);
});
