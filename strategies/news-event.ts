/**
 * Acts on news only if a second source reports it in its own words, no source says the opposite, and the price has reacted. A
 * single source never opens a position: false news from one account has moved markets by a tenth before.
 */
import { type Snapshot, symbolView, type SymbolView } from "../src/context/snapshot.ts";
import { HOUR_MS, MINUTE_MS, parseSpan, SECOND_MS } from "../src/core/time.ts";
import { type Claim, claimOf, independent, plainBase } from "../src/strategy/news-claims.ts";
import {
  type OpeningCandidate,
  chooseOpenings,
  closingTarget,
  heldMinutes,
  heldPositions,
  isFree,
  openingTarget,
  percentText,
  stopNeeded,
  takenSymbols,
} from "../src/strategy/openings.ts";
import { volatilityOver } from "../src/strategy/distances.ts";
import { defineStrategy, type TargetPosition } from "../src/strategy/strategy.ts";
import { pressure } from "../src/strategy/trend.ts";
import { Settings } from "./settings/news-event.ts";

/** Spans a confirmation may be read from, shortest first. */
const SPANS = ["5m", "15m", "1h"];

/** A claim about one asset that several sources agree on. */
interface Event {
  readonly lean: 1 | -1;
  readonly claims: readonly Claim[];
}

export default defineStrategy<Settings>({
  name: "news-event",
  description:
    "Follows news that a second source reports in its own words and the price confirms; never a single source.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const claims = freshClaims(snapshot, settings);
    const exits = exitTargets(snapshot, claims, settings);
    const found = candidates(snapshot, claims, settings);
    const entries = chooseOpenings(found, snapshot, settings);
    const note = `${claims.length} claims in the news, ${found.length} confirmed, ${exits.length} to close`;
    return { kind: "targets", targets: [...exits, ...entries], note };
  },
});

const freshClaims = (snapshot: Snapshot, settings: Settings): readonly Claim[] =>
  snapshot.news.flatMap((item) => {
    const claim = claimOf(item);
    const fresh = claim !== null && snapshot.atMs - claim.sinceMs <= settings.maxAgeMinutes * MINUTE_MS;
    return fresh ? [claim] : [];
  });

/** An event if enough sources agree and none says the opposite; otherwise null. */
function eventOf(base: string, claims: readonly Claim[], settings: Settings): Event | null {
  const about = claims.filter((claim) => claim.bases.includes(plainBase(base)));
  const [first] = about;
  if (!first || about.some((claim) => claim.lean !== first.lean)) return null;
  const sources = independent(about, settings.copyLikeness);
  return sources.length >= settings.sources ? { lean: first.lean, claims: sources } : null;
}

/** The price's move since about the first sight, in standard deviations of the span; null if unknown. */
function answerOf(view: SymbolView, sinceMs: number, atMs: number): { span: string; moved: number } | null {
  const volatility = view.volatilityHour;
  if (volatility === null || !(volatility > 0)) return null;
  const ageMs = atMs - sinceMs;
  const known = SPANS.filter((span) => view.returns[span] !== undefined);
  const span = known.find((each) => (parseSpan(each) ?? 0) >= ageMs) ?? known.at(-1);
  if (span === undefined) return null;
  const spread = volatilityOver(volatility, (parseSpan(span) ?? HOUR_MS) / HOUR_MS);
  return { span, moved: (view.returns[span] ?? 0) / spread };
}

/** Closes after the maximum time, if as many sources as an entry needs contradict, or if the price turns. */
function exitTargets(snapshot: Snapshot, claims: readonly Claim[], settings: Settings): readonly TargetPosition[] {
  return heldPositions(snapshot).flatMap((held) => {
    const { position } = held;
    const view = symbolView(snapshot, position.symbol);
    if (!view) return [];
    const side = position.side === "LONG" ? 1 : -1;
    const minutes = heldMinutes(held, snapshot);
    const close = (why: string, evidence: readonly string[]): readonly TargetPosition[] => [
      closingTarget(held, why, evidence),
    ];
    if (minutes >= settings.maxHoldMinutes) return close(`held for ${minutes.toFixed(0)} minutes`, ["price"]);
    const event = eventOf(view.base, claims, settings);
    if (event && event.lean !== side)
      return close(
        "the news has turned",
        event.claims.map(({ key }) => key),
      );
    const answer = answerOf(view, held.openedAtMs, snapshot.atMs);
    const turned = answer !== null && answer.moved * side < -settings.confirmVolatilities;
    return turned && minutes >= settings.minHoldMinutes
      ? close(`the price has turned: ${answer.moved.toFixed(2)} deviations over ${answer.span}`, [`ret${answer.span}`])
      : [];
  });
}

function candidates(snapshot: Snapshot, claims: readonly Claim[], settings: Settings): readonly OpeningCandidate[] {
  const taken = takenSymbols(snapshot);
  const { roundTripCost } = snapshot.headroom;
  const free = { maxQuoteAgeMs: settings.maxQuoteAgeSeconds * SECOND_MS, maxSpreadBps: settings.maxSpreadBps };
  return snapshot.symbols.flatMap((view) => {
    const event = eventOf(view.base, claims, settings);
    const volatility = view.volatilityHour;
    if (!event || volatility === null || !isFree(view, taken, free)) return [];
    const { lean } = event;
    if (lean < 0 && !settings.allowShort) return [];
    const answer = answerOf(view, event.claims[0]?.sinceMs ?? snapshot.atMs, snapshot.atMs);
    const moved = (answer?.moved ?? 0) * lean;
    if (!answer || moved < settings.confirmVolatilities || moved > settings.spentVolatilities) return [];
    if (pressure(view) * lean < settings.confirmation) return [];
    const spread = volatilityOver(volatility, settings.horizonHours);
    const edge = spread * settings.followShare;
    if (edge < settings.edgeOverCost * roundTripCost) return [];
    if (stopNeeded(volatility, settings.horizonHours, settings) > settings.maxStop) return [];
    const reason = `${event.claims.length} sources agree and the price moved ${moved.toFixed(2)} deviations with them over ${answer.span}; ${percentText(edge)} expected against ${percentText(roundTripCost)} of costs`;
    const target = openingTarget(
      {
        view,
        leg: lean > 0 ? "LONG" : "SHORT",
        volatility,
        hours: settings.horizonHours,
        target: settings.targetVolatilities * spread,
        reason,
        evidence: [...event.claims.slice(0, 6).map(({ key }) => key), `ret${answer.span}`, "flow", "imbalance"],
      },
      roundTripCost,
      settings,
    );
    return [{ edge, target: target }];
  });
}
