/**
 * The lower end of the spend band. Some organisers disqualify teams that hardly use the model; the advice is to ask
 * where it helps, never to spend for its own sake. Pure. Records §14.4.
 */
import { type Decimal, maxDecimal, ZERO } from "../core/decimal.ts";
import { HOUR_MS } from "../core/time.ts";
import type { BudgetView } from "./port.ts";

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
