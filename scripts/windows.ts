/**
 * `npm run windows -- --data DIR`: rules over all recorded windows, in stretches of at most 28 days. Prints the tables of
 * docs/STRATEGIES.md: one row a stretch, then each rule over all its days with the deflated Sharpe ratio. Intervals are
 * 95 %.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { mean } from "simple-statistics";
import { readConfig } from "../src/config/read.ts";
import { loadStrategies } from "../src/control/strategies.ts";
import { DAY_MS } from "../src/core/time.ts";
import { momentsOf, type ReturnMoments, sharpeError } from "../src/domain/return-moments.ts";
import { DEFAULT_EXCHANGES } from "../src/domain/symbol.ts";
import { untimed } from "../src/harness/untimed.ts";
import { type FastRun, runFast } from "../src/lab/fast/fast-run.ts";
import { dailyReturns, figuresOf } from "../src/lab/figures/run-figures.ts";
import { deflatedSharpe, probabilisticSharpe } from "../src/lab/figures/sharpe.ts";
import { competitionFigures } from "../src/domain/competition-figures.ts";
import { barsFor } from "../src/lab/runs/bars-for.ts";
import { configFor } from "../src/lab/runs/practice-config.ts";
import { HOURLY, MINUTES, type Source, SPOT_MINUTES, stretchesOf } from "./windows/sources.ts";

const USAGE = `npm run windows -- --data DIR [--bars hours,minutes] [--strategies a,b] [--trials N]
--trials: the number of rules and variants that were tried, for the deflated Sharpe ratio (default: the number of strategies)
Example: npm run windows -- --data recordings --bars minutes --strategies trend-carry,momentum`;
const STRETCH_DAYS = 28;
/** Two-sided 95 % of the normal distribution. */
const Z = 1.96;
const YEAR = Math.sqrt(365);

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    bars: { type: "string", default: "hours" },
    strategies: { type: "string", default: "trend-carry" },
    trials: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What one rule did in one stretch. */
interface Played {
  readonly source: Source;
  readonly run: FastRun;
}

const SOURCES: Readonly<Record<string, readonly Source[]>> = { hours: HOURLY, minutes: [...MINUTES, ...SPOT_MINUTES] };

/** With hourly bars, fifteen minutes between decisions suffice for a rule that rebalances. */
function configOf(bars: string) {
  const text = readFileSync("config/backtest.yaml", "utf8");
  const read = readConfig(bars === "hours" ? text.replace("every: 5m", "every: 15m") : text);
  if (!read.ok) throw new Error(read.error.map(({ message }) => message).join("; "));
  return read.value;
}

async function playOne(data: string, strategy: string, bars: string, source: Source): Promise<Played> {
  const { window, symbols, from, days } = source;
  const base = configFor(configOf(bars), { data, window, from, symbols });
  const config = { ...base, strategy: { ...base.strategy, use: strategy, fallback: "hold", shadows: [] } };
  const [fromMs, forMs] = [Date.parse(`${from}T00:00:00Z`), days * DAY_MS];
  const recorded = barsFor(config, DEFAULT_EXCHANGES, { fromMs, forMs, seed: 1 });
  if (!recorded.ok) throw new Error(recorded.error);
  const strategies = await loadStrategies(config);
  if (!strategies.ok) throw new Error(strategies.error);
  const run = runFast({
    ...{ config, recorded: recorded.value, fromMs, forMs },
    strategies: untimed(strategies.value),
    exchanges: DEFAULT_EXCHANGES,
  });
  return { source, run };
}

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)} %`;

function sharpeText(moments: ReturnMoments | null): string {
  if (moments === null) return "";
  const [ratio, reach] = [moments.sharpe * YEAR, sharpeError(moments) * Z * YEAR];
  return `${ratio.toFixed(2)} (${(ratio - reach).toFixed(2)} to ${(ratio + reach).toFixed(2)})`;
}

/** Value of a day's fills over the mean equity. */
const turnoverOf = ({ source, run }: Played): number =>
  run.tradedUsdt / mean(run.points.map(({ equityUsdt }) => equityUsdt)) / source.days;

/** Fees as a share of equity, at the pace of a year. */
const costOf = ({ source, run }: Played): number =>
  (run.feesUsdt.toNumber() / mean(run.points.map(({ equityUsdt }) => equityUsdt)) / source.days) * 365;

function rowOf(strategy: string, played: Played): string {
  const { source, run } = played;
  const figures = figuresOf(run.points);
  const organiser = competitionFigures(run.points);
  return [
    ...[source.window, source.from, strategy, percent(figures.returnFraction)],
    ...[sharpeText(momentsOf(dailyReturns(run.points))), organiser.sharpe?.toFixed(2) ?? ""],
    ...[percent(figures.maxDrawdown), percent(organiser.maxDrawdown)],
    ...[run.feesUsdt.toNumber().toFixed(2), run.fundingUsdt.toNumber().toFixed(2), turnoverOf(played).toFixed(2)],
    `${run.closedPositions}, ${run.winRate === null ? "-" : `${Math.round(run.winRate * 100)} %`}`,
  ].join(" | ");
}

function pooledRow(strategy: string, all: readonly Played[], trials: number): string {
  const returns = all.flatMap(({ run }) => dailyReturns(run.points));
  const made = all.map(({ run }) => figuresOf(run.points).returnFraction);
  const moments = momentsOf(returns);
  // The ratios of useless rules have this variance over as many days.
  const spread = moments ? 1 / (moments.count - 1) : 0;
  return [
    ...[strategy, `${made.filter((one) => one > 0).length} of ${made.length}`, percent(mean(made))],
    ...[String(returns.length), sharpeText(moments)],
    moments ? probabilisticSharpe(moments).toFixed(2) : "",
    moments ? deflatedSharpe(moments, trials, spread).toFixed(2) : "",
    percent(Math.max(...all.map(({ run }) => figuresOf(run.points).maxDrawdown))),
    Math.max(...all.map(turnoverOf)).toFixed(2),
    percent(Math.max(...all.map(costOf))),
  ].join(" | ");
}

function heading(...names: readonly string[]): void {
  say(`\n| ${names.join(" | ")} |\n| ${names.map(() => "---").join(" | ")} |`);
}

async function measure(data: string): Promise<void> {
  const strategies = values.strategies.split(",");
  const trials = Number(values.trials ?? strategies.length);
  for (const bars of values.bars.split(",")) {
    const stretches = (SOURCES[bars] ?? []).flatMap((source) => stretchesOf(source, STRETCH_DAYS));
    heading(
      ...["window", "from", "strategy", "return", "Sharpe (95 %)", "organiser's", "drawdown", "hourly"],
      ...["fees USDT", "funding USDT", "turnover a day", "closed, won"],
    );
    const found = new Map<string, Played[]>();
    for (const strategy of strategies)
      for (const source of stretches) {
        const played = await playOne(data, strategy, bars, source);
        found.set(strategy, [...(found.get(strategy) ?? []), played]);
        say(`| ${rowOf(strategy, played)} |`);
      }
    heading(
      ...["strategy", "gains", "mean return", "days", "Sharpe (95 %)", "above zero", `deflated, ${trials} tried`],
      ...["largest drawdown", "largest turnover a day", "largest fees a year"],
    );
    for (const [strategy, all] of found) say(`| ${pooledRow(strategy, all, trials)} |`);
  }
}

if (values.help || values.data === undefined) say(USAGE);
else await measure(values.data);
