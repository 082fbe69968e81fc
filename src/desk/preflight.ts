/**
 * Reads what a preview depends on: a change or a cancel needs an open order, a close a position. Records that the
 * caller has just read are trusted. Spec: 3 §3.1, §4.4 rule 3; records §17.5.
 */
import { describeOutcome, type Outcome } from "../core/outcome.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isTerminal, type Order } from "../domain/order.ts";
import type { Position } from "../domain/position.ts";
import { isApproved } from "../risk/review.ts";
import {
  type CancelAction,
  type ClosePositionAction,
  type DeskAction,
  opens,
  type PlaceAction,
  type ReplaceAction,
} from "./action.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { SessionDemand } from "./session.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";

/** Quantity x contract size x price; null for a MARKET order without a reference price. */
export function placedValue({ draft, contractSize, marketPrice }: PlaceAction): Decimal | null {
  const price = draft.order.limitPrice ?? marketPrice;
  return price ? draft.order.qty.mul(contractSize).mul(price) : null;
}

/** Value of the order after the change; unchanged members come from the order as read. */
export function replacedValue({ price, qty, contractSize }: ReplaceAction, known: Order): Decimal {
  return (qty ?? known.qty).mul(contractSize).mul(price ?? known.limitPrice ?? known.avgPrice);
}

/**
 * What an action counts against a session's caps, USDT: a placement its stated ceiling or else its value, a replacement
 * the value of the new order; a reducing order of the daemon and every other action nothing. Null if unknown; then
 * nothing may be submitted. Spec: records §17.6.
 */
export function countedNotional(action: DeskAction, readBack: Order | null): Decimal | null {
  if (action.kind === "order.replace") return readBack ? replacedValue(action, readBack) : null;
  if (action.kind !== "order.place") return ZERO;
  if (action.maxNotional) return action.maxNotional;
  return opens(action) ? placedValue(action) : ZERO;
}

/** The records read for the preview; null where the action concerns no such record. */
export interface Readback {
  readonly order: Order | null;
  readonly position: Position | null;
}

const NOTHING: Readback = { order: null, position: null };

function readFailed(outcome: Exclude<Outcome<unknown>, { kind: "done" }>, what: string): Refusal {
  if (outcome.kind === "rejected" && (outcome.reason === "not-found" || outcome.reason === "not-served")) {
    return refuse("order-not-found", `${what} was not found at the venue`, { upstreamCode: outcome.code });
  }
  return refuse("unreadable", `${what} could not be read: ${describeOutcome(outcome)}`, {
    outcome: outcome.kind,
    ...(outcome.kind === "rejected" && { upstreamCode: outcome.code }),
  });
}

async function openOrder(venue: VenuePort, action: ReplaceAction | CancelAction): Promise<Result<Readback, Refusal>> {
  const found: Outcome<Order> = action.known ? { kind: "done", value: action.known } : await venue.order(action.key);
  if (found.kind !== "done") return err(readFailed(found, "the order"));
  const order = found.value;
  if (!isTerminal(order.state)) return ok({ ...NOTHING, order });
  return err(refuse("order-not-open", `order ${order.orderId} is ${order.state}`, { state: order.state }));
}

async function heldPosition(venue: VenuePort, action: ClosePositionAction): Promise<Result<Readback, Refusal>> {
  if (action.known) return ok({ ...NOTHING, position: action.known });
  const found = await venue.positions(action.symbol);
  if (found.kind !== "done") return err(readFailed(found, "the position"));
  const position = found.value.find(
    ({ symbol, side, qty }) => symbol === action.symbol && side === action.leg && qty.gt(0),
  );
  if (position) return ok({ ...NOTHING, position });
  return err(refuse("no-position", `there is no ${action.leg} position in ${action.symbol} to close`));
}

function placeProblem(action: PlaceAction): Refusal | null {
  if (!isApproved(action.draft)) return refuse("not-reviewed", "the draft is not the one that a review approved");
  const value = placedValue(action);
  if (!value) return refuse("input", "a MARKET order needs marketPrice to be valued at");
  const { maxNotional } = action;
  if (!maxNotional || value.lte(maxNotional)) return null;
  const message = `order value ${value.toFixed()} is above maxNotional ${maxNotional.toFixed()}`;
  return refuse("above-max-notional", message, { found: value, allowed: maxNotional });
}

function inputProblem(action: DeskAction): Refusal | null {
  if (action.kind === "order.place") return placeProblem(action);
  if (action.kind === "order.replace" && !action.price && !action.qty)
    return refuse("input", "a replace needs price or quantity");
  if (action.kind !== "position.set-leverage") return null;
  const { leverage } = action;
  const fits = Number.isInteger(leverage) && leverage >= 1 && leverage <= 125;
  return fits ? null : refuse("input", `leverage must be a whole number from 1 to 125, found ${leverage}`);
}

/** Reads the records for the preview, or returns why there can be none. */
export async function preflight(venue: VenuePort, action: DeskAction): Promise<Result<Readback, Refusal>> {
  const problem = inputProblem(action);
  if (problem) return err(problem);
  if (action.kind === "order.replace" || action.kind === "order.cancel") return openOrder(venue, action);
  return action.kind === "position.close" ? heldPosition(venue, action) : ok(NOTHING);
}

/**
 * Why a replace that changes only price or only size must not be sent: the other value has changed since the preview
 * counted it. Two such previews of one order, each within the session's cap, could together exceed it. A caller that
 * passes `known` checks again itself just before the wire.
 */
export async function overtaken(venue: VenuePort, action: DeskAction, counted: Order | null): Promise<Refusal | null> {
  if (action.kind !== "order.replace" || !counted || action.known || (action.price && action.qty)) return null;
  const found = await venue.order(action.key);
  if (found.kind !== "done") return readFailed(found, "the order");
  const { qty, limitPrice } = found.value;
  const sameQty = action.qty !== null || qty.eq(counted.qty);
  const samePrice = action.price !== null || limitPrice?.toFixed() === counted.limitPrice?.toFixed();
  return sameQty && samePrice ? null : refuse("preview-mismatch", "the order has changed since; preview again");
}

/**
 * The symbol of a stop that an action names only by id; null for other actions. Needed only for sessions: a person
 * who confirms a preview may cancel any stop.
 */
export async function symbolOfAlgo(venue: VenuePort, action: DeskAction): Promise<Result<string | null, Refusal>> {
  if (action.kind !== "algo.replace" && action.kind !== "algo.cancel") return ok(null);
  const found = await venue.algo({ algoOrderId: action.algoOrderId });
  return found.kind === "done" ? ok(found.value.symbol) : err(readFailed(found, "the algo order"));
}

/** The symbols that an action affects: a list, `every` for all of them, or null if unknown. */
export function scopeOf(action: DeskAction, readback: Readback): SessionDemand["symbols"] {
  if (action.kind === "position.close-all") return action.only?.symbols ?? "every";
  if (action.kind === "order.cancel-all" && action.symbol === undefined) return "every";
  const symbol = symbolOf(action, readback);
  return symbol === null ? null : [symbol];
}

/** The one symbol that an action is about; null if there are several or none is known. */
export function symbolOf(action: DeskAction, readback: Readback): string | null {
  switch (action.kind) {
    case "order.place":
      return action.draft.order.symbol;
    case "algo.place":
      return action.order.symbol;
    case "position.close":
    case "position.set-leverage":
      return action.symbol;
    case "order.cancel-all":
      return action.symbol ?? null;
    default:
      return readback.order?.symbol ?? null;
  }
}
