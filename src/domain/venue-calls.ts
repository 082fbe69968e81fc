/**
 * Every request that an exchange must answer, over domain types. A client of an exchange implements it; a test plugs in a
 * small object. Every call answers an Outcome and never throws; "unknown" means that it may have happened.
 */
import type { Decimal } from "../core/decimal.ts";
import type { Outcome } from "../core/outcome.ts";
import type { AlgoOrder, PlaceAlgoOrder, TriggerType } from "./algo-order.ts";
import type { Execution, Order, PlaceOrder } from "./order.ts";
import type { Asset, ExchangeAccount, Funding, Position, PositionMode } from "./position.ts";
import type { Phase } from "./competition.ts";
import type { Ranking } from "./live-score.ts";
import type { SymbolRules } from "./symbol.ts";

/** The venue's id or ours; the client's own is known even when the reply to placing the order was lost. */
export type OrderKey = { readonly orderId: string } | { readonly clientOrderId: string };

/** Which positions of an exchange a closing of many takes in; without a member, all. */
export interface CloseFilter {
  readonly symbols?: readonly string[];
  readonly positionSide?: "LONG" | "SHORT" | "NONE";
}

/** Members that are left out stay as they are. `triggerType` goes with every trigger price that is given. */
export interface AlgoChange {
  readonly qty?: Decimal;
  readonly triggerPrice?: Decimal;
  readonly takeProfitPrice?: Decimal;
  readonly stopLossPrice?: Decimal;
  /** Limits after the trigger; zero means market. */
  readonly takeProfitLimitPrice?: Decimal;
  readonly stopLossLimitPrice?: Decimal;
  /** Left out, the venue keeps the trigger type it has. */
  readonly triggerType?: TriggerType;
}

/**
 * A filter that is left out takes in everything. A write's "done" is acceptance, never final state. Reads are tried again,
 * writes are sent once.
 */
export interface VenuePort {
  /** One record for each exchange account that the operator named. Tried `attempts` times in all where that is given. */
  account(given?: { readonly attempts?: number }): Promise<Outcome<readonly ExchangeAccount[]>>;
  assets(): Promise<Outcome<readonly Asset[]>>;
  /** Symbols without price or quantity steps are left out: they cannot be traded. */
  symbolRules(symbol?: string): Promise<Outcome<readonly SymbolRules[]>>;
  markPrices(symbol?: string): Promise<Outcome<readonly { symbol: string; markPrice: Decimal; atMs: number }[]>>;
  fundingRate(symbol: string): Promise<Outcome<Funding>>;
  /** Our place in that phase of the competition; refused while the organiser has none for us. */
  ranking(phase: Phase): Promise<Outcome<Ranking>>;
  leverage(symbol?: string): Promise<Outcome<readonly { symbol: string; leverage: number }[]>>;
  /** Asynchronous at the venue: read it again to confirm. */
  setLeverage(symbol: string, leverage: number): Promise<Outcome<void>>;
  /** Rejected while positions or orders are open. Read the account again to confirm. */
  setPositionMode(exchange: string, mode: PositionMode): Promise<Outcome<void>>;

  /** "unknown" may have happened: ask by clientOrderId. */
  placeOrder(order: PlaceOrder): Promise<Outcome<{ orderId: string }>>;
  /** The state CANCELLED or REJECTED in a "done" means that the amend failed and the original order is gone. */
  amendOrder(key: OrderKey, change: { price?: Decimal; qty?: Decimal }): Promise<Outcome<{ state: string }>>;
  /** Acceptance only: the terminal state comes later, by push or query. */
  cancelOrder(key: OrderKey): Promise<Outcome<void>>;
  /** Plain orders only; without a filter the whole portfolio's. */
  cancelAll(filter: { symbol?: string; exchange?: string }): Promise<Outcome<void>>;
  order(key: OrderKey): Promise<Outcome<Order>>;
  /** Lists are bounded: that an order is on none proves nothing (fault R9). */
  openOrders(symbol?: string): Promise<Outcome<readonly Order[]>>;
  orderHistory(filter: { symbol?: string; beginMs?: number; endMs?: number }): Promise<Outcome<readonly Order[]>>;
  /** The newest 1000 at most, not older than about 7 days. */
  executions(filter: { symbol?: string; orderId?: string; beginMs?: number }): Promise<Outcome<readonly Execution[]>>;

  /** Open ones only. */
  positions(symbol?: string): Promise<Outcome<readonly Position[]>>;
  /**
   * Closes the whole position by a market order; rejected when it is flat. In one-way mode the venue refuses a side, so
   * pass `hedgeMode` as read from the account.
   */
  closePosition(
    symbol: string,
    positionSide: "LONG" | "SHORT",
    hedgeMode: boolean,
  ): Promise<Outcome<{ orderId: string | null }>>;
  /** A "done" names the positions that the venue refused to close, each with its reason; the others are closing. */
  closeAllPositions(exchange: string, only?: CloseFilter): Promise<Outcome<{ readonly notClosed: readonly string[] }>>;

  placeAlgo(order: PlaceAlgoOrder): Promise<Outcome<{ algoOrderId: string }>>;
  amendAlgo(key: { algoOrderId: string }, change: AlgoChange): Promise<Outcome<void>>;
  cancelAlgo(key: { algoOrderId: string }): Promise<Outcome<void>>;
  algo(key: { algoOrderId: string } | { clientOrderId: string }): Promise<Outcome<AlgoOrder>>;
  openAlgos(symbol?: string): Promise<Outcome<readonly AlgoOrder[]>>;
}
