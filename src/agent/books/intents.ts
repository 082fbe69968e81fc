/** Durable promises: written to the journal before the request they promise is sent. */
import type { Decimal } from "../../core/decimal.ts";
import type { TradeBasis } from "../../domain/closed-trade.ts";
import type { Order, OrderState } from "../../domain/order.ts";
import type { Approved } from "../../risk/review.ts";
import type { Draft } from "../../risk/view.ts";
import type { TrailRules } from "./trailing.ts";

/** What an opening order was promised with, kept for the position that it becomes. */
export interface Thesis {
  readonly reason: string;
  readonly strategy: string;
  readonly basis: TradeBasis;
  readonly trail?: TrailRules;
}

/** An intent of an earlier run, without its review: the order may be at the venue, and is never sent again. */
export interface PastIntent {
  readonly clientOrderId: string;
  readonly decisionId: string;
  readonly draft: Draft;
  readonly opening: boolean;
  /** The venue's id of the order, empty or absent where nothing has named it yet: another order of this id is a second one. */
  readonly orderId?: string;
  /** Absent where its row does not state it. */
  readonly thesis?: Thesis;
  /** When the earlier run promised it. */
  readonly promisedAtMs?: number;
  /** The earliest that the venue's clock may have shown then; our own may have been set since. Absent where no row says it. */
  readonly notBeforeMs?: number;
  /** When it was to be withdrawn a moment ago. */
  readonly cancelAskedMs?: number | null;
  /** A change of it that was sent and whose outcome is not known. */
  readonly amend?: Pick<AmendIntent, "intentId" | "price" | "qty"> | null;
}

/** An intent of an earlier run whose order has ended: later reports of the venue about that id are compared with it. */
export interface EndedIntent extends PastIntent {
  /** Empty where the venue never named one. */
  readonly orderId: string;
  /** As the venue last reported it; NEW where it never did. */
  readonly state: OrderState;
  readonly executedQty: Decimal;
  /** Why it ended, as in `Tracked`. */
  readonly ending: string;
  /** It never left this machine. */
  readonly unsent: boolean;
  /** Null where what was known of its position included all that it had filled; `filledMs` is the venue's time of the fills. */
  readonly unshown: { readonly shownQty: Decimal; readonly filledMs: number } | null;
}

/** No order leaves on a decision that will be older than 300 s when it arrives. Invariant I15. */
export const DECISION_LIFE_MS = 240_000;

/**
 * A durable commitment to place one order. Its id is the client order id, so the order can be looked up at any time.
 */
export interface Intent {
  readonly clientOrderId: string;
  readonly decisionId: string;
  readonly draft: Approved<Draft>;
  readonly opening: boolean;
  /** When the decision was made that it carries out. */
  readonly decidedAtMs: number;
}

/** A durable promise to change one order that rests. Its own id; the order keeps its. */
export interface AmendIntent {
  readonly intentId: string;
  readonly clientOrderId: string;
  readonly decisionId: string;
  readonly decidedAtMs: number;
  /** The order as it was known when the change was judged. */
  readonly known: Order;
  readonly price: Decimal;
  /** The whole quantity, including what has filled. */
  readonly qty: Decimal;
  /** The order as it will be, as every limit judged it. */
  readonly draft: Approved<Draft>;
}
