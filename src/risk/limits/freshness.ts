/**
 * No opening on stale data: streams, account, equity, news, clock and positions for every symbol, book and mark per
 * symbol.
 */
import { isReducing } from "../exposure.ts";
import type { RiskSettings } from "../settings.ts";
import { withSymbol } from "../scene.ts";
import { allow, deny, type Limit, reducing, type Verdict } from "../verdict.ts";
import type { Draft, RiskView } from "../view.ts";

const limit = "freshness";

interface Age {
  readonly what: string;
  readonly foundMs: number;
  readonly maxMs: number;
}

/** The first age above its limit; an age that is not a number counts as too old. */
function tooOld(ages: readonly Age[]): Verdict | null {
  const stale = ages.find(({ foundMs, maxMs }) => !(foundMs <= maxMs));
  if (!stale) return null;
  const { what, foundMs, maxMs } = stale;
  return deny({ limit, found: `${foundMs} ms`, allowed: `${maxMs} ms`, reason: `The ${what} is too old to open on.` });
}

function down(view: RiskView): Verdict | null {
  const { market, user } = view.streamsUp;
  if (market && user) return null;
  const reason = `The ${market ? "user" : "market"} stream is down.`;
  return deny({ limit, found: "down", allowed: "up", reason });
}

function equityUnconfirmed({ equityAgreed, equityBehind }: RiskView): Verdict | null {
  if (equityAgreed === false)
    return deny({ limit, found: "disagreeing", allowed: "agreeing", reason: "The readings of equity do not agree." });
  if (equityBehind !== true) return null;
  const reason = "The latest equity reading predates the last fill.";
  return deny({ limit, found: "before it", allowed: "after it", reason });
}

/**
 * Without a current mark for a position, equity and therefore every size is a guess; without any price it has no
 * value at all.
 */
function heldBlind(view: RiskView, settings: RiskSettings): Verdict | null {
  const priced = view.positions.filter(({ symbol }) => view.symbols.get(symbol)?.mark);
  return tooOld(
    priced.map(({ symbol }) => ({
      what: `mark of ${symbol}, which is held,`,
      foundMs: view.symbols.get(symbol)?.markAgeMs ?? Infinity,
      maxMs: settings.maxMarkAge,
    })),
  );
}

const fresh = (): Verdict =>
  allow({ limit, found: "fresh", allowed: "fresh", reason: "All that the order rests on is fresh." });

/** The check that applies to every opening. */
export function judgeFreshness(view: RiskView, settings: RiskSettings): Verdict {
  const ages: Age[] = [
    { what: "account reading", foundMs: view.accountAgeMs, maxMs: settings.maxAccountAge },
    { what: "news", foundMs: view.newsAgeMs, maxMs: settings.maxNewsAge },
    { what: "measure of the clock", foundMs: view.clockUncertaintyMs, maxMs: settings.maxClockUncertainty },
  ];
  return down(view) ?? equityUnconfirmed(view) ?? tooOld(ages) ?? heldBlind(view, settings) ?? fresh();
}

function judgeSymbol({ order }: Draft, view: RiskView, settings: RiskSettings): Verdict | null {
  const known = view.symbols.get(order.symbol);
  return tooOld([
    { what: "book", foundMs: known?.bookAgeMs ?? Infinity, maxMs: settings.maxBookAge },
    { what: "mark", foundMs: known?.markAgeMs ?? Infinity, maxMs: settings.maxMarkAge },
  ]);
}

/** Denies openings, checking their own book and mark first. Never shrinks; data never read has age Infinity. */
export const freshness = (settings: RiskSettings): Limit => ({
  name: limit,
  spoil: (scene) => withSymbol(scene, { bookAgeMs: settings.maxBookAge + 1 }),
  judge: (draft, view) => {
    if (isReducing(draft)) return reducing(limit);
    return judgeSymbol(draft, view, settings) ?? judgeFreshness(view, settings);
  },
});
