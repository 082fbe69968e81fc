/** What happens to a market day: prices that leap, and a venue that goes silent in one of its ways. */
import { toFloat } from "../../src/core/decimal.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/core/time.ts";
import { type Day, firstOf, over } from "./begin.ts";
import { mostLost } from "./bound.ts";
import type { Gap, PlanEvent } from "./plan.ts";
import { between } from "./walk.ts";
import { isoOf, move, settle, stakeUsdt, step } from "./watch.ts";

/** The price is elsewhere, at once or in a few steps. What it cost is held against what was stated for it. */
export function strike(day: Day, gap: Gap): void {
  const { venue } = day;
  day.struck += 1;
  if (holdsPair(day)) day.pairsStruck += 1;
  const goals = goalsOf(day, gap);
  const from = new Map([...goals.keys()].map((symbol) => [symbol, venue.price(symbol)]));
  for (let part = 1; part <= gap.parts && !over(day); part++) {
    if (part > 1) step(day, day.entropy.int("gap:apart", 200, 4_000));
    leap(
      day,
      new Map([...goals].map(([symbol, goal]) => [symbol, between(from.get(symbol) ?? goal, goal, part / gap.parts)])),
    );
  }
}

const holdsPair = ({ venue }: Day): boolean => {
  const held = venue.held();
  return held.some(({ symbol, leg }) =>
    held.some((other) => other.leg !== leg && firstOf(other.symbol) === firstOf(symbol)),
  );
};

function leap(day: Day, prices: ReadonlyMap<string, number>): void {
  const { venue } = day;
  const stake = { held: venue.held(), resting: venue.resting() };
  day.fullest = Math.max(day.fullest, stakeUsdt(day));
  const before = toFloat(venue.equity());
  const by = new Map([...prices].map(([symbol, price]) => [symbol, price / venue.price(symbol) - 1]));
  const forced = countForced(day);
  day.struckMs = day.loop.clock.nowMs();
  move(day, prices);
  const lost = before - toFloat(venue.equity());
  const bound = mostLost(stake, ({ symbol }) => by.get(symbol) ?? 0, countForced(day) > forced);
  if (bound > 0) day.ofBound = Math.max(day.ofBound, lost / bound);
  if (lost > bound + 0.01)
    day.violations.push(`a gap cost ${lost.toFixed(4)}, and ${bound.toFixed(4)} was stated, at ${isoOf(day)}`);
}

const countForced = (day: Day): number =>
  day.venue.exchange.ledger().entries.filter(({ kind }) => kind === "liquidation-fee").length;

function goalsOf(day: Day, gap: Gap): Map<string, number> {
  const { venue, entropy, scene } = day;
  const held = venue.held();
  const heldSideOf = (symbol: string): "LONG" | "SHORT" =>
    held.find((position) => position.symbol === symbol)?.leg ?? held[0]?.leg ?? "LONG";
  const heldSymbols = [...new Set(held.map(({ symbol }) => symbol))];
  const hit = gap.breadth === "all" || heldSymbols.length === 0 ? venue.symbols : heldSymbols;
  const chosen = gap.breadth === "one" ? hit.slice(0, 1) : hit;
  if (scene.paired) return pairedGoals(day, gap, [...new Set(chosen.map(firstOf))]);
  return new Map(
    chosen.map((symbol) => {
      const declared = day.gaps.get(symbol) ?? 0;
      const down = (heldSideOf(symbol) === "LONG") === gap.against;
      const far = declared * gap.share * (scene.beyond ? 1 : 1 - 0.02 * entropy.next("gap:size"));
      return [symbol, venue.price(symbol) * (down ? 1 - Math.min(0.95, far) : 1 + far)];
    }),
  );
}

/** Both symbols of a coin go the same way, the one that wins by up to the residual less than the one that loses. */
function pairedGoals(day: Day, gap: Gap, firsts: readonly string[]): Map<string, number> {
  const { venue, entropy, settings } = day;
  const goals = new Map<string, number>();
  for (const first of firsts) {
    const declared = day.gaps.get(first) ?? 0;
    const way = entropy.chance("gap:way", 0.5) ? 1 : -1;
    const far = declared * gap.share;
    const residual = toFloat(settings.risk.gapHedged) * gap.share * (1 - 0.02 * entropy.next("gap:apart"));
    for (const symbol of venue.symbols.filter((each) => firstOf(each) === first)) {
      const held = venue.held().find((position) => position.symbol === symbol)?.leg;
      const wins = held !== undefined && (held === "LONG") === (way === 1);
      goals.set(symbol, venue.price(symbol) * (1 + way * (wins ? Math.max(0, far - residual) : far)));
    }
  }
  return goals;
}

/** The venue goes silent in its way; somewhere in that time the price goes its whole distance. */
export function darken(day: Day, { kind, forMs, gap }: Extract<PlanEvent, { what: "outage" }>): void {
  const { loop, entropy } = day;
  day.outages += 1;
  if (kind === "silent" || kind === "blind") {
    loop.marketUp(false);
    loop.userUp(false);
  }
  if (kind === "mute") loop.link.lossy = 1;
  else if (kind !== "blind") loop.restUp(kind === "deaf" ? "deaf" : "lost");
  const strikesAfterMs = entropy.next("outage:when") * forMs;
  pause(day, strikesAfterMs);
  if (gap && !over(day)) strike(day, gap);
  pause(day, forMs - strikesAfterMs);
  loop.restUp("up");
  loop.link.lossy = day.scene.lossy;
  if (kind === "silent" || kind === "blind") {
    loop.marketUp(true);
    loop.userUp(true);
  }
  settle(day, 2 * MINUTE_MS);
}

function pause(day: Day, ms: number): void {
  const stepMs = Math.max(SECOND_MS, ms / 6);
  for (let left = ms; left > 0 && !over(day); left -= stepMs) step(day, Math.min(stepMs, left));
}
