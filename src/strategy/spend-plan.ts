/**
 * The order in which a day's money is spent beyond the plain decisions. Spending follows a straight line to the target of the
 * day; a use may run ahead of it, the further the earlier it stands in the order. So when money is short the last uses stop
 * first, and what a quiet or broken stretch left unspent goes to all of them. Pure: the budget itself is the gateway's.
 */
import { HOUR_MS } from "../core/time.ts";
import { EXTRA_USES, type ExtraUse } from "./strategy.ts";

/** The first use may run so far ahead, the last one not at all. */
const FIRST_AHEAD_MS = 2 * HOUR_MS;

/** How far ahead of the line this use may spend, milliseconds. */
export const mayRunAheadMs = (use: ExtraUse): number =>
  FIRST_AHEAD_MS * (1 - EXTRA_USES.indexOf(use) / (EXTRA_USES.length - 1));

/** Whether the plan has money for this use; `aheadMs` is the budget's `aheadOfTargetMs`. */
export const isInPlan = (use: ExtraUse, aheadMs: number | null): boolean =>
  aheadMs !== null && aheadMs <= mayRunAheadMs(use);
