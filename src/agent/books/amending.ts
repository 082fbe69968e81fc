/** What is known of an order that is being changed, until the venue reports which version is in force. */
import { Decimal } from "../../core/decimal.ts";
import type { Rejected } from "../../core/outcome.ts";
import type { Order } from "../../domain/order.ts";

/** The order or stop had ended before the request to change it came, or the venue does not know it. */
export const isOver = ({ reason }: Rejected): boolean => reason === "not-found" || reason === "already-ended";

/** An intended change of price and size, until the venue's own record shows its outcome. */
export interface Amending {
  readonly intentId: string;
  /** The limit price and the whole quantity that were asked for. */
  readonly price: Decimal;
  readonly qty: Decimal;
  /** Counted with the promises of orders: what was promised later is checked after it. */
  readonly sequence: number;
  fate: "promised" | "unknown" | "accepted";
  /** The venue's refusal, which does not decide whether a copy of the request has changed the order. */
  refused: Pick<Rejected, "code" | "message"> | null;
  /** Look-ups since that showed the order unchanged, and the first of them. */
  reads: number;
  firstReadMs: number;
}

/** The fields of a tracked order that are needed here. */
interface Amendable {
  readonly order: Order;
  readonly amend: Amending | null;
  readonly ours: boolean;
  readonly opening: boolean;
  readonly fate: string;
  readonly cancelAskedMs: number | null;
}

/** The order as the venue gives it is what the amendment asked for. */
export const amendHolds = ({ order, amend }: Pick<Amendable, "order" | "amend">): boolean =>
  amend !== null && order.qty.eq(amend.qty) && order.limitPrice?.eq(amend.price) === true;

/** The worst case of the order: while the outcome of an amendment is unknown, the larger size at the higher price. */
export const atWorse = ({ order, amend }: Pick<Amendable, "order" | "amend">): Order =>
  amend === null
    ? order
    : {
        ...order,
        qty: Decimal.max(order.qty, amend.qty),
        limitPrice: Decimal.max(order.limitPrice ?? amend.price, amend.price),
      };

/** True for an opening order of ours that rests in the book with no request under way: it may be amended. */
export const mayAmend = (tracked: Amendable): boolean =>
  tracked.ours &&
  tracked.opening &&
  tracked.fate === "known" &&
  tracked.amend === null &&
  tracked.cancelAskedMs === null &&
  !tracked.order.cancelPending &&
  tracked.order.orderId !== "" &&
  tracked.order.orderType === "LIMIT" &&
  (tracked.order.timeInForce === "GTX" || tracked.order.timeInForce === "GTC") &&
  (tracked.order.state === "OPEN" || tracked.order.state === "PARTIALLY_FILLED");
