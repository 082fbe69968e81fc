/** The venue's facts told anew for the account that the journal is about: orders, positions, marks, settings over time. */
import { abs, add, isNil, type Num, NIL, neg, sub } from "./decimal.ts";
import type { History } from "./history.ts";
import { journalView } from "./journal-view.ts";
import type { Rules, VenueAlgo, VenueFact, VenueOrder } from "./outside.ts";

export type FactOf<K extends VenueFact["fact"]> = Extract<VenueFact, { fact: K }>;

/** What stood at the venue after one fact. */
export interface Standing {
  readonly fact: VenueFact;
  readonly equity: Num | null;
  readonly maintenance: Num;
  /** Signed quantity by `symbol|side`; the side is LONG or SHORT in hedge mode and NONE in one-way mode. */
  readonly positions: ReadonlyMap<string, Num>;
  readonly marks: ReadonlyMap<string, Num>;
  /** Orders that are not over, by order id. */
  readonly orders: ReadonlyMap<string, VenueOrder>;
  readonly algos: ReadonlyMap<string, VenueAlgo>;
  readonly leverage: ReadonlyMap<string, Num>;
  readonly rules: ReadonlyMap<string, Rules>;
  readonly hedge: boolean | null;
  readonly faults: readonly string[];
}

export const ONE: Num = { digits: 1n, scale: 0 };
export const OVER: ReadonlySet<string> = new Set(["FILLED", "CANCELLED", "CANCELED", "REJECTED", "EXPIRED"]);
const ALGO_LIVE: ReadonlySet<string> = new Set(["PENDING_NEW", "NEW", "PROCESSING"]);

/** The account that this journal writes to: that of the venue's orders it knows, else the only one there is. */
export function accountOf(history: History): string | null {
  const { intents } = journalView(history);
  const ours = (history.venue ?? []).find((fact) => fact.fact === "order" && intents.has(fact.order.clientOrderId));
  if (ours?.accountId) return ours.accountId;
  const named = (history.wire ?? []).find((frame) => frame.accountId !== null);
  return named?.accountId ?? (history.venue ?? []).find((fact) => fact.accountId !== null)?.accountId ?? null;
}

export function ownFacts(history: History): readonly VenueFact[] {
  const account = accountOf(history);
  return (history.venue ?? []).filter((fact) => fact.accountId === null || fact.accountId === account);
}

export const factsOf = <K extends VenueFact["fact"]>(history: History, kind: K): readonly FactOf<K>[] =>
  ownFacts(history).filter((fact): fact is FactOf<K> => fact.fact === kind);

/** Walks the facts and tells what stands after each. The maps are one living object: read them within the step. */
export function* standings(history: History): Generator<Standing> {
  const state = {
    equity: null as Num | null,
    maintenance: NIL,
    positions: new Map<string, Num>(),
    marks: new Map<string, Num>(),
    orders: new Map<string, VenueOrder>(),
    algos: new Map<string, VenueAlgo>(),
    leverage: new Map<string, Num>(),
    rules: new Map<string, Rules>(),
    hedge: null as boolean | null,
    faults: [] as readonly string[],
  };
  for (const fact of ownFacts(history)) {
    switch (fact.fact) {
      case "order":
        if (OVER.has(fact.order.state)) state.orders.delete(fact.order.orderId);
        else state.orders.set(fact.order.orderId, fact.order);
        break;
      case "position":
        keep(state.positions, `${fact.symbol}|${fact.side}`, fact.side === "SHORT" ? neg(abs(fact.qty)) : fact.qty);
        break;
      case "algo":
        if (ALGO_LIVE.has(fact.algo.state)) state.algos.set(fact.algo.algoOrderId, fact.algo);
        else state.algos.delete(fact.algo.algoOrderId);
        break;
      case "mark":
        state.marks.set(fact.symbol, fact.mark);
        break;
      case "account":
        state.equity = fact.equity;
        state.maintenance = fact.maintenance;
        state.hedge = Object.values(fact.modes).includes("BOTH");
        break;
      case "leverage":
        state.leverage.set(fact.symbol, fact.leverage);
        break;
      case "rules":
        state.rules.set(fact.symbol, fact.rules);
        break;
      case "faults":
        state.faults = fact.on;
        break;
      default:
        break;
    }
    yield { ...state, fact };
  }
}

function keep(positions: Map<string, Num>, key: string, qty: Num): void {
  if (isNil(qty)) positions.delete(key);
  else positions.set(key, qty);
}

/** What stood at the venue at an instant: after the last fact that is not later. Null before the first. */
export function standingAt(history: History, atMs: number): Standing | null {
  let found: Standing | null = null;
  for (const standing of standings(history)) {
    if (standing.fact.atMs > atMs) break;
    found = standing;
  }
  return found && frozen(found);
}

const frozen = (standing: Standing): Standing => ({
  ...standing,
  positions: new Map(standing.positions),
  marks: new Map(standing.marks),
  orders: new Map(standing.orders),
  algos: new Map(standing.algos),
  leverage: new Map(standing.leverage),
  rules: new Map(standing.rules),
});

export const left = (order: VenueOrder): Num => sub(order.qty, order.executed);

/** True for a venue order that adds exposure. */
export function addsExposure(order: VenueOrder): boolean {
  if (order.reduceOnly) return false;
  if (order.positionSide === "LONG") return order.side === "BUY";
  return order.positionSide === "SHORT" ? order.side === "SELL" : true;
}

/** The last word on every order of the account, by order id. */
export function lastOrders(history: History): ReadonlyMap<string, VenueOrder> {
  return new Map(factsOf(history, "order").map(({ order }) => [order.orderId, order]));
}

/** Was the service told to deliver requests twice at that instant? */
export function deliversTwice(history: History, atMs: number): boolean {
  let on = false;
  for (const fact of factsOf(history, "faults")) {
    if (fact.atMs > atMs) break;
    on = fact.on.includes("duplicate-delivery");
  }
  return on;
}

/** Signed quantity of an order's fills: what it adds to the net of its leg. */
export const signed = (side: string, qty: Num): Num => (side === "SELL" ? neg(qty) : qty);
export const plus = (map: Map<string, Num>, key: string, by: Num): Num => {
  const next = add(map.get(key) ?? NIL, by);
  map.set(key, next);
  return next;
};
