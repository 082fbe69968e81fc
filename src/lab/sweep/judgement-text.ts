/** A judgement for people: a table, and sentences that interpret it. */
import type { CandidateFigures, SweepJudgement } from "./judgement.ts";
import { counted } from "../../core/words.ts";

/** A ratio passes if its probability of not being luck is at least this. */
const PASSES_FROM = 0.95;
const OVERFITTED_FROM = 0.5;

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)} %`;

/** Text columns first; one row per candidate, best first. */
export const JUDGEMENT_HEADINGS = [
  "strategy",
  "settings",
  "return",
  "a day, 90 %",
  "Sharpe",
  "organiser's",
  "max drawdown",
  "worst USDT",
  "fills",
  "turnover",
  "fees",
  "break-even",
] as const;

const ratio = (value: number | null): string => (value === null ? "-" : value.toFixed(2));

const settingsText = (candidate: string): string =>
  candidate === "{}" ? "as they are" : candidate.replace(/[{}"]/g, "").replace(/,/g, ", ");

function cellsOf(figures: CandidateFigures): readonly string[] {
  const { dailyReturn, sharpe, organiserSharpe, eliminated, runs, costShare, breakEvenBps } = figures;
  return [
    figures.strategy,
    settingsText(figures.candidate),
    percent(figures.returnFraction),
    dailyReturn ? `${percent(dailyReturn.low)} .. ${percent(dailyReturn.high)}` : "-",
    ratio(sharpe),
    ratio(organiserSharpe),
    percent(figures.maxDrawdown),
    `${figures.worstUsdt.toFixed(2)}${eliminated > 0 ? `, ${eliminated} of ${runs} eliminated` : ""}`,
    String(figures.executions),
    figures.turnover.toFixed(1),
    `${figures.feesUsdt.toFixed(2)}${costShare === null ? "" : `, ${Math.round(costShare * 100)} %`}`,
    breakEvenBps === null ? "-" : `${breakEvenBps.toFixed(1)} bp`,
  ];
}

/** `tests` is the judgement of a walk-forward, if there was one. */
export function judgementText(judgement: SweepJudgement, tests: SweepJudgement | null, shown: number) {
  const rows = judgement.candidates.slice(0, shown).map(cellsOf);
  return { headings: [...JUDGEMENT_HEADINGS], rows, words: [...wordsOf(judgement), ...testWords(tests)] };
}

function wordsOf(judgement: SweepJudgement): readonly string[] {
  const { candidates, trials, probabilistic, deflated, overfitting, correlations, problems } = judgement;
  const words = [`${counted(trials, "candidate was", "candidates were")} tried.`];
  if (deflated === null || probabilistic === null) words.push("No candidate's returns vary enough to be judged.");
  else {
    const passes = deflated >= PASSES_FROM;
    words.push(
      `The best one is above zero with probability ${probabilistic.toFixed(3)}, and above the best of ${trials} useless ones with probability ${deflated.toFixed(3)} (deflated Sharpe ratio): it ${passes ? "passes" : `does not pass, ${PASSES_FROM} is needed`}.`,
    );
  }
  if (overfitting) {
    const { probability, lossProbability } = overfitting;
    words.push(
      `Probability of overfitting: ${probability.toFixed(2)}${probability >= OVERFITTED_FROM ? ", choosing the best one is no better than drawing lots" : ""}; the best of one half lost money in the other in ${percent(lossProbability)} of the splits.`,
    );
  }
  for (const { strategies, correlation } of correlations)
    words.push(`The returns of ${strategies.join(" and ")} correlate ${correlation.toFixed(2)}.`);
  if (candidates[0] && candidates[0].returnFraction <= 0) words.push("No candidate made money.");
  for (const problem of problems) words.push(`Not run: ${problem}`);
  return words;
}

function testWords(tests: SweepJudgement | null): readonly string[] {
  const [chosen] = tests?.candidates ?? [];
  if (!tests || !chosen) return [];
  return [
    `Walk forward: the best of each training period returned ${percent(chosen.returnFraction)} per test on average over ${counted(chosen.runs, "test")}, Sharpe ratio ${chosen.sharpe?.toFixed(2) ?? "-"}, above zero with probability ${tests.probabilistic?.toFixed(3) ?? "-"}.`,
  ];
}
