/** Maps an action to the one venue call that carries it out. Nothing is sent twice. */
import type { Outcome } from "../core/outcome.ts";
import type { ActionKind, ActionOf, BusinessParams, DeskAction } from "./action.ts";
import type { VenuePort } from "../domain/venue-calls.ts";

/** The venue's answer to each action. An answer is an acceptance, never a final state. */
export interface WriteReplies {
  "order.place": { readonly orderId: string };
  "order.replace": { readonly state: string };
  "order.cancel": void;
  "order.cancel-all": void;
  "position.close": { readonly orderId: string | null };
  "position.close-all": { readonly notClosed: readonly string[] };
  "position.set-leverage": void;
  "portfolio.set-position-mode": void;
  "algo.place": { readonly algoOrderId: string };
  "algo.replace": void;
  "algo.cancel": void;
}
/** The value of a "done" outcome of this action. */
export type ReplyOf<A extends DeskAction> = WriteReplies[A["kind"]];

/** One write about to be sent, as it is journalled. */
export interface Wire {
  readonly previewId: string;
  readonly action: ActionKind;
  readonly params: BusinessParams;
  readonly paramsHash: string;
  readonly runtime: string;
  readonly clientOrderId: string | null;
  readonly decisionId: string | null;
  readonly automationSessionId: string | null;
}

type Calls = {
  readonly [K in ActionKind]: (venue: VenuePort, action: ActionOf<K>) => Promise<Outcome<WriteReplies[K]>>;
};

const CALLS: Calls = {
  "order.place": (venue, { draft }) => venue.placeOrder(draft.order),
  "order.replace": (venue, { key, price, qty }) =>
    venue.amendOrder(key, { ...(price && { price }), ...(qty && { qty }) }),
  "order.cancel": (venue, { key }) => venue.cancelOrder(key),
  "order.cancel-all": (venue, { symbol, exchange }) =>
    venue.cancelAll({ ...(symbol !== undefined && { symbol }), ...(exchange !== undefined && { exchange }) }),
  "position.close": (venue, { symbol, leg: positionSide, hedgeMode }) =>
    venue.closePosition(symbol, positionSide, hedgeMode),
  "position.close-all": (venue, { exchange, only }) => venue.closeAllPositions(exchange, only),
  "position.set-leverage": (venue, { symbol, leverage }) => venue.setLeverage(symbol, leverage),
  "portfolio.set-position-mode": (venue, { exchange, mode }) => venue.setPositionMode(exchange, mode),
  "algo.place": (venue, { order }) => venue.placeAlgo(order),
  "algo.replace": (venue, { algoOrderId, change }) => venue.amendAlgo({ algoOrderId }, change),
  "algo.cancel": (venue, { algoOrderId }) => venue.cancelAlgo({ algoOrderId }),
};

/** Sends the action. The port must not throw; if it does, the outcome is unknown. */
export async function send<A extends DeskAction>(venue: VenuePort, action: A): Promise<Outcome<ReplyOf<A>>> {
  const call = CALLS[action.kind] as (venue: VenuePort, action: DeskAction) => Promise<Outcome<ReplyOf<A>>>;
  try {
    return await call(venue, action);
  } catch (error) {
    return {
      kind: "unknown",
      message: `the venue client failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Outcomes that prove that nothing happened at the venue. */
export const cameToNothing = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === "rejected" || outcome.kind === "rate-limited" || outcome.kind === "not-sent";
