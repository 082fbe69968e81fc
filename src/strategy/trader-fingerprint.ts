/** When two questions are the same question: the earlier answer is then used again. */
import type { Snapshot } from "../context/snapshot.ts";
import { toWire } from "../core/decimal.ts";
import { hashOf } from "../core/hash.ts";
import { isOffered } from "./stance-targets.ts";
import type { TraderSettings } from "./trader-settings.ts";

/**
 * Equal while nothing has happened that should change an opinion: prices in steps of one hourly volatility (itself in
 * powers of two), positions, news by its shown words, headroom in doublings. An edited or retracted story counts as
 * another one; otherwise the old answer would act on a statement that no longer stands.
 */
export function fingerprintOf(snapshot: Snapshot, settings: TraderSettings): string {
  const { headroom, account } = snapshot;
  const doublings = (value: number): number => (value > 0 ? Math.round(Math.log2(value)) : -1);
  const priced = snapshot.symbols.map((view) => {
    const volatility = view.volatilityHour;
    const price = view.mark ?? view.last;
    if (volatility === null || !(volatility > 0) || price === null || !isOffered(view, settings))
      return [view.symbol, null];
    const step = 2 ** Math.round(Math.log2(volatility));
    return [view.symbol, Math.round(Math.log(price) / step), step];
  });
  return hashOf({
    settings,
    lessons: (snapshot.lessons ?? []).map(({ id }) => id),
    priced,
    positions: account?.positions.map(({ position }) => [position.symbol, position.side, toWire(position.qty)]) ?? null,
    news: snapshot.news
      .map(({ key, title, text }) => [key, title, text.slice(0, settings.newsTextChars)].join("\n"))
      .sort(),
    // Their age is left out: the same figure a minute later is the same news.
    ...(Object.keys(snapshot.facts).length === 0
      ? {}
      : { facts: Object.entries(snapshot.facts).map(([name, { values, stale }]) => [name, values, stale]) }),
    headroom: [
      headroom.mayOpen,
      headroom.leverageMax,
      doublings(headroom.totalUsdt.toNumber()),
      doublings(headroom.perOrderUsdt.toNumber()),
    ],
  });
}
