/** The live score in words, the same for a prompt and for people. */
import type { LiveScore } from "../domain/live-score.ts";
import { counted } from "../core/words.ts";

const percent = (fraction: number): string => `${(100 * fraction).toFixed(2)} %`;
const signed = (fraction: number): string => `${fraction < 0 ? "" : "+"}${percent(fraction)}`;
const figure = (value: number | null, digits = 2): string => (value === null ? "?" : value.toFixed(digits));
const DAYS_SHOWN = 7;

/** One line each, the name first: phase, result, daily returns, Sharpe, drawdown, uptime, elimination, rank. */
export const scoreLines = (score: LiveScore): readonly (readonly [name: string, text: string])[] => [
  ["phase", phaseText(score)],
  ["result", resultText(score)],
  ["sharpe", sharpeText(score)],
  ["drawdown", drawdownText(score)],
  ["uptime", uptimeText(score)],
  ["elimination", eliminationText(score)],
  ["rank", rankText(score)],
];

function phaseText({ phase, daysLeft }: LiveScore): string {
  const name = phase === 1 ? "Phase I" : "Phase II";
  if (daysLeft === null) return `${name}, its end is not known`;
  return daysLeft === 0 ? `${name} is over` : `${name}, ${daysLeft.toFixed(1)} days left`;
}

function resultText({ roi, pnlUsdt, startUsdt, equityUsdt }: LiveScore): string {
  if (roi === null || pnlUsdt === null) return "not known yet";
  return `${signed(roi)} (${figure(pnlUsdt)} USDT), from ${figure(startUsdt)} to ${figure(equityUsdt)}`;
}

function sharpeText({ days, sharpe, sharpeError }: LiveScore): string {
  const shown = days.slice(-DAYS_SHOWN).map(({ day, fraction }) => `${day.slice(5)} ${signed(fraction)}`);
  const daily = shown.length === 0 ? "no completed day yet" : `days ${shown.join(", ")}`;
  if (sharpe === null) return `not before two completed days; ${daily}`;
  const error = sharpeError === null ? "" : ` ± ${sharpeError.toFixed(1)} (standard error)`;
  return `${sharpe.toFixed(2)}${error} over ${counted(days.length, "day")}; ${daily}`;
}

function drawdownText({ drawdown: { now, largest, tierScore, nextTier } }: LiveScore): string {
  const next = nextTier
    ? `; a full hour below ${nextTier.belowUsdt.toFixed(2)} USDT makes it ${nextTier.score}`
    : largest > 0
      ? "; the lowest tier"
      : "";
  return `largest ${percent(largest)} by the hour, which scores ${tierScore} of 100${next}; now ${percent(now)} below the peak`;
}

function uptimeText({ uptime: { ratio, forecast, factor } }: LiveScore): string {
  const cost =
    factor === 1
      ? ""
      : factor === 0
        ? "; below 90 % at the end is disqualification"
        : `; ${percent(1 - factor)} of the score is lost`;
  return `${percent(ratio)} so far, ${percent(forecast)} expected${cost}`;
}

const eliminationText = ({ elimination }: LiveScore): string =>
  elimination === null
    ? "the account is not known"
    : `${elimination.leftUsdt.toFixed(2)} USDT (${percent(elimination.leftFraction)}) above ${elimination.belowUsdt} USDT`;

function rankText({ ranking }: LiveScore): string {
  if (!ranking) return "none published yet";
  const { rank, composite, scores, day, status, eliminated } = ranking;
  const places = `Sharpe ${figure(scores.sharpe, 0)}, profit ${figure(scores.pnl, 0)}, return ${figure(scores.roi, 0)}, drawdown ${figure(scores.drawdown, 0)}`;
  const out = eliminated ? ", ELIMINATED" : status !== null && status !== "ACTIVE" ? `, ${status}` : "";
  return `${rank ?? "?"} with ${figure(composite, 1)} of 100${day === null ? "" : ` on ${day}`} (${places}; 50 is the middle of the field)${out}`;
}
