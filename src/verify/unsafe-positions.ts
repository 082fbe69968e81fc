/**
 * Positions whose safest stop at the venue is less safe than any that an order of theirs promised, or than the configuration
 * allows where none did, by more than a tick rounds it. A position without a stop is judged by I9.
 */
import { dueAt } from "./alive.ts";
import { isNil, type Num, show, sign } from "./decimal.ts";
import { decimal, text } from "./fields.ts";
import { type Finding, finding, type History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { VenueExecution } from "./venue-facts.ts";
import { roundedFrom, type StandingStop } from "./rounded-stops.ts";
import { NEEDS } from "./service.ts";
import { allowedBy, type PositionSide, positionIn, sideClosedBy, losing, safer } from "./stop-prices.ts";
import { type AccountState, standings } from "./venue-view.ts";

/** By then the agent's own stop stands beside one that is not enough, or has followed an order that added. */
const WITHIN_MS = 30_000;

/** A position from flat to flat. */
interface Holding {
  /** The least safe stop that an opening of ours promised which filled in it; null while none did. */
  promised: Num | null;
  avgPrice: Num | null;
  /** Since when its safest stop is not safe enough; null while it is, and while it has none. */
  sinceMs: number | null;
  safest: Num | null;
}

interface Walk {
  readonly history: History;
  readonly holdings: Map<string, Holding>;
  readonly furthest: Num;
  readonly found: Finding[];
}

/** Needs the venue ledger. */
export function unsafePositions(history: History): readonly Finding[] {
  const config = journalView(history).configAt(history.rows.at(-1)?.seq ?? 0);
  const walk: Walk = { history, holdings: new Map(), furthest: allowedBy(config).furthest, found: [] };
  let endMs = -Infinity;
  for (const standing of standings(history)) {
    const { fact } = standing;
    endMs = fact.atMs;
    if (fact.fact === "execution") noteFill(walk, fact.execution);
    if (fact.fact === "position")
      holdingOf(walk, sidedKey(`${fact.symbol}|${fact.side}`, fact.qty)).avgPrice = fact.avgPrice;
    if (fact.fact === "position" || fact.fact === "algo") look(walk, standing, endMs);
  }
  for (const [key, holding] of walk.holdings) end(walk, key, holding, endMs);
  return walk.found;
}

/** `symbol|LONG` or `symbol|SHORT`; a net position is on the side of its sign. */
function sidedKey(key: string, qty: Num): string {
  const [symbol = "", side] = key.split("|");
  return side === "NONE" ? `${symbol}|${sign(qty) < 0 ? "SHORT" : "LONG"}` : key;
}

function holdingOf({ holdings }: Walk, key: string): Holding {
  const known = holdings.get(key) ?? { promised: null, avgPrice: null, sinceMs: null, safest: null };
  holdings.set(key, known);
  return known;
}

function noteFill(walk: Walk, { clientOrderId, symbol }: VenueExecution): void {
  const intent = journalView(walk.history).intents.get(clientOrderId);
  const body = intent?.opening ? intent.opened[0]?.body : undefined;
  const place = body ? positionIn(`${symbol}|${text(body, "leg") ?? ""}`) : null;
  const stop = body ? decimal(body, "stopPrice") : null;
  if (!place || !stop) return;
  const holding = holdingOf(walk, `${symbol}|${place.side}`);
  if (holding.promised === null || safer(place.side, holding.promised, stop)) holding.promised = stop;
}

function look(walk: Walk, { positions, algos }: AccountState, atMs: number): void {
  const held = new Set<string>();
  for (const [position, qty] of positions) {
    const key = sidedKey(position, qty);
    const place = positionIn(key);
    if (!place || isNil(qty)) continue;
    held.add(key);
    const holding = holdingOf(walk, key);
    const stops = [...algos.values()].flatMap((algo) =>
      algo.symbol === place.symbol && sideClosedBy(algo) === place.side && algo.stopPrice ? [algo.stopPrice] : [],
    );
    const safest = stops.reduce<Num | null>((best, one) => (best && !safer(place.side, one, best) ? best : one), null);
    const edge = edgeOf(walk, holding, place.side);
    if (safest && edge && fallsShort(walk.history, { ...place, price: safest, atMs }, edge)) {
      holding.sinceMs ??= atMs;
      holding.safest = safest;
    } else end(walk, key, holding, atMs);
  }
  for (const [key, holding] of walk.holdings) {
    if (held.has(key) || holding.avgPrice === null) continue;
    end(walk, key, holding, atMs);
    walk.holdings.delete(key);
  }
}

const fallsShort = (history: History, stop: StandingStop, edge: Num): boolean =>
  safer(stop.side, edge, stop.price) && !roundedFrom(history, stop)(edge);

const edgeOf = ({ furthest }: Walk, { promised, avgPrice }: Holding, leg: PositionSide): Num | null =>
  promised ?? (avgPrice && losing(leg, avgPrice, furthest));

function end({ history, found }: Walk, key: string, holding: Holding, atMs: number): void {
  const { sinceMs, safest } = holding;
  holding.sinceMs = null;
  if (sinceMs === null) return;
  const due = dueAt(history, NEEDS.protect, { fromMs: sinceMs, spanMs: WITHIN_MS });
  if (due === null || atMs <= due + history.skewMs) return;
  found.push(finding(null, `${key} had no safer stop than ${safest ? show(safest) : "?"} from ${sinceMs} to ${atMs}`));
}
