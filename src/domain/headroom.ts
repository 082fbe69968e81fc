/** What the limits still allow: made by `risk/`, shown to strategies and prompts. Money in USDT. */
import type { Decimal } from "../core/decimal.ts";

/** `limit` is a label for people and prompts, not the name of a `Limit`. `left` is never below zero. */
export interface LimitRoom {
  readonly limit: string;
  readonly left: Decimal;
  readonly unit: "USDT" | "orders" | "positions";
}

/** Rendered from the very figures that the review uses. */
export interface Headroom {
  readonly mayOpen: boolean;
  /** Why nothing may be opened now; empty when something may. */
  readonly reason: string;
  readonly perOrderUsdt: Decimal;
  /** The smaller of what session and leverage leave. */
  readonly totalUsdt: Decimal;
  /** Further exposure that the cushion allows for a major and for any other coin. */
  readonly cushionMajorUsdt: Decimal;
  readonly cushionOtherUsdt: Decimal;
  readonly leverageMax: number;
  /** Fees of opening and closing, the spread and what is learnt of slippage, fraction of notional. */
  readonly roundTripCost: number;
  /** What each limit still allows for openings, none below zero. */
  readonly limits: readonly LimitRoom[];
}
