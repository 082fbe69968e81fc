/** What a UTC day is counted from, and our own count since then. Journalled, so that it survives restarts. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { parseInstant } from "../../core/time.ts";
import type { Execution } from "../../domain/order.ts";

/** `day` is a UTC date as 2026-07-01. USDT; fees are positive where paid, and funding is in none of the figures. */
export interface DayAnchors {
  readonly day: string;
  /** Our time: an earlier fill is part of what the day began with, whenever it is reported. Absent: midnight. */
  readonly fromMs?: number | undefined;
  readonly equityStartUsdt: Decimal;
  /** Unrealised result at that moment: what later changes of it are measured from. */
  readonly unrealizedStartUsdt: Decimal;
  readonly feesUsdt: Decimal;
  readonly realizedUsdt: Decimal;
}

/** A day that is counted from here on. */
export const dayBegun = (
  { day, fromMs }: { readonly day: string; readonly fromMs: number },
  equityStartUsdt: Decimal,
  unrealizedStartUsdt: Decimal,
): DayAnchors => ({
  day,
  fromMs,
  equityStartUsdt,
  unrealizedStartUsdt,
  feesUsdt: ZERO,
  realizedUsdt: ZERO,
});

/** Whether what the day began with includes all that happened at that time, ours. */
export const isBeforeDay = ({ day, fromMs }: DayAnchors, atMs: number): boolean =>
  atMs < (fromMs ?? parseInstant(day) ?? -Infinity);

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
