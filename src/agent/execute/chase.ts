/**
 * A post-only entry that follows a price which moved away, within bounds fixed at the decision. Pure: known facts go in, one
 * step comes out. Nothing here keeps state or sends orders: a chased price is a price of the book, and an entry is never
 * placed further from the price at the decision than its bound.
 */
import { Decimal, quantize } from "../../core/decimal.ts";
import type { EntrySettings } from "../contract/settings.ts";
import { counted } from "../../core/words.ts";

/** What one check of a resting post-only child knows. Prices are exact; times are our wall clock, ms. */
export interface ChaseInput {
  readonly leg: "LONG" | "SHORT";
  readonly nowMs: number;
  /** Where the order rests now. */
  readonly price: Decimal;
  /** The best price of its own side, on the tick; null while none is known. */
  readonly best: Decimal | null;
  /** The furthest price that the entry may have. */
  readonly bound: Decimal;
  /** Re-pricings so far, and when the order was last placed or re-priced. */
  readonly chases: number;
  readonly pricedAtMs: number;
  readonly deadlineMs: number;
  readonly settings: Pick<EntrySettings, "chases" | "chaseEvery">;
}

/** `reprice`: amend to this price. `end`: withdraw the order; the reason is shown to a person. */
export type ChaseStep =
  | { readonly kind: "wait" }
  | { readonly kind: "reprice"; readonly price: Decimal }
  | { readonly kind: "end"; readonly reason: string };

/** True when `price` is worse than `other` for an entry: higher for a long, lower for a short. */
export const worseThan = (positionSide: "LONG" | "SHORT", price: Decimal, other: Decimal): boolean =>
  positionSide === "LONG" ? price.gt(other) : price.lt(other);

/**
 * The furthest price at which the position may be entered, on the tick, rounded towards the decision. If the volatility is
 * not known, `sigmaHour` is null and only the distance in basis points counts.
 */
export function entryBound(
  positionSide: "LONG" | "SHORT",
  { decided, sigmaHour, tick }: { readonly decided: number; readonly sigmaHour: number | null; readonly tick: Decimal },
  settings: Pick<EntrySettings, "maxDistanceBps" | "maxDistanceSigma">,
): Decimal {
  const byBps = settings.maxDistanceBps / 10_000;
  const bySigma = sigmaHour === null || settings.maxDistanceSigma === 0 ? byBps : sigmaHour * settings.maxDistanceSigma;
  const distance = Math.min(byBps, bySigma);
  return positionSide === "LONG"
    ? quantize(decided * (1 + distance), tick, "down")
    : quantize(decided * (1 - distance), tick, "up");
}

/** The next step of the entry. An entry at the best price, or better, waits for its turn in the queue. */
export function chaseStep(input: ChaseInput): ChaseStep {
  const { leg: positionSide, nowMs, price, best, bound, chases, settings } = input;
  if (nowMs >= input.deadlineMs) return { kind: "end", reason: "it rested long enough" };
  if (!best || !worseThan(positionSide, best, price)) return { kind: "wait" };
  if (worseThan(positionSide, best, bound)) return { kind: "end", reason: "the price ran beyond the entry's bound" };
  if (settings.chases === 0 || nowMs - input.pricedAtMs < settings.chaseEvery) return { kind: "wait" };
  if (chases >= settings.chases) return { kind: "end", reason: `it followed the price ${counted(chases, "time")}` };
  return { kind: "reprice", price: best };
}
