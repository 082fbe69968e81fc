/** Events that trigger a decision: fresh news about our symbols, and a costly funding settlement ahead. */
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";
import { newsRow } from "../../rows/news.ts";

/** Older news is context: the market knows it, so it triggers no decision of its own. */
const FRESH_NEWS_MS = 15 * 60_000;

/** Adds the item to the context and the journal, and to the cadence if the settings let news trigger decisions. */
export function onNews(state: AgentState, event: Extract<AgentEvent, { kind: "news" }>, { out }: At): void {
  state.context.onNews(event.item);
  state.lastNewsMs = event.atMs;
  out.log("debug", "news.seen", event.item.title.slice(0, 160), {
    key: event.item.key,
    currencies: event.item.currencies,
  });
  const { key, title, currencies } = event.item;
  out.record(newsRow({ key, title: title.slice(0, 200), currencies }));
  const bases = new Set(state.settings.universe.map((symbol) => symbol.split("_").at(-2)));
  const about = event.item.currencies.filter((base) => bases.has(base));
  // A source's clock may be ahead, or its zone wrong: then the time when we first saw the item counts.
  const reported = Math.min(event.item.publishedAtMs ?? Infinity, event.item.firstSeenMs);
  const fresh = event.atMs - reported < FRESH_NEWS_MS;
  const weighs = about.length > 0 && about.length <= state.settings.cadence.newsSymbolsMax;
  if (weighs && fresh && state.settings.cadence.onNews && state.stage === "ready")
    state.cadence.happen("news", `${event.item.key} ${about.join(",")}`, event.atMs);
}

const MARKS_KEPT = 200;

/**
 * Before a funding settlement that costs a held position more than a set share of its value, requests an extra decision. Called on
 * every tick when ready; at most once for each position and settlement. A `checkBefore` of 0 switches it off.
 */
export function watchFunding(state: AgentState, nowMs: number): void {
  const { checkBefore, costShare } = state.settings.funding;
  if (checkBefore === 0) return;
  const { fundingReported } = state.deciding;
  for (const held of state.positions.all()) {
    const funding = state.context.funding(held.symbol);
    if (!funding || nowMs < funding.nextAtMs - checkBefore || nowMs >= funding.nextAtMs) continue;
    const cost = held.side === "LONG" ? funding.rate : -funding.rate;
    if (!(cost >= costShare) || fundingReported.get(held.key) === funding.nextAtMs) continue;
    fundingReported.set(held.key, funding.nextAtMs);
    const minutes = Math.max(1, Math.round((funding.nextAtMs - nowMs) / 60_000));
    const text = `${held.symbol} ${held.side} pays ${(cost * 100).toFixed(3)} % in ${minutes} minutes`;
    state.cadence.happen("funding", text, nowMs);
  }
  if (fundingReported.size > MARKS_KEPT) fundingReported.clear();
}
