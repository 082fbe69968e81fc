/** `ballast backtest --contamination N`: each run again in N disguises, and what the plain one earned more. */
import { mean } from "simple-statistics";
import type { Config } from "../../config/config.ts";
import { seededEntropy } from "../../core/entropy.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { DAY_MS, formatSpan, HOUR_MS } from "../../core/time.ts";
import { counted } from "../../core/words.ts";
import type { BacktestOptions } from "../../faces/cli/backtest-command.ts";
import { resultTable } from "../../faces/cli/result-table.ts";
import type { TradedRun } from "../../lab/figures/run-figures.ts";
import { basesOf, shownConfig } from "../../lab/disguise/disguised-config.ts";
import { marketDisguise, shownBars } from "../../lab/disguise/disguised-market.ts";
import { type Disguise, drawDisguise } from "../../lab/disguise/disguise.ts";
import { type ContaminationGap, gapOf, verdictOf } from "../../lab/disguise/gap.ts";
import type { ModelsOfRun } from "../../lab/models/choose-models.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { fastRuns, fullRuns, progressOf, type RunOne } from "./backtest-runs.ts";

type Asked = Pick<BacktestOptions, "contamination" | "fidelity" | "model" | "config" | "for">;

/** Fewer paired hours have no interval, and a gap without one says nothing. */
const HOURS_MIN = 4;

/** Why these runs cannot be made in disguise, and what to do; null if they can, or none are asked for. */
export function contaminationProblem(config: Config, asked: Asked): string | null {
  const { contamination, fidelity, model, config: file, for: forMs } = asked;
  if (contamination === 0) return null;
  const { data } = config.venue.embedded;
  if (forMs < HOURS_MIN * HOUR_MS)
    return `--contamination compares hours, and --for ${formatSpan(forMs)} has too few: make it ${HOURS_MIN}h or longer, such as --for 12h`;
  if (fidelity === "full" && model === "replay")
    return "--contamination with --model replay: recorded replies answer the questions of the true market, so none fits a disguised one. Use --model live, or --model practice to try the command out";
  if (fidelity === "full" && data === undefined)
    return "--contamination in a full run needs recorded data: a generated market has no past that a model could remember. Add --data and --from";
  if (Object.keys(config.sources).length > 0)
    return `--contamination: ${file} names sources, whose data would show the true names and dates: remove them for this run`;
  return null;
}

/** What the disguised runs share with the plain ones. */
export interface ContaminationOptions {
  readonly config: Config;
  readonly options: BacktestOptions;
  /** Start of the plain runs. */
  readonly fromMs: number;
  /** The bars of fast runs. */
  readonly bars: readonly Recorded[];
  /** Of the plain runs too, so that one budget covers all. */
  readonly modelsOf: ModelsOfRun;
}

/** The runs of one disguise. */
const inDisguise = (disguise: Disguise, { options, fromMs, bars, modelsOf }: ContaminationOptions): RunOne =>
  options.fidelity === "full"
    ? fullRuns({ options, fromMs: fromMs + disguise.shiftMs, modelsOf, disguise: marketDisguise(disguise) })
    : fastRuns(
        bars.map((each) => shownBars(disguise, each)),
        { fromMs: fromMs + disguise.shiftMs, forMs: options.for },
      );

/** The disguise of that number, from 1; the same for all strategies of a seed. */
export const disguiseOf = (config: Config, seed: number, number: number): Disguise =>
  drawDisguise(basesOf(config), seededEntropy(`contamination:${seed}:${number}`));

/** Repeats every plain run in each disguise. The error says what kept a run from starting. */
export async function contaminationGaps(
  plain: readonly TradedRun[],
  given: ContaminationOptions,
): Promise<Result<readonly ContaminationGap[], string>> {
  const { config, options } = given;
  const { contamination: count, seed, for: forMs } = options;
  const disguised = new Map(plain.map(({ strategy }) => [strategy, [] as TradedRun[]]));
  for (let number = 1; number <= count; number++) {
    const disguise = disguiseOf(config, seed, number);
    const [shown, runOne] = [shownConfig(disguise, config), inDisguise(disguise, given)];
    for (const { strategy } of plain) {
      const own = { ...shown, strategy: { ...shown.strategy, use: strategy } };
      const run = await runOne(own, progressOf(`${strategy}, disguise ${number} of ${count}`, forMs), null);
      if (!run.ok) return err(`disguise ${number} of ${count}: ${run.error}`);
      disguised.get(strategy)?.push(run.value);
    }
  }
  return ok(
    plain.map((run) =>
      gapOf(run, disguised.get(run.strategy) ?? [], seededEntropy(`contamination:${seed}:${run.strategy}`)),
    ),
  );
}

const percent = (fraction: number | null): string => (fraction === null ? "-" : `${(fraction * 100).toFixed(2)} %`);

const WORDS: Readonly<Record<ReturnType<typeof verdictOf>, string>> = {
  memory: "earns more where names, dates and prices are true: this much may be memory",
  none: "no memory shown",
  reverse: "earns less where they are true: knowledge that misleads, or luck",
  unknown: "",
};

/** The table, and how to read it. */
export function contaminationText(gaps: readonly ContaminationGap[]): string {
  const headings = ["strategy", "return", "disguised, mean", "lowest", "highest", "gap", "95 %", "verdict"];
  const rows = gaps.map((found) => {
    const { strategy, plainReturn, disguisedReturns, gap, interval, problem } = found;
    return [
      strategy,
      percent(plainReturn),
      percent(mean([...disguisedReturns])),
      percent(Math.min(...disguisedReturns)),
      percent(Math.max(...disguisedReturns)),
      percent(gap),
      interval === null ? "-" : `${percent(interval.low)} .. ${percent(interval.high)}`,
      problem ?? WORDS[verdictOf(found)],
    ];
  });
  const [any] = gaps;
  const unit = any?.periodMs === DAY_MS ? "day" : "hour";
  const text = `Contamination: ${counted(any?.disguisedReturns.length ?? 0, "disguised run")} of each strategy, with made-up names, other dates and rescaled prices; the interval is over ${counted(any?.periods ?? 0, `paired ${unit}`)}. The shape of the chart is not disguised.`;
  return `${resultTable(headings, rows)}\n${text}`;
}
