import { abs, isNil, lt, type Num, sign, sum } from "../decimal.ts";
import { aliveFrom, dueAt } from "../alive.ts";
import { flag, text, timeIn } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView } from "../journal-view.ts";
import { type KnownIds, knownIds } from "../known-ids.ts";
import type { VenueAlgo } from "../venue-facts.ts";
import { NEEDS } from "../service.ts";
import { type AccountState, faultWithin, standings, STATED_LAG_MS } from "../venue-view.ts";

const WITHIN_MS = 15_000;
/** The venue answers three requests for the list of stops in so long, whichever run sends them. Records §3. */
const LISTED_WITHIN_MS = 50_000;
/**
 * A restarted agent checks the price with its first marks; a stop on part of a position gives it the time of a new
 * position.
 */
const FIRST_LOOK_MS = 1_000;
/** Begins what is said of a stop that no row names. */
const UNNAMED = "unnamed ";

/**
 * I9: live stops cover every position within 15 s, and no stop of the agent stays on a flat position for longer. Needs the venue
 * ledger.
 */
export const i09: Invariant = {
  id: "I9",
  title: "Protection",
  rule: "No position is older than 15 s of ready and reachable time without live stops at the venue for all of it, or a supervised one in the journal; no algo order of the agent stands on a flat position for longer, for a lag more where lists lagged, or for 65 s if the journal has lost it.",
  needs: ["venue ledger"],
  more: [],
  unseen: "Whether the data of a supervised stop was fresh is taken from its row.",
  judge: walk,
};

interface Watch {
  /** Start of the current violation; null while there is none. */
  readonly since: Map<string, number>;
  readonly found: Finding[];
}

function walk(history: History): readonly Finding[] {
  const known = knownIds(history);
  const watch: Watch = { since: new Map(), found: [] };
  let endMs = -Infinity;
  for (const standing of standings(history)) {
    endMs = standing.fact.atMs;
    const wrong = wrongNow(standing, known);
    for (const [key, sinceMs] of watch.since) if (!wrong.has(key)) close(history, watch, { key, sinceMs, toMs: endMs });
    for (const key of wrong) if (!watch.since.has(key)) watch.since.set(key, endMs);
  }
  const lastMs = Math.max(endMs, history.rows.at(-1)?.atMs ?? endMs);
  for (const [key, sinceMs] of watch.since) close(history, watch, { key, sinceMs, toMs: lastMs });
  return watch.found;
}

function close(history: History, watch: Watch, span: { key: string; sinceMs: number; toMs: number }): void {
  watch.since.delete(span.key);
  const [, kind, side = ""] = /^(part of position|position) (.*)$/.exec(span.key) ?? [];
  const lagging = { fromMs: span.sinceMs - STATED_LAG_MS, toMs: span.sinceMs };
  // What is over may be held as long as lists lag, and what the journal has lost is known from the list alone.
  const lagMs = kind === undefined && faultWithin(history, "read-lag", lagging) ? STATED_LAG_MS : 0;
  const spanMs = span.key.startsWith(UNNAMED) ? LISTED_WITHIN_MS + WITHIN_MS : WITHIN_MS + lagMs;
  const due = dueAt(history, NEEDS.protect, { fromMs: span.sinceMs, spanMs });
  if (due === null || span.toMs <= due + history.skewMs) return;
  const graceMs = kind === "position" ? FIRST_LOOK_MS : WITHIN_MS;
  if (kind && supervised(history, side, { fromMs: due, toMs: span.toMs }, graceMs)) return;
  const what = kind ? "had no live stop" : "protected nothing";
  watch.found.push(finding(null, `${span.key} ${what} from ${span.sinceMs} to ${span.toMs}`));
}

function wrongNow({ positions, algos }: AccountState, known: KnownIds): ReadonlySet<string> {
  const wrong = new Set<string>();
  for (const [key, qty] of positions) {
    const stops = [...algos.values()].filter((algo) => algo.stops && covers(algo, key, qty));
    // A stop without a quantity covers the whole position.
    const whole = stops.some((algo) => isNil(algo.qty)) || !lt(sum(stops.map((algo) => algo.qty)), abs(qty));
    if (stops.length === 0) wrong.add(`position ${sidedKey(key, qty)}`);
    else if (!whole) wrong.add(`part of position ${sidedKey(key, qty)}`);
  }
  for (const algo of algos.values()) {
    if (known.isOurStop(algo) && ![...positions].some(([key, qty]) => covers(algo, key, qty)))
      wrong.add(`${known.isNamedStop(algo) ? "" : UNNAMED}algo order ${algo.algoOrderId} on ${algo.symbol}`);
  }
  return wrong;
}

const sidedKey = (key: string, qty: Num): string => {
  const [symbol = "", side = ""] = key.split("|");
  return side === "NONE" ? `${symbol}|${sign(qty) > 0 ? "LONG" : "SHORT"}` : `${symbol}|${side}`;
};

function covers(algo: VenueAlgo, key: string, qty: Num): boolean {
  const [symbol, side] = sidedKey(key, qty).split("|");
  if (algo.symbol !== symbol || isNil(qty)) return false;
  if (algo.positionSide === "LONG" || algo.positionSide === "SHORT") return algo.positionSide === side;
  return algo.side === "" || algo.side === (side === "LONG" ? "SELL" : "BUY");
}

/**
 * Rows which state that the agent watches the price itself while the venue accepts no stop, with their spans. A dead
 * or disconnected agent does not watch, and resumes within `graceMs`.
 */
function supervised(
  history: History,
  side: string,
  span: { readonly fromMs: number; readonly toMs: number },
  graceMs: number,
): boolean {
  const spans = journalView(history)
    .kinds("protection")
    .filter(({ body }) => flag(body, "supervised") && text(body, "leg") === side)
    .map(({ atMs, body }) => ({ fromMs: atMs, toMs: timeIn(body, "untilMs") ?? atMs }));
  let reachedMs = span.fromMs;
  const heldUntil = (): number => {
    const nextMs = aliveFrom(history, NEEDS.watch, reachedMs);
    return nextMs > reachedMs ? nextMs + graceMs : nextMs;
  };
  for (const { fromMs, toMs } of spans)
    if (fromMs <= heldUntil() + history.skewMs) reachedMs = Math.max(reachedMs, toMs);
  return heldUntil() + history.skewMs >= span.toMs;
}
