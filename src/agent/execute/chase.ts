/**
 * A post-only entry that follows a price which ran away, within bounds that were fixed when it was decided. Pure: what is
 * known goes in, one step comes out. Nothing here remembers, orders or rounds up: a chased price is a price of the book,
 * and an entry is never put further from the price at decision than its bound.
 */
import { Decimal, quantize } from "../../core/decimal.ts";
import type { EntrySettings } from "../contract/settings.ts";

/** What one look at a resting post-only child knows. Prices are exact; times are our wall clock, ms. */
export interface ChaseInput {
  readonly leg: "LONG" | "SHORT";
  readonly nowMs: number;
  /** Where the order rests now. */
  readonly price: Decimal;
  /** The best price of its own side, on the tick; null while none is known. */
  readonly best: Decimal | null;
  /** Furthest price that the entry may have. */
  readonly bound: Decimal;
  /** Re-pricings so far, and when it was last put or re-priced. */
  readonly chases: number;
  readonly pricedAtMs: number;
  readonly deadlineMs: number;
  readonly settings: Pick<EntrySettings, "chases" | "chaseEvery">;
}

/** `reprice`: amend to this price. `end`: withdraw the order, and the reason is reported to a person. */
export type ChaseStep =
  | { readonly kind: "wait" }
  | { readonly kind: "reprice"; readonly price: Decimal }
  | { readonly kind: "end"; readonly reason: string };

/** True when `price` is worse for the one who enters than `other`: dearer for a long, cheaper for a short. */
export const worseThan = (positionSide: "LONG" | "SHORT", price: Decimal, other: Decimal): boolean =>
  positionSide === "LONG" ? price.gt(other) : price.lt(other);

/**
 * The furthest price at which the position may be entered, on the tick, rounded towards the decision. `sigmaHour` is null
 * while the volatility is not known; then the distance in basis points stands alone.
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

/** What the entry does next. An entry at the best price, or better, waits for its turn in the queue. */
export function chaseStep(input: ChaseInput): ChaseStep {
  const { leg: positionSide, nowMs, price, best, bound, chases, settings } = input;
  if (nowMs >= input.deadlineMs) return { kind: "end", reason: "it rested long enough" };
  if (!best || !worseThan(positionSide, best, price)) return { kind: "wait" };
  if (worseThan(positionSide, best, bound)) return { kind: "end", reason: "the price ran beyond the entry's bound" };
  if (settings.chases === 0 || nowMs - input.pricedAtMs < settings.chaseEvery) return { kind: "wait" };
  if (chases >= settings.chases) return { kind: "end", reason: `it followed the price ${chases} times` };
  return { kind: "reprice", price: best };
}
