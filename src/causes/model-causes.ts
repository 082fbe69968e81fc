/** Causes at the model gateway, and in its budget. Pure. */
import { toWire } from "../core/decimal.ts";
import { isoTime } from "../core/time.ts";
import type { BudgetView, ModelState } from "../llm/contract/port.ts";
import type { CauseFacts, Found, ModelFacts, Severity } from "./cause.ts";

/** A refusal that will not pass by itself counts at once; any other failure after as many failures as pause a model. */
const FAILURES_CLEAR = 3;

export const MODEL_SETTINGS_NEXT =
  "correct the environment or the section model of the configuration, then start again";

/** The models in the order of the settings, then the budget. */
export function modelCauses({ status, model }: CauseFacts): readonly Found[] {
  if (model.refused !== null && status.asksModel) {
    const sentence = `no model can be asked: ${model.refused}`;
    return [{ key: "model settings", part: "model", severity: "alarm", sentence, next: MODEL_SETTINGS_NEXT }];
  }
  const failing = model.models.filter((one) => one.failing !== null);
  const working = model.models.filter((one) => one.failing === null).map(({ name }) => name);
  const named = model.models.length > 1;
  const models = failing.flatMap((one) => failingCause(one, { asks: status.asksModel, working, named }));
  return [...models, ...(models.some(({ key }) => key.endsWith(" quota")) ? [] : moneyCauses(status.asksModel, model))];
}

interface Around {
  readonly asks: boolean;
  /** Names of the other models, which did not fail when they were last asked. */
  readonly working: readonly string[];
  readonly named: boolean;
}

function failingCause({ name, failing, lastError }: ModelState, { asks, working, named }: Around): readonly Found[] {
  if (!failing || !lastError) return [];
  const { kind, lasting, next } = lastError;
  const clear = lasting || failing.inARow >= FAILURES_CLEAR;
  const severity: Severity = !asks ? "notice" : clear && working.length === 0 ? "alarm" : "degraded";
  const others = working[0] === undefined ? "" : `; ${working[0]} is asked in its place`;
  const sentence = `${named ? `${name}: ` : ""}${lastError.sentence}${others}`;
  return [{ key: `model ${name} ${kind}`, part: "model", severity, sentence, next, sinceMs: failing.sinceMs }];
}

const usd = (amount: BudgetView["usedUsd"]): string => toWire(amount.toDecimalPlaces(4));

function moneyCauses(asks: boolean, model: ModelFacts): readonly Found[] {
  const { limitUsd, usedUsd, rollingUsd, leftUsd, dayEndMs, mayAsk, underFloor, unknownUsd } = model;
  const unknown = unknownUsd.gt(0) ? `, ${usd(unknownUsd)} of it at bounds of calls without an outcome` : "";
  const used = `${usd(usedUsd)} of ${usd(limitUsd)} USD today, ${usd(rollingUsd)} in 24 hours${unknown}`;
  if (asks && (leftUsd.lte(0) || !mayAsk.event)) {
    const sentence = `the day's model money is spent (${used})`;
    const next = `nothing: the fallback decides until ${isoTime(dayEndMs)}; ballast budget shows for what it went`;
    return [{ key: "budget spent", part: "budget", severity: "degraded", sentence, next }];
  }
  if (asks && !mayAsk.cadence) {
    const sentence = `the model money is ahead of the day, and only events may be asked about (${used})`;
    return [{ key: "budget paced", part: "budget", severity: "notice", sentence, next: "" }];
  }
  if (unknown !== "" && asks) {
    const sentence = `${usd(unknownUsd)} USD of model money are booked at bounds of calls without an outcome`;
    return [{ key: "budget bound", part: "budget", severity: "notice", sentence, next: "" }];
  }
  if (!underFloor) return [];
  const sentence = "the day's model spend is on its way to end below the lower band";
  return [{ key: "budget floor", part: "budget", severity: "notice", sentence, next: "ballast budget" }];
}
