/** The current value of the positions and the account. Computed again only where a mark or a position has changed. */
import { Decimal, quantize, sumDecimals } from "../../core/decimal.ts";
import { FLOOR_USDT } from "../../domain/competition.ts";
import type { Quote } from "../../context/market-reads.ts";
import type { Position } from "../../domain/position.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import { equityQuorum, type Quorum } from "../../risk/floor.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "./state.ts";

/** Best prices, as floats: they become prices of an order through `quantize` alone. */
export interface BestPrices {
  readonly bid: number;
  readonly ask: number;
}

/** The equity must never fall below this. Spec: 3 §8. */
export const FLOOR: Decimal = new Decimal(FLOOR_USDT);

/** The last exact mark of each symbol: several are asked for at every tick, and most are those of the tick before. */
const lastMarks = new WeakMap<SymbolRules, { readonly step: Decimal; price: number; mark: Decimal }>();

/**
 * The mark at which the venue last valued a position, where the streamed price is too old to open on and older than that.
 * While the market stream is down, lists of positions are the only prices: without them, our own count and the pushed
 * balances would both hold on to the old mark and outvote the venue's equity.
 */
const valuedInstead = (state: AgentState, { valued, valuedAgeMs }: Quote, streamedAgeMs: number): number | null =>
  streamedAgeMs > state.settings.risk.maxMarkAge && valuedAgeMs < streamedAgeMs ? valued : null;

/** The mark as an exact figure on the symbol's tick, for sums of money; null while none is known. */
export function markOf(state: AgentState, symbol: string, nowMs: number): Decimal | null {
  const quote = state.context.quote(symbol, nowMs);
  const price = valuedInstead(state, quote, quote.markAgeMs) ?? quote.mark ?? quote.last;
  const rules = state.rules.get(symbol);
  if (price === null || !rules) return null;
  const known = lastMarks.get(rules);
  if (known?.price === price) return known.mark;
  const step = known?.step ?? rules.tickSize.div(100);
  const exact = quantize(price, step, "nearest");
  lastMarks.set(rules, { step, price, mark: exact });
  return exact;
}

/** The same while it is young enough to act on; null else. */
export function freshMark(state: AgentState, symbol: string, nowMs: number): Decimal | null {
  const { mark, markAgeMs } = state.context.quote(symbol, nowMs);
  return mark === null || markAgeMs > state.settings.risk.maxMarkAge ? null : markOf(state, symbol, nowMs);
}

/** The best prices of both sides, both the mark where only that is recent; null while one of them is not known. */
export function quoteOf(state: AgentState, symbol: string, nowMs: number): BestPrices | null {
  const quote = state.context.quote(symbol, nowMs);
  const valued = valuedInstead(state, quote, Math.min(quote.bookAgeMs, quote.bboAgeMs));
  if (valued !== null) return { bid: valued, ask: valued };
  const { bid, ask } = quote;
  return bid === null || ask === null ? null : { bid, ask };
}

interface Gain {
  readonly mark: Decimal;
  readonly contractSize: Decimal | number;
  readonly bookedQty: Decimal;
  readonly gain: Decimal;
}
const lastGains = new WeakMap<Position, Gain>();

/**
 * The profit or loss of the position at its mark, less what fills have realised: counted twice, a loss would look like
 * a fall that every source confirms. The same object as long as nothing has changed. Fault U4.
 */
export function unrealizedOf(state: AgentState, held: HeldPosition, nowMs: number): Decimal {
  const { position, bookedQty } = held;
  const mark = markOf(state, held.symbol, nowMs) ?? position.markPrice;
  const contractSize = state.rules.get(held.symbol)?.contractSize ?? 1;
  const known = lastGains.get(position);
  if (known?.mark === mark && known.contractSize === contractSize && known.bookedQty === bookedQty) return known.gain;
  const rise = mark.sub(position.avgPrice).mul(position.qty.sub(bookedQty)).mul(contractSize);
  const gain = held.side === "LONG" ? rise : rise.neg();
  lastGains.set(position, { mark, contractSize, bookedQty, gain });
  return gain;
}

const lastTotals = new WeakMap<AgentState, { readonly gains: readonly Decimal[]; readonly total: Decimal }>();

/** The same object as long as no mark and no position has changed. */
export function totalUnrealized(state: AgentState, nowMs: number): Decimal {
  const gains = state.positions.all().map((held) => unrealizedOf(state, held, nowMs));
  const known = lastTotals.get(state);
  if (known?.gains.length === gains.length && known.gains.every((gain, at) => gain === gains[at])) return known.total;
  const total = sumDecimals(gains);
  lastTotals.set(state, { gains, total });
  return total;
}

/** What the sources of equity say together at this instant. */
export const quorumNow = (state: AgentState, nowMs: number): Quorum =>
  equityQuorum(state.equity.sources(totalUnrealized(state, nowMs)), state.settings.risk);

/** The equity for decisions: the figure on which the sources agree, else the venue's figure carried forward. */
export function equityNow(state: AgentState, nowMs: number): Decimal | null {
  const { equityUsdt, agreed } = quorumNow(state, nowMs);
  return agreed ? equityUsdt : state.equity.live(totalUnrealized(state, nowMs));
}

/** Value of a quantity at a price, by the size of the contract. */
export function notionalAt(state: AgentState, symbol: string, qty: Decimal, price: Decimal): Decimal {
  return qty.mul(price).mul(state.rules.get(symbol)?.contractSize ?? 1);
}
