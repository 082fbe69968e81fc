/**
 * The stop that the agent watches itself: if the venue has none, has not moved it yet, or did not trigger it, the marks
 * are watched here. Only fresh prices count; while a position has no venue-side stop, each look is a row that says
 * until when it holds. Invariant I9.
 */
import { Decimal, quantize, roundToStep, toWire } from "../../core/decimal.ts";
import type { At } from "../contract/effects.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { freshMark } from "../state/worth.ts";
import { saferThan } from "../books/trailing.ts";
import { protectionRow } from "../../rows/protection.ts";
import { isShortOfPromise, outgrew } from "../positions/held-stop.ts";

/** A venue that has seen the same mark fires within this time. */
const FIRES_WITHIN_MS = 6_000;
/** A stop usually stands sooner than this; what is watched for longer is written down. */
const SUPERVISED_AFTER_MS = 4_000;
const SUPERVISED_EVERY_MS = 3_000;
/** How long one look holds: until the next one is overdue. */
const LOOK_HOLDS_MS = 5_000;

/** What a position is watched by. */
interface Watched {
  readonly price: Decimal;
  readonly by: "mark" | "book" | "list";
}

const WATCHED_BY = { mark: "mark", book: "middle of the book", list: "mark in the list of positions" } as const;

/** A stop of the venue is there for all of it, as safe as its orders promised. */
export const isCovered = (held: HeldPosition): boolean =>
  held.protection === "live" && held.standingStop !== null && !outgrew(held) && !isShortOfPromise(held);

/**
 * The fresh mark. Where none comes and no stop of the venue is there for all of the position, as safe as its orders promised, the
 * middle of a fresh book, even while the symbol is held back: a venue that halts a symbol may take no stop in it and send no marks of it either, and who has
 * no stop at all is better off with a price that opens nothing. Where the market streams are silent as well, the mark that the
 * newest list of positions shows. Faults M2, M9, V8.
 */
function watchedBy(state: AgentState, held: HeldPosition, nowMs: number): Watched | null {
  const mark = freshMark(state, held.symbol, nowMs);
  if (mark !== null) return { price: mark, by: "mark" };
  if (isCovered(held)) return null;
  const { bid, ask, bookAgeMs, bboAgeMs } = state.context.accepted(held.symbol, nowMs);
  const tick = state.rules.get(held.symbol)?.tickSize;
  const stale = Math.min(bookAgeMs, bboAgeMs) > state.settings.risk.maxMarkAge;
  if (bid !== null && ask !== null && tick && !stale)
    return { price: quantize((bid + ask) / 2, tick, "nearest"), by: "book" };
  const isFresh = nowMs - held.markListedMs <= state.settings.risk.maxMarkAge;
  return isFresh ? { price: held.position.markPrice, by: "list" } : null;
}

/** The price that the position's stop is measured by; null where none is known, or where its stop suffices without. */
export const watchedPrice = (state: AgentState, held: HeldPosition, nowMs: number): Decimal | null =>
  watchedBy(state, held, nowMs)?.price ?? null;

/** Four digits of the price lie on the tick of nearly every symbol: for as long as its rules are not known. */
const likelyTick = ({ e }: Decimal): Decimal => new Decimal(10).pow(e - 3);

/** The stop that the position is to have: its own, or the default distance from its entry. */
export function wantedStop(state: AgentState, held: HeldPosition): Decimal {
  if (held.meta.stopPrice) return held.meta.stopPrice;
  const tick = state.rules.get(held.symbol)?.tickSize ?? likelyTick(held.position.avgPrice);
  const distance = state.settings.risk.defaultStopDistance.toNumber() * (held.side === "LONG" ? -1 : 1);
  return quantize(held.position.avgPrice.toNumber() * (1 + distance), tick, held.side === "LONG" ? "up" : "down");
}

/** Stop and target as a new order may name them: on the tick that the symbol has now, towards the price. */
export function pricesToPlace(
  state: AgentState,
  held: HeldPosition,
): { readonly stopPrice: Decimal; readonly targetPrice: Decimal | null } {
  const tick = state.rules.get(held.symbol)?.tickSize;
  const [up, down] = held.side === "LONG" ? (["up", "down"] as const) : (["down", "up"] as const);
  const onTick = (price: Decimal, towards: "up" | "down"): Decimal =>
    tick ? roundToStep(price, tick, towards) : price;
  const { targetPrice } = held.meta;
  return { stopPrice: onTick(wantedStop(state, held), up), targetPrice: targetPrice && onTick(targetPrice, down) };
}

/** The stop as a change of a standing one may name it: on the present tick, and no nearer to the price than is wanted. */
export function priceToMove(state: AgentState, held: HeldPosition): Decimal {
  const tick = state.rules.get(held.symbol)?.tickSize;
  const stop = wantedStop(state, held);
  return tick ? roundToStep(stop, tick, held.side === "LONG" ? "down" : "up") : stop;
}

/** Why the position must be closed because of its stop, in words; null while it need not. */
export function stopReached(state: AgentState, held: HeldPosition, nowMs: number): string | null {
  const watched = watchedBy(state, held, nowMs);
  if (watched === null) return null;
  const { price, by } = watched;
  const stop = wantedStop(state, held);
  const beyond = held.side === "LONG" ? price.lte(stop) : price.gte(stop);
  if (!beyond) {
    held.crossedSinceMs = null;
    return null;
  }
  const words = `the ${WATCHED_BY[by]} ${toWire(price)} is beyond its stop ${toWire(stop)}`;
  if (held.protection !== "live" || held.standingStop === null) return `${words}, which does not stand at the venue`;
  if (saferThan(held.side, stop, held.standingStop)) return `${words}, which has not been moved there at the venue yet`;
  held.crossedSinceMs ??= nowMs;
  return nowMs - held.crossedSinceMs < FIRES_WITHIN_MS ? null : `${words}, and the venue has not fired it`;
}

/** Records that the price of an unprotected position, or of a part of one, is watched here, and against which price. */
export function supervise(
  state: AgentState,
  held: HeldPosition,
  { nowMs, out, atOnce }: At & { atOnce: boolean },
): void {
  held.outgrownSinceMs = outgrew(held) ? (held.outgrownSinceMs ?? nowMs) : null;
  const sinceMs = held.unprotectedSinceMs ?? held.outgrownSinceMs;
  if (sinceMs === null || (!atOnce && nowMs - sinceMs < SUPERVISED_AFTER_MS)) return;
  if (nowMs - held.supervisedMs < SUPERVISED_EVERY_MS) return;
  const watched = watchedBy(state, held, nowMs);
  if (watched === null) return;
  held.supervisedMs = nowMs;
  out.record(
    protectionRow({
      leg: held.key,
      supervised: true,
      stopPrice: wantedStop(state, held),
      ...(watched.by === "book" ? { midPrice: watched.price } : { markPrice: watched.price }),
      unprotectedForMs: Math.round(nowMs - sinceMs),
      untilMs: nowMs + LOOK_HOLDS_MS,
    }),
    held.meta.decisionId,
  );
}
