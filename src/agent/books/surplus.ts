/** What orders that the venue took twice have opened beyond what was wanted; see `reconcile/doubled-orders.ts`. */
import type { Decimal } from "../../core/decimal.ts";
import type { Tracked } from "./tracked.ts";

/** What second orders opened in one position and what has been given back. Mutable; times are ours, ms. */
export interface Surplus {
  readonly seconds: Tracked[];
  /** The last reduction, by client order id; null before the first. */
  reduction: string | null;
  /** What earlier reductions have filled. */
  reduced: Decimal;
  askedMs: number;
  tries: number;
}
