/** What a UTC day is counted from, and our own count since then. Journalled, so that it survives restarts. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { Execution } from "../../domain/order.ts";

/** `day` is a UTC date as 2026-07-01. USDT; fees are positive where paid, and funding is in none of the figures. */
export interface DayAnchors {
  readonly day: string;
  readonly equityStartUsdt: Decimal;
  /** Unrealised result at that moment: what later changes of it are measured from. */
  readonly unrealizedStartUsdt: Decimal;
  readonly feesUsdt: Decimal;
  readonly realizedUsdt: Decimal;
}

/** A day that is counted from here on. */
export const dayBegun = (day: string, equityStartUsdt: Decimal, unrealizedStartUsdt: Decimal): DayAnchors => ({
  day,
  equityStartUsdt,
  unrealizedStartUsdt,
  feesUsdt: ZERO,
  realizedUsdt: ZERO,
});

/** The day with one more fill in it. */
export const withFill = (anchors: DayAnchors, { fee, realizedPnl }: Execution): DayAnchors => ({
  ...anchors,
  feesUsdt: anchors.feesUsdt.add(fee),
  realizedUsdt: anchors.realizedUsdt.add(realizedPnl ?? ZERO),
});

/** What the account is worth by our own count since the day began. */
export const ownCount = (anchors: DayAnchors, unrealized: Decimal): Decimal =>
  anchors.equityStartUsdt
    .add(anchors.realizedUsdt)
    .sub(anchors.feesUsdt)
    .add(unrealized.sub(anchors.unrealizedStartUsdt));
