/** A view of the venue's facts for the journal's account: orders, positions, marks and settings over time. */
import { abs, add, eq, isNil, type Num, NIL, neg, sign, sub } from "./decimal.ts";
import type { History } from "./history.ts";
import type { Rules, VenueAlgo, VenueFact, VenueOrder } from "./venue-facts.ts";
import { accountOf } from "./own-account.ts";

/** How far the venue's reads may lag, as the agent states it (docs/ACCOUNT.md); again here, because the two share no code. */
export const STATED_LAG_MS = 20_000;

/** Facts of one kind. */
export type FactOf<K extends VenueFact["fact"]> = Extract<VenueFact, { fact: K }>;

/** The state of the venue after one fact. */
export interface AccountState {
  readonly fact: VenueFact;
  readonly equity: Num | null;
  readonly maintenance: Num;
  /** Signed quantity by `symbol|side`; the side is LONG or SHORT in hedge mode and NONE in one-way mode. */
  readonly positions: ReadonlyMap<string, Num>;
  readonly marks: ReadonlyMap<string, Num>;
  /** Orders that have not ended, by order id. */
  readonly orders: ReadonlyMap<string, VenueOrder>;
  readonly algos: ReadonlyMap<string, VenueAlgo>;
  readonly leverage: ReadonlyMap<string, Num>;
  readonly rules: ReadonlyMap<string, Rules>;
  readonly hedge: boolean | null;
  readonly faults: readonly string[];
}

/** Exactly one; also the contract size of a symbol without known rules. */
export const ONE: Num = { digits: 1n, scale: 0 };
/** Final order states, with both spellings of CANCELLED. */
export const OVER: ReadonlySet<string> = new Set(["FILLED", "CANCELLED", "CANCELED", "REJECTED", "EXPIRED"]);
const ALGO_LIVE: ReadonlySet<string> = new Set(["PENDING_NEW", "NEW", "PROCESSING"]);

interface Kept {
  readonly own: readonly VenueFact[];
  readonly byKind: ReadonlyMap<string, readonly VenueFact[]>;
}
const kept = new WeakMap<History, Kept>();

function keptOf(history: History): Kept {
  const known = kept.get(history);
  if (known) return known;
  const account = accountOf(history);
  const own = (history.venue ?? []).filter((fact) => fact.accountId === null || fact.accountId === account);
  const byKind = new Map<string, VenueFact[]>();
  for (const fact of own) {
    const list = byKind.get(fact.fact) ?? [];
    list.push(fact);
    byKind.set(fact.fact, list);
  }
  const made = { own, byKind };
  kept.set(history, made);
  return made;
}

/** Facts of the journal's account and facts without an account, in order; empty without a venue ledger. */
export const ownFacts = (history: History): readonly VenueFact[] => keptOf(history).own;

/** `ownFacts` of one kind, in order. */
export const factsOf = <K extends VenueFact["fact"]>(history: History, kind: K): readonly FactOf<K>[] =>
  (keptOf(history).byKind.get(kind) ?? []) as readonly FactOf<K>[];

/** A change of a position's size at the venue; `qty` is never negative. */
export interface PositionChange {
  /** `symbol|side`. */
  readonly key: string;
  readonly qty: Num;
  readonly atMs: number;
}

/**
 * In order. One net position counts as the side of its sign, with nothing on the other; a repeated report by funding
 * or leverage is no change.
 */
export function* positionChanges(history: History): Generator<PositionChange> {
  const known = new Map<string, Num>();
  for (const { symbol, side, qty, atMs } of factsOf(history, "position")) {
    const sides = side === "NONE" ? (["LONG", "SHORT"] as const) : [side];
    for (const one of sides) {
      const key = `${symbol}|${one}`;
      const here = side !== "NONE" || (!isNil(qty) && sign(qty) > 0 === (one === "LONG"));
      const now = here ? abs(qty) : NIL;
      if (eq(now, known.get(key) ?? NIL)) continue;
      known.set(key, now);
      yield { key, qty: now, atMs };
    }
  }
}

/** Walks the facts and yields the state after each. The maps are mutated: read them within the step. */
export function* standings(history: History): Generator<AccountState> {
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
        // Marks are recorded while a position is open; the last one would go stale afterwards.
        if (isFlat(state.positions, fact.symbol)) state.marks.delete(fact.symbol);
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

const isFlat = (positions: ReadonlyMap<string, Num>, symbol: string): boolean =>
  ![...positions.keys()].some((key) => key.startsWith(`${symbol}|`));

/** The last fact not later than an instant, in a list sorted by time. */
function lastAt<F extends VenueFact>(facts: readonly F[], atMs: number): F | null {
  let [low, high] = [0, facts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((facts[middle]?.atMs ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return facts[low - 1] ?? null;
}

/** True for hedge mode of the symbol's exchange at an instant; null before its account was recorded. */
export function hedgeAt(history: History, symbol: string, atMs: number): boolean | null {
  const modes = lastAt(factsOf(history, "account"), atMs)?.modes ?? {};
  const exchange = Object.keys(modes).find((name) => symbol.startsWith(`${name}_`));
  return exchange === undefined ? null : modes[exchange] === "BOTH";
}

/** A symbol's rules at an instant. */
export function rulesAt(history: History, symbol: string, atMs: number): Rules | null {
  const facts = factsOf(history, "rules").filter((fact) => fact.symbol === symbol);
  return lastAt(facts, atMs)?.rules ?? null;
}

/** The quantity that an order may still fill. */
export const left = (order: VenueOrder): Num => sub(order.qty, order.executed);

/** True for a venue order that adds exposure. */
export function addsExposure(order: VenueOrder): boolean {
  if (order.reduceOnly) return false;
  if (order.positionSide === "LONG") return order.side === "BUY";
  return order.positionSide === "SHORT" ? order.side === "SELL" : true;
}

/** The latest record of every order of the account, by order id. */
export function lastOrders(history: History): ReadonlyMap<string, VenueOrder> {
  return new Map(factsOf(history, "order").map(({ order }) => [order.orderId, order]));
}

/** The first record of every order of the account. */
export function firstOrders(history: History): readonly FactOf<"order">[] {
  const first = new Map<string, FactOf<"order">>();
  for (const fact of factsOf(history, "order")) if (!first.has(fact.order.orderId)) first.set(fact.order.orderId, fact);
  return [...first.values()];
}

/** Whether that fault was on at some instant of the span; at the instant at which it ended, it still was. */
export function faultWithin(history: History, name: string, { fromMs, toMs }: Within): boolean {
  const facts = factsOf(history, "faults");
  const within = facts.filter((fact) => fact.atMs >= fromMs && fact.atMs <= toMs);
  return [facts.findLast(({ atMs }) => atMs < fromMs), ...within].some((fact) => fact?.on.includes(name) === true);
}

interface Within {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether duplicate delivery was on at some instant between sending and arrival. */
export const deliversTwice = (history: History, atMs: number, fromMs = atMs): boolean =>
  faultWithin(history, "duplicate-delivery", { fromMs, toMs: atMs });

/** Signed quantity of an order's fills: its contribution to the net position. */
export const signed = (side: string, qty: Num): Num => (side === "SELL" ? neg(qty) : qty);
/** Adds to an entry in place, from zero if absent, and returns the new figure. */
export const plus = (map: Map<string, Num>, key: string, by: Num): Num => {
  const next = add(map.get(key) ?? NIL, by);
  map.set(key, next);
  return next;
};
