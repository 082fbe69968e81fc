/**
 * What the desk needs from a venue, in its own words. `main/` plugs in the real client; a test plugs in a small object.
 * Every call answers an Outcome and never throws; "unknown" means that it may have happened.
 */
import type { Decimal } from "../core/decimal.ts";
import type { Outcome } from "../core/outcome.ts";
import type { AlgoOrder, PlaceAlgoOrder, TriggerType } from "../domain/algo-order.ts";
import type { Execution, Order, PlaceOrder } from "../domain/order.ts";
import type { Asset, ExchangeAccount, Funding, Position, PositionMode } from "../domain/position.ts";
import type { SymbolRules } from "../domain/symbol.ts";

/** The venue's id or ours; each names one order. */
export type OrderKey = { readonly orderId: string } | { readonly clientOrderId: string };

/** Which positions of an exchange a closing of many takes in; without a member, all. */
export interface CloseFilter {
  readonly symbols?: readonly string[];
  readonly positionSide?: "LONG" | "SHORT" | "NONE";
}

/** A filter that is left out takes in everything. A write's "done" is acceptance, never final state. */
export interface VenuePort {
  /** Tried `attempts` times in all where that is given. */
  account(given?: { readonly attempts?: number }): Promise<Outcome<readonly ExchangeAccount[]>>;
  assets(): Promise<Outcome<readonly Asset[]>>;
  symbolRules(symbol?: string): Promise<Outcome<readonly SymbolRules[]>>;
  markPrices(symbol?: string): Promise<Outcome<readonly { symbol: string; markPrice: Decimal; atMs: number }[]>>;
  fundingRate(symbol: string): Promise<Outcome<Funding>>;
  leverage(symbol?: string): Promise<Outcome<readonly { symbol: string; leverage: number }[]>>;
  setLeverage(symbol: string, leverage: number): Promise<Outcome<void>>;
  setPositionMode(exchange: string, mode: PositionMode): Promise<Outcome<void>>;

  placeOrder(order: PlaceOrder): Promise<Outcome<{ orderId: string }>>;
  amendOrder(key: OrderKey, change: { price?: Decimal; qty?: Decimal }): Promise<Outcome<{ state: string }>>;
  /** Acceptance only: the terminal state comes later, by push or query. */
  cancelOrder(key: OrderKey): Promise<Outcome<void>>;
  cancelAll(filter: { symbol?: string; exchange?: string }): Promise<Outcome<void>>;
  order(key: OrderKey): Promise<Outcome<Order>>;
  openOrders(symbol?: string): Promise<Outcome<readonly Order[]>>;
  orderHistory(filter: { symbol?: string; beginMs?: number; endMs?: number }): Promise<Outcome<readonly Order[]>>;
  executions(filter: { symbol?: string; orderId?: string; beginMs?: number }): Promise<Outcome<readonly Execution[]>>;

  positions(symbol?: string): Promise<Outcome<readonly Position[]>>;
  closePosition(
    symbol: string,
    leg: "LONG" | "SHORT",
    hedgeMode: boolean,
  ): Promise<Outcome<{ orderId: string | null }>>;
  closeAllPositions(exchange: string, only?: CloseFilter): Promise<Outcome<void>>;

  placeAlgo(order: PlaceAlgoOrder): Promise<Outcome<{ algoOrderId: string }>>;
  amendAlgo(
    key: { algoOrderId: string },
    change: {
      qty?: Decimal;
      triggerPrice?: Decimal;
      triggerType?: TriggerType;
      takeProfitPrice?: Decimal;
      stopLossPrice?: Decimal;
    },
  ): Promise<Outcome<void>>;
  cancelAlgo(key: { algoOrderId: string }): Promise<Outcome<void>>;
  algo(key: { algoOrderId: string } | { clientOrderId: string }): Promise<Outcome<AlgoOrder>>;
  openAlgos(symbol?: string): Promise<Outcome<readonly AlgoOrder[]>>;
}
