/** One order as this run knows it: promised by an intent of ours, or found at the venue. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { sideClosedBy, sideOpenedBy, type Order, type OrderState } from "../../domain/order.ts";
import { venueNotBefore, type VenueTime } from "../../domain/venue-time.ts";
import type { Amending } from "./amending.ts";
import type { EndedIntent, PastIntent } from "./intents.ts";

/** `promised`: no reply yet; `unknown`: it is lost; `known`: accepted or seen by the venue; `ended`: over for good. */
export type Fate = "promised" | "unknown" | "known" | "ended";

/** Mutable, kept by `OrderTracker`. Times are ours, ms, unless noted; `misses` counts those in a row. */
export interface Tracked {
  readonly clientOrderId: string;
  readonly decisionId: string | null;
  /** False for orders that others placed on our account. */
  readonly ours: boolean;
  /** False for orders found at the venue: if such an order has an intent, the journal has its end already. */
  promised: boolean;
  readonly opening: boolean;
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  /** The venue's record as far as known; before the first sight made from the intent. */
  order: Order;
  fate: Fate;
  /** How it ended: a venue state, or why it never was. Empty while it lives. */
  ending: string;
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
  readonly promisedAtMs: number;
  /** The earliest that the venue's clock may have shown then; null where no row says it. See `promisedNotBefore`. */
  readonly notBeforeMs: number | null;
  /** Its number among the promises of this run: what was promised later is checked after it. */
  readonly sequence: number;
  misses: number;
  firstMissMs: number;
  nextLookUpMs: number;
  /** When its end was last asked for, or the venue last answered that. */
  cancelAskedMs: number | null;
  /** A cancel sent by this run waits for its turn or its answer. */
  cancelWaits: boolean;
  /** It was to be withdrawn while the venue was not known to have it. */
  unwanted: boolean;
  /** Executed quantity that what is known of its position includes. */
  settledQty: Decimal;
  /** Its end is in the journal as one that filled more than that. */
  isEndUnshown: boolean;
  /** Our time at which a record first showed it as large as it may be; Infinity before. A later reading of the account includes it. */
  firstShownMs: number;
  /** Our time at which the executed quantity was last reported to have grown. */
  grewMs: number;
  /** The venue's time of the record that reported it. */
  filledMs: number;
  /** The venue's time of the newest record whose fills are counted in its position: further fills are younger. */
  countedMs: number;
  amend: Amending | null;
  /** The venue's time of the newest record that reported price and size. */
  reportedMs: number;
  /** It ended without having left this machine. */
  unsent: boolean;
  /** The venue has another order of the same id: only its order id distinguishes them. */
  doubled: boolean;
}

/** Whether only its order id tells the venue which order it is: another one has its client order id, or it was seen without one. */
export const isKnownById = ({ doubled, clientOrderId, order }: Tracked): boolean =>
  doubled || clientOrderId === order.orderId;

/** The position that an order opens or reduces. */
export const heldSideOf = (order: Pick<Order, "side" | "positionSide" | "reduceOnly">): "LONG" | "SHORT" => {
  if (order.positionSide !== "NONE") return order.positionSide;
  return order.reduceOnly ? sideClosedBy(order.side) : sideOpenedBy(order.side);
};

function orderFromIntent(intent: PastIntent, atMs: number): Order {
  const { order } = intent.draft;
  return {
    ...order,
    orderId: intent.orderId ?? "",
    timeInForce: order.timeInForce ?? (order.orderType === "MARKET" ? "IOC" : "GTC"),
    state: "NEW",
    executedQty: ZERO,
    avgPrice: ZERO,
    fee: ZERO,
    reason: "",
    cancelPending: false,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

const begun = (order: Order, atMs: number, sequence: number) => ({
  clientOrderId: order.clientOrderId,
  symbol: order.symbol,
  leg: heldSideOf(order),
  order,
  ending: "",
  promisedAtMs: atMs,
  notBeforeMs: null,
  misses: 0,
  firstMissMs: 0,
  nextLookUpMs: Infinity,
  cancelAskedMs: null,
  cancelWaits: false,
  unwanted: false,
  settledQty: ZERO,
  isEndUnshown: false,
  firstShownMs: Infinity,
  grewMs: atMs,
  filledMs: -Infinity,
  countedMs: -Infinity,
  sequence,
  amend: null,
  reportedMs: -Infinity,
  unsent: false,
  doubled: false,
});

/** The same by the present measure of the clocks where no row says it: right as long as ours has not been set. Faults C1, C2. */
export const promisedNotBefore = (time: VenueTime, { notBeforeMs, promisedAtMs }: Tracked): number =>
  notBeforeMs ?? venueNotBefore(time, promisedAtMs);

/** An order that an intent of ours promises, of this run or of an earlier one. */
export const promisedOrder = (intent: PastIntent, atMs: number, sequence: number): Tracked => ({
  ...begun(orderFromIntent(intent, atMs), atMs, sequence),
  decisionId: intent.decisionId,
  ours: true,
  promised: true,
  opening: intent.opening,
  // Never later than now, even if the clock ran ahead then: an order of an earlier run has existed since its intent.
  // Fault C2.
  promisedAtMs: Math.min(intent.promisedAtMs ?? atMs, atMs),
  notBeforeMs: intent.notBeforeMs ?? null,
  cancelAskedMs: intent.cancelAskedMs ?? null,
  fate: "promised",
  stopPrice: intent.draft.stopPrice,
  targetPrice: intent.draft.targetPrice,
});

/** An order of an earlier run that is over. What it filled is in the positions of that run, where the journal does not deny it. */
export function endedOrder(intent: EndedIntent, atMs: number, sequence: number): Tracked {
  const { orderId, state, executedQty, ending, unsent, unshown } = intent;
  const promised = promisedOrder(intent, atMs, sequence);
  const order = { ...promised.order, orderId, state, executedQty };
  const shown = { settledQty: unshown?.shownQty ?? executedQty, isEndUnshown: unshown !== null };
  const filledMs = unshown?.filledMs ?? -Infinity;
  return { ...promised, order, fate: "ended", ending, unsent, ...shown, firstShownMs: atMs, filledMs };
}

/** An order found at the venue that no promise of this run knows. */
export const foundOrder = (order: Order, ours: boolean, atMs: number, sequence: number): Tracked => ({
  // Whether a list begun later should have shown it goes by our time, as after every later report of it. Fault C2.
  ...begun({ ...order, updatedAtMs: atMs }, atMs, sequence),
  decisionId: null,
  ours,
  promised: false,
  opening:
    order.positionSide === "NONE" ? !order.reduceOnly : (order.side === "BUY") === (order.positionSide === "LONG"),
  fate: "known",
  firstShownMs: atMs,
  stopPrice: null,
  targetPrice: null,
});

/** What it has filled and no report of its position shows yet. */
export const unsettledQty = ({ order, settledQty }: Tracked): Decimal => order.executedQty.sub(settledQty);

/** Its state in one word, for the operator. */
export const describeState = (tracked: Tracked): OrderState | Fate | string =>
  tracked.fate === "ended" ? tracked.ending : tracked.fate === "known" ? tracked.order.state : tracked.fate;

/** What orders that the venue took twice opened in one position, and what has been given back. Mutable; times are ours, ms. */
export interface Surplus {
  readonly seconds: Tracked[];
  /** What reductions of earlier runs have filled since. */
  reducedQty: Decimal;
  askedMs: number;
  tries: number;
}

/** What second orders of one position had filled in earlier runs, and how much of that had been reduced again. */
export interface PastSurplus {
  /** `clientOrderId` is that of the first order. */
  readonly seconds: readonly {
    readonly clientOrderId: string;
    readonly orderId: string;
    readonly qty: Decimal;
    readonly cancelAskedMs: number | null;
  }[];
  readonly reducedQty: Decimal;
}
