/**
 * The desk's actions and their business parameters: the canonical record that a preview shows and whose hash binds
 * the submit. Field names are those of the capability inputs (spec: 3 §4.4 to §4.6; records §17.4).
 */
import { type Decimal, toWire } from "../core/decimal.ts";
import type { PlaceAlgoOrder, TriggerType } from "../domain/algo-order.ts";
import { isOpening, type Order } from "../domain/order.ts";
import type { Position, PositionMode } from "../domain/position.ts";
import type { Approved } from "../risk/review.ts";
import type { Draft } from "../risk/view.ts";
import type { CloseFilter, OrderKey } from "../domain/venue-calls.ts";

/** Refused as "not-reviewed" where `draft` is a copy, and as "input" for a MARKET order without `marketPrice`. */
export interface PlaceAction {
  readonly kind: "order.place";
  /** Only a review can create one. */
  readonly draft: Approved<Draft>;
  /** Base units per 1 of quantity, from the symbol's rules. */
  readonly contractSize: Decimal;
  /** For MARKET orders: the best opposite price with slippage. Null for LIMIT. */
  readonly marketPrice: Decimal | null;
  /** The ceiling that a person stated; it counts against the session instead of the value. Null in the daemon. */
  readonly maxNotional: Decimal | null;
}

/** A null price or quantity is unchanged; one of them is required. `qty` is the total, including the filled part. */
export interface ReplaceAction {
  readonly kind: "order.replace";
  readonly key: OrderKey;
  readonly price: Decimal | null;
  readonly qty: Decimal | null;
  readonly contractSize: Decimal;
  /** The order as the caller just read it; with null the desk reads it. */
  readonly known: Order | null;
  /** The reviewed order after the change. Absent when a person changes and confirms an order. */
  readonly draft?: Approved<Draft>;
}

/** Refused as "order-not-open" once the order is terminal. If `known` is given, the desk reads nothing. */
export interface CancelAction {
  readonly kind: "order.cancel";
  readonly key: OrderKey;
  readonly known: Order | null;
}

/**
 * A market close of the whole position; the venue determines the size. `maxNotional` is shown and hashed, not
 * checked.
 */
export interface ClosePositionAction {
  readonly kind: "position.close";
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly hedgeMode: boolean;
  readonly maxNotional: Decimal | null;
  /** The position as the caller just read it; with null the desk reads it. */
  readonly known: Position | null;
}

/** A stop or target at the venue. `maxNotional` is shown and hashed; nothing counts against the session. */
export interface PlaceAlgoAction {
  readonly kind: "algo.place";
  readonly order: PlaceAlgoOrder;
  readonly maxNotional: Decimal | null;
}

/** Members absent from `change` stay unchanged. */
export interface ReplaceAlgoAction {
  readonly kind: "algo.replace";
  readonly algoOrderId: string;
  readonly change: {
    readonly qty?: Decimal;
    readonly triggerPrice?: Decimal;
    readonly triggerType?: TriggerType;
    readonly takeProfitPrice?: Decimal;
    readonly stopLossPrice?: Decimal;
  };
}

/** One call closes several positions; a later read shows the result for each. */
export interface CloseAllAction {
  readonly kind: "position.close-all";
  readonly exchange: string;
  /** Absent: every position of the exchange. */
  readonly only?: CloseFilter;
}

interface Also {
  /** Extra fields of the caller's input, without effect on the action: shown, hashed and compared with the rest. */
  readonly also?: BusinessParams;
}

/** Every write, discriminated by `kind`. A submit passes the same action as its preview. */
export type DeskAction = Also & KnownAction;
type KnownAction =
  | PlaceAction
  | ReplaceAction
  | CancelAction
  | ClosePositionAction
  | PlaceAlgoAction
  | ReplaceAlgoAction
  | { readonly kind: "algo.cancel"; readonly algoOrderId: string }
  | { readonly kind: "position.set-leverage"; readonly symbol: string; readonly leverage: number }
  | { readonly kind: "order.cancel-all"; readonly symbol?: string; readonly exchange?: string }
  | CloseAllAction
  | { readonly kind: "portfolio.set-position-mode"; readonly exchange: string; readonly mode: PositionMode };

/** The capability ids of writes; also the values of a session's `allowedActions`. */
export const ACTION_KINDS = [
  "order.place",
  "order.replace",
  "order.cancel",
  "order.cancel-all",
  "algo.place",
  "algo.replace",
  "algo.cancel",
  "position.close",
  "position.close-all",
  "position.set-leverage",
  "portfolio.set-position-mode",
] as const satisfies readonly DeskAction["kind"][];
export type ActionKind = DeskAction["kind"];
/** The action of one kind, for tables over the union. */
export type ActionOf<K extends ActionKind> = Extract<DeskAction, { readonly kind: K }>;

/** Flat, with documented field names and decimals as text; two sets are equal if their hashes are. */
export type BusinessParams = Readonly<Record<string, string | number | boolean>>;
type MaybeParams = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Members that are null or absent are not parameters. */
const present = (params: MaybeParams): BusinessParams =>
  Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== null && value !== undefined),
  ) as BusinessParams;

const text = (value: Decimal | null | undefined): string | null => (value ? toWire(value) : null);
const sideOrNothing = (side: "LONG" | "SHORT" | "NONE"): string | null => (side === "NONE" ? null : side);

function placeParams({ draft: { order }, maxNotional }: PlaceAction): MaybeParams {
  const postOnly = order.timeInForce === "GTX";
  return {
    symbol: order.symbol,
    side: order.side,
    positionSide: sideOrNothing(order.positionSide),
    orderType: order.orderType,
    price: text(order.limitPrice),
    quantity: toWire(order.qty),
    timeInForce: postOnly ? null : order.timeInForce,
    postOnly: postOnly || null,
    reduceOnly: order.reduceOnly || null,
    maxNotional: text(maxNotional),
    clientOrderId: order.clientOrderId,
  };
}

function algoParams({ order, maxNotional }: PlaceAlgoAction): MaybeParams {
  return {
    algoType: "TPSL",
    symbol: order.symbol,
    side: order.condition === "ENTIRE_CLOSE_POSITION" ? null : order.side,
    positionSide: sideOrNothing(order.positionSide),
    quantity: order.qty.isZero() ? null : toWire(order.qty),
    reduceOnly: order.reduceOnly || null,
    conditionType: order.condition,
    triggerPrice: text(order.triggerPrice),
    triggerType: order.triggerType,
    takeProfitPrice: text(order.takeProfitPrice),
    stopLossPrice: text(order.stopLossPrice),
    maxNotional: text(maxNotional),
    clientOrderId: order.clientOrderId,
  };
}

function closeParams({ symbol, leg: positionSide, hedgeMode, maxNotional }: ClosePositionAction): MaybeParams {
  return { symbol, positionSide: hedgeMode ? positionSide : null, reduceOnly: true, maxNotional: text(maxNotional) };
}

function algoChangeParams({ algoOrderId, change }: ReplaceAlgoAction): MaybeParams {
  const { qty, triggerPrice, triggerType, takeProfitPrice, stopLossPrice } = change;
  return {
    algoOrderId,
    quantity: text(qty),
    triggerPrice: text(triggerPrice),
    triggerType,
    takeProfitPrice: text(takeProfitPrice),
    stopLossPrice: text(stopLossPrice),
  };
}

function maybeParams(action: DeskAction): MaybeParams {
  switch (action.kind) {
    case "order.place":
      return placeParams(action);
    case "order.replace":
      return { ...action.key, price: text(action.price), quantity: text(action.qty) };
    case "order.cancel":
      return { ...action.key };
    case "position.close":
      return closeParams(action);
    case "algo.place":
      return algoParams(action);
    case "algo.replace":
      return algoChangeParams(action);
    case "algo.cancel":
      return { algoOrderId: action.algoOrderId };
    case "position.set-leverage":
      return { symbol: action.symbol, leverage: action.leverage };
    case "order.cancel-all":
      return { symbol: action.symbol, exchange: action.exchange };
    case "position.close-all":
      return {
        exchange: action.exchange,
        symbolList: action.only?.symbols?.join(","),
        positionSide: action.only?.positionSide,
      };
    case "portfolio.set-position-mode":
      return { exchange: action.exchange, mode: action.mode };
  }
}

/** The action's parameters in documented field names, decimals as text. Equal actions have equal parameters. */
export const businessParams = (action: DeskAction): BusinessParams =>
  present({ ...maybeParams(action), ...action.also });

/** The client order id of the order that the action would create; null if it creates none. */
export function newClientOrderId(action: DeskAction): string | null {
  if (action.kind === "order.place") return action.draft.order.clientOrderId;
  return action.kind === "algo.place" ? action.order.clientOrderId : null;
}

/** True for a placement that adds exposure. */
export const opens = (action: DeskAction): boolean => action.kind === "order.place" && isOpening(action.draft.order);
