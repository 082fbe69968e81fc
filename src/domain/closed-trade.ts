/** One round trip of our own: a leg from its first fill until it was flat. All money in USDT. */
import type { Decimal } from "../core/decimal.ts";

export interface ClosedTrade {
  readonly id: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  readonly entryPrice: Decimal;
  /** Null when no fill of the way out was ever seen. */
  readonly exitPrice: Decimal | null;
  readonly feesUsdt: Decimal;
  /** Received less paid, estimated from the rates we knew. */
  readonly fundingUsdt: Decimal;
  /** After fees and funding; null when the way out is not known. */
  readonly netUsdt: Decimal | null;
  readonly openedAtMs: number;
  readonly closedAtMs: number;
  readonly decisionId: string | null;
  readonly strategy: string | null;
  /** Why it was opened, in the words of the strategy or of a model. */
  readonly thesis: string | null;
  /** Why it ended: what asked for the close, or `stop`, `target`, `closed at the venue`. */
  readonly exitReason: string;
}
