/**
 * The keys of the practice gateway and the spend of each in the running budget period. The counter restarts at the
 * period's boundary, as the live one does. Spec: records §14.2.
 */
import { type Decimal, dec, toFloat, ZERO } from "../../core/decimal.ts";
import { DAY_MS, isoTime, MINUTE_MS } from "../../core/time.ts";
import { MODEL_BUDGET_USD_PER_DAY } from "../../domain/competition.ts";

/** One key of the model gateway and its limits; `alias` is a name for reports. */
export interface GatewayKey {
  readonly key: string;
  readonly alias: string;
  /** The trading account of its team; null without one. */
  readonly accountId: string | null;
  /** Null for no budget. */
  readonly maxBudgetUsd: Decimal | null;
  /** Null for a key that never expires. */
  readonly expiresAtMs: number | null;
  /** Null for no limit. */
  readonly requestsPerMinute: number | null;
}

/** A key as the competition issues it: 10 USD a day, no expiry, 60 requests a minute. */
export const practiceKey = (key: string, alias = "practice", accountId: string | null = null): GatewayKey => ({
  key,
  alias,
  accountId,
  maxBudgetUsd: dec(MODEL_BUDGET_USD_PER_DAY),
  expiresAtMs: null,
  requestsPerMinute: 60,
});

/** `spentUsd` covers only the current period; `rollPeriod` resets it at the start of a new one. */
export interface KeyAccount {
  readonly key: GatewayKey;
  periodStartMs: number;
  spentUsd: Decimal;
  /** Total charges; never reset. */
  totalUsd: Decimal;
  /** Times of recent requests, for the limit per minute. */
  recentMs: number[];
}

/** Nothing spent; the first `rollPeriod` sets the period. */
export const openAccount = (key: GatewayKey): KeyAccount => ({
  key,
  periodStartMs: Number.NEGATIVE_INFINITY,
  spentUsd: ZERO,
  totalUsd: ZERO,
  recentMs: [],
});

/** Start of the budget day that contains `nowMs`; the day begins `boundaryMs` after midnight UTC. */
export const periodStart = (nowMs: number, boundaryMs: number): number =>
  Math.floor((nowMs - boundaryMs) / DAY_MS) * DAY_MS + boundaryMs;

/** Resets the counter when a new period has begun. */
export function rollPeriod(account: KeyAccount, nowMs: number, boundaryMs: number): void {
  const start = periodStart(nowMs, boundaryMs);
  if (start <= account.periodStartMs) return;
  account.periodStartMs = start;
  account.spentUsd = ZERO;
}

/** Call `rollPeriod` first, so that the cost falls into the right period. */
export function charge(account: KeyAccount, costUsd: Decimal): void {
  account.spentUsd = account.spentUsd.add(costUsd);
  account.totalUsd = account.totalUsd.add(costUsd);
}

/** Counts a request; false if the limit per minute is reached. */
export function admit(account: KeyAccount, nowMs: number): boolean {
  const limit = account.key.requestsPerMinute;
  if (limit === null) return true;
  account.recentMs = account.recentMs.filter((atMs) => atMs > nowMs - MINUTE_MS);
  if (account.recentMs.length >= limit) return false;
  account.recentMs.push(nowMs);
  return true;
}

const maskKey = (key: string): string => `${key.slice(0, 3)}...${key.slice(-4)}`;

/** The reply of `/key/info`. `spendUsd` is an argument, because a stale figure can be requested. */
export function describeKey(
  account: KeyAccount,
  spendUsd: Decimal,
  models: readonly string[],
): Record<string, unknown> {
  const { key } = account;
  return {
    key: maskKey(key.key),
    info: {
      key_name: maskKey(key.key),
      key_alias: key.alias,
      spend: toFloat(spendUsd),
      max_budget: key.maxBudgetUsd ? toFloat(key.maxBudgetUsd) : null,
      budget_duration: "1d",
      budget_reset_at: isoTime(account.periodStartMs + DAY_MS),
      expires: key.expiresAtMs === null ? null : isoTime(key.expiresAtMs),
      models,
      tpm_limit: null,
      rpm_limit: key.requestsPerMinute,
      blocked: null,
      metadata: {},
    },
  };
}
