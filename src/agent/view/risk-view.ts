/** What the limits look at, built from the state at this instant. Nothing here judges it. */
import { type Decimal, quantize, ZERO } from "../../core/decimal.ts";
import type { Quote } from "../../context/market-reads.ts";
import { isTerminal } from "../../domain/order.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import { type InFlight, openingsOfDay, type RiskView, type SymbolRisk } from "../../risk/view.ts";
import { atWorse } from "../books/amending.ts";
import { type Tracked, unsettledQty } from "../books/tracked.ts";
import { type AgentState, tradesHedged } from "../state/state.ts";
import { equityNow, FLOOR, markOf, notionalAt, quorumNow, totalUnrealized } from "../state/worth.ts";

/** Null until the account has been read. Positions are at present marks; the news are 0 or Infinity ms old. */
export function riskViewOf(state: AgentState, nowMs: number): RiskView | null {
  const equityUsdt = equityNow(state, nowMs);
  const readAtMs = state.equity.readAtMs();
  if (equityUsdt === null || readAtMs === null) return null;
  const anchors = state.equity.anchors(nowMs, totalUnrealized(state, nowMs));
  const live = state.orders.live();
  return {
    nowMs,
    phase: state.settings.phase,
    equityUsdt,
    floorUsdt: FLOOR,
    floorState: state.floor,
    accountAgeMs: nowMs - readAtMs,
    newsAgeMs: state.settings.needsNews && !state.streams.news ? Infinity : 0,
    streamsUp: { market: state.streams.market, user: state.streams.user },
    clockUncertaintyMs: state.clockUncertaintyMs,
    universe: state.settings.universe,
    positions: state.positions.all().map((held) => ({
      ...held.position,
      markPrice: markOf(state, held.symbol, nowMs) ?? held.position.markPrice,
    })),
    openOrders: live.filter(isResting).map(atWorse),
    inFlight: live
      .filter((tracked) => tracked.opening && !isResting(tracked))
      .map((tracked) => inFlightOf(state, tracked, tracked.order.qty))
      .concat(unsettled(state)),
    unreadOpenings: state.orders
      .unread(state.equity.readFromMs())
      .map((tracked) => inFlightOf(state, tracked, marginedQty(tracked))),
    symbols: symbolRisks(state, nowMs),
    session: state.session,
    accounts: state.accounts,
    hedgeMode: tradesHedged(state),
    equityDayStartUsdt: anchors?.equityStartUsdt ?? equityUsdt,
    feesTodayUsdt: anchors?.feesUsdt ?? ZERO,
    recentCloses: state.positions.recentCloses(),
    // Computed again: since the last tick an unconfirmed reading may have arrived, and the equity above is that reading.
    equityAgreed: quorumNow(state, nowMs).agreed,
    // What an order has filled and no reading holds yet: its profit or loss is in no figure of equity.
    equityBehind: state.shrankMs >= state.equity.readFromMs() || state.orders.unsettled().length > 0,
    holds: [
      ...state.holds.values(),
      ...(state.positions.missingOnes().length > 0 ? [MISSING] : []),
      ...(state.reconcileDueMs === null ? [] : [UNREAD]),
    ],
    recentOpenings: openingsOfDay(state.recentOpenings, nowMs),
  };
}

const isResting = (tracked: Tracked): boolean =>
  tracked.opening && tracked.fate === "known" && !isTerminal(tracked.order.state) && tracked.order.limitPrice !== null;

function inFlightOf(state: AgentState, tracked: Tracked, qty: Decimal): InFlight {
  const { order } = tracked;
  const price = order.limitPrice ?? order.avgPrice;
  return {
    clientOrderId: tracked.clientOrderId,
    symbol: tracked.symbol,
    leg: tracked.leg,
    notionalUsdt: notionalAt(state, tracked.symbol, qty, price),
  };
}

/** The venue keeps margin for all of a live order, and then for what it has filled. */
const marginedQty = (tracked: Tracked): Decimal =>
  tracked.fate === "ended" ? tracked.order.executedQty : atWorse(tracked).qty;

/**
 * Fills that no position reading shows yet: counted until one does, so that nothing slips between the two. They have a
 * name of their own, because the rest of the same order may still stand in the book and is counted there.
 */
function unsettled(state: AgentState): readonly InFlight[] {
  return state.orders.unsettled().map((tracked) => ({
    clientOrderId: `${tracked.clientOrderId}:filled`,
    symbol: tracked.symbol,
    leg: tracked.leg,
    notionalUsdt: notionalAt(state, tracked.symbol, unsettledQty(tracked), paidFor(tracked)),
  }));
}

/** At the worst its limit, where no record of this run says what was paid: as after a restart. */
const paidFor = ({ order }: Tracked): Decimal => (order.avgPrice.gt(0) ? order.avgPrice : (order.limitPrice ?? ZERO));

function symbolRisks(state: AgentState, nowMs: number): ReadonlyMap<string, SymbolRisk> {
  const risks = new Map<string, SymbolRisk>();
  for (const symbol of state.settings.universe) risks.set(symbol, new SymbolNow(state, symbol, nowMs));
  for (const { symbol } of [...state.positions.all(), ...state.orders.live()]) {
    if (!risks.has(symbol)) risks.set(symbol, new SymbolNow(state, symbol, nowMs));
  }
  return risks;
}

/** It may come back with the next list: what it counts for is not free to be given to something else. Fault R9. */
const MISSING = "A list lacked a position a moment ago; the next ones report whether it is held.";

/** What was filled while nobody reported is in no figure of the account that is not older. Fault U1. */
const UNREAD = "Everything is being read again after an outage, a halt or a new phase";

/** Older than this the setting counts as not read: the venue may have reset it. Invariant I12, less what a slot may take. */
const LEVERAGE_FRESH_MS = 50_000;

/** The setting that was read a short while before; null where none was. */
export function leverageOf(state: AgentState, symbol: string, nowMs: number): number | null {
  const fresh = nowMs - (state.leverageReadMs.get(symbol) ?? -Infinity) <= LEVERAGE_FRESH_MS;
  return fresh ? (state.leverage.get(symbol) ?? null) : null;
}

/** Every figure is read when a limit asks for it: at most ticks only those of a few symbols are. */
class SymbolNow implements SymbolRisk {
  readonly rules: SymbolRules | null;
  readonly #state: AgentState;
  readonly #symbol: string;
  readonly #nowMs: number;
  #quote: Quote | null = null;
  #mark: Decimal | null = null;
  #bid: Decimal | null = null;
  #ask: Decimal | null = null;

  constructor(state: AgentState, symbol: string, nowMs: number) {
    this.rules = state.rules.get(symbol) ?? null;
    this.#state = state;
    this.#symbol = symbol;
    this.#nowMs = nowMs;
  }

  get mark(): Decimal | null {
    return (this.#mark ??= markOf(this.#state, this.#symbol, this.#nowMs));
  }

  get bid(): Decimal | null {
    return (this.#bid ??= this.#exact(this.#quoted().bid));
  }

  get ask(): Decimal | null {
    return (this.#ask ??= this.#exact(this.#quoted().ask));
  }

  get leverage(): number | null {
    return leverageOf(this.#state, this.#symbol, this.#nowMs);
  }

  get bookAgeMs(): number {
    return Math.min(this.#quoted().bookAgeMs, this.#quoted().bboAgeMs);
  }

  get markAgeMs(): number {
    return this.#quoted().markAgeMs;
  }

  #quoted(): Quote {
    return (this.#quote ??= this.#state.context.quote(this.#symbol, this.#nowMs));
  }

  #exact(price: number | null): Decimal | null {
    return price === null || !this.rules ? null : quantize(price, this.rules.tickSize, "nearest");
  }
}
