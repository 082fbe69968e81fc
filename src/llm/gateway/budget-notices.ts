/**
 * Reactions to the gateway's own figures besides money: the start of the budget day, and a forecast below the lower
 * band. Each is logged once, not at every reading.
 */
import { toWire, type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import type { Env } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../../core/time.ts";
import type { BudgetLedger } from "../budget/ledger.ts";
import type { BudgetView } from "../contract/port.ts";
import type { ModelSettings } from "../contract/settings.ts";

/** What was already logged. */
export interface BudgetNotices {
  boundaryMs: number | null;
  underFloorDayMs: number | null;
}

/** For a new process, which logs everything once again. */
export const noBudgetNotices = (): BudgetNotices => ({ boundaryMs: null, underFloorDayMs: null });

/** Inputs of a reading: the ledger holds the start of the day, `reported` prevents repeated lines. */
export interface NoticeContext {
  readonly env: Env;
  readonly log: Log;
  readonly settings: ModelSettings;
  readonly ledger: BudgetLedger;
  readonly reported: BudgetNotices;
}

/** Called after every reading of the gateway's figures, also after a failed one. */
export function logBudgetNotices(context: NoticeContext, view: BudgetView): void {
  if (view.gatewayResetAtMs !== null) followReset(context, view.gatewayResetAtMs);
  warnOfLowBand(context, view);
}

/** The gateway's reset moves our day if the setting says so; otherwise a difference is logged. */
function followReset({ settings, ledger, reported, log }: NoticeContext, resetAtMs: number): void {
  const boundaryMs = ((resetAtMs % DAY_MS) + DAY_MS) % DAY_MS;
  const { dayBoundaryUtcHour: hour } = settings;
  if (hour === "gateway") return ledger.moveBoundary(boundaryMs);
  const apartMs = Math.abs(boundaryMs - hour * HOUR_MS);
  if (Math.min(apartMs, DAY_MS - apartMs) < MINUTE_MS || reported.boundaryMs === boundaryMs) return;
  reported.boundaryMs = boundaryMs;
  const text = `The gateway resets at ${isoTime(resetAtMs).slice(11, 16)} UTC, the budget day at hour ${hour}; model.dayBoundaryUtcHour: "gateway" follows it.`;
  log.event("warn", "budget.boundary", text, { gatewayResetAt: isoTime(resetAtMs), dayBoundaryUtcHour: hour });
}

/** Once a day, when it is late enough for the forecast to be meaningful. */
function warnOfLowBand({ env, log, reported }: NoticeContext, view: BudgetView): void {
  const advice = lowBandAdvice(view, env.clock.nowMs());
  if (!advice || reported.underFloorDayMs === view.dayStartMs) return;
  reported.underFloorDayMs = view.dayStartMs;
  log.event("warn", "budget.under-floor", advice.join(" "), {
    forecastUsd: toWire(view.forecastUsd),
    floorUsd: view.floorUsd && toWire(view.floorUsd),
  });
}

/** Earlier in the day a forecast is unreliable. */
const REPORTING_AFTER_MS = 6 * HOUR_MS;

type Figures = Pick<BudgetView, "forecastUsd" | "floorUsd" | "underFloor" | "meanCallUsd" | "dayStartMs">;

/** Sentences for a person: the missing amount and ways to use it. Null if nothing is missing. */
export function lowBandAdvice(view: Figures, nowMs: number): readonly string[] | null {
  const { floorUsd, underFloor, meanCallUsd } = view;
  if (floorUsd === null || !underFloor || nowMs - view.dayStartMs < REPORTING_AFTER_MS) return null;
  const missing = maxDecimal(ZERO, floorUsd.sub(view.forecastUsd));
  const calls = callsFor(missing, meanCallUsd);
  return [
    `The day is heading for ${view.forecastUsd.toFixed(2)} USD, ${missing.toFixed(2)} below the lower band of ${floorUsd.toFixed(2)}.`,
    `Useful ways to meet it${calls === null ? "" : ` (about ${calls} more calls)`}: several samples of each decision, compared as votes;`,
    "a review of closed trades; a panel or a shadow strategy; a shorter cadence.",
  ];
}

const callsFor = (missing: Decimal, meanCallUsd: Decimal | null): number | null =>
  meanCallUsd?.gt(0) ? missing.div(meanCallUsd).ceil().toNumber() : null;
