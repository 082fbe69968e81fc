/** A decision that is still being carried out in one position; see `parent-orders.ts`. */
import type { Decimal } from "../../core/decimal.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";

/** The side of the orders that open a target position. */
export const openingSide = ({ leg }: Pick<TargetPosition, "leg">): "BUY" | "SELL" => (leg === "LONG" ? "BUY" : "SELL");

/** Middle of the book at the decision, and what crossing was predicted to cost then: slippage and fee, basis points. */
export interface DecidedAt {
  readonly atMs: number;
  readonly mid: number;
  readonly crossBps: number;
}

/** Mutable, kept in memory only. `key` is a `positionKeyOf`, `child` a client order id; times are our wall clock, ms. */
export interface ParentOrder {
  readonly key: string;
  /** The strategy that was chosen then: the entry ends when another is. */
  readonly strategy: string;
  /** Whose decision it is: that strategy's, or the fallback's. */
  readonly decidedBy: string;
  decisionId: string;
  target: TargetPosition;
  decidedAtMs: number;
  style: "cross" | "post-only";
  /** Where an entry that began post-only was first decided; null for one that crosses, or without a quote. */
  decided: DecidedAt | null;
  /** No child is priced beyond this. */
  bound: Decimal;
  /** The whole quantity that it may place, and how much of it ended children have filled. */
  totalQty: Decimal;
  filledQty: Decimal;
  child: string | null;
  children: number;
  chases: number;
  /** When the present child was placed, and when it was last priced. */
  putAtMs: number;
  pricedAtMs: number;
  /** Why its child is being withdrawn by the parent itself; null when it is not. */
  ending: string | null;
  /** When the next child may be placed; only while there is none. */
  nextAtMs: number;
}
