/** `ballast backtest`: one run per strategy over the same period, with their figures side by side. */
import path from "node:path";
import type { Config } from "../../config/config.ts";
import { loadScoring, SCORING_FILE } from "../../control/scoring-file.ts";
import { loadStrategies } from "../../control/strategies.ts";
import { loadConfig } from "../../control/watch-config.ts";
import { systemClock } from "../../core/clock.ts";
import { toFloat } from "../../core/decimal.ts";
import { seededEntropy } from "../../core/entropy.ts";
import { timedIds } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { parseInstant } from "../../core/time.ts";
import { OPENING_LEVERAGE_MAX } from "../../domain/competition.ts";
import type { Scoring } from "../../domain/scoring.ts";
import { DEFAULT_EXCHANGES } from "../../domain/symbol.ts";
import type { BacktestOptions } from "../../faces/cli/backtest-command.ts";
import { resultTable } from "../../faces/cli/result-table.ts";
import type { ContaminationGap } from "../../lab/disguise/gap.ts";
import type { BacktestRun, TradedRun } from "../../lab/figures/run-figures.ts";
import { cellsOf, HEADINGS, resultRows } from "../../lab/figures/table.ts";
import { modelsFor } from "../../lab/models/choose-models.ts";
import { configFor } from "../../lab/runs/practice-config.ts";
import { makeRunFolder, writeRunFiles } from "../../lab/runs/run-files.ts";
import { type PoolRanking, placeOf, rivalMarketOf } from "../../lab/score/place.ts";
import { marketBars } from "../../lab/sheet/market-bars.ts";
import { writeReportFiles } from "../../lab/sheet/report-files.ts";
import { type GivenRun, sheetData } from "../../lab/sheet/sheet-run.ts";
import { EXIT } from "../../ops/exit-codes.ts";
import { DEFAULT_SETTINGS } from "../../sim/exchange/contract/settings.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { profileNamed } from "../../sim/profiles.ts";
import { fastRuns, fullRuns, ONCE, type Repeats, say, sheetOf } from "./backtest-runs.ts";
import { contaminationGaps, contaminationProblem, contaminationText } from "./contamination.ts";

/** Start of generated markets: far from a funding time, on a working day. */
const MADE_START_MS = Date.UTC(2026, 0, 5, 9, 30);
/** Pools of rivals that a run is ranked in. */
const POOLS = 20;

/** Results on standard output, progress on standard error. A run that ended early is shown with its cause. */
export async function backtestProgram(options: BacktestOptions, repeats: Repeats = ONCE): Promise<number> {
  const loaded = loadConfig(options.config);
  if (!loaded.ok) return complain(EXIT.config, loaded.error.join("\n"));
  const config = configFor(loaded.value, options);
  const startMs = startOf(config, options);
  if (!startMs.ok) return complain(EXIT.usage, startMs.error);
  const { profile } = config.venue.embedded;
  say(`venue: profile ${profile}\n`);
  const names = options.strategies?.split(",").map((name) => name.trim()) ?? ["hold", await ownRule(config, options)];
  const problem = fastProblem(config, options) ?? contaminationProblem(config, options);
  if (problem !== null) return complain(EXIT.usage, problem);
  const clock = systemClock();
  const entropy = seededEntropy(`${process.pid}:${clock.nowMs()}`);
  const models = await modelsFor(names, options, {
    ...{ config, variables: process.env, say: (text) => say(`${text}\n`) },
    env: { clock, entropy, ids: timedIds(clock.nowMs, entropy) },
  });
  if (!models.ok) return complain(EXIT.usage, models.error);
  const scoring = loadScoring(options.scoring ?? SCORING_FILE);
  if (!scoring.ok) return complain(EXIT.config, scoring.error);
  // A full run without rivals and report plays its market itself.
  const period = { fromMs: startMs.value, forMs: options.for, seed: options.seed };
  const asked = options.fidelity === "fast" || options.rivals > 0 || options.out !== undefined;
  const bars = asked ? repeats.bars(config, DEFAULT_EXCHANGES, period) : ok([]);
  if (!bars.ok) return complain(EXIT.config, bars.error);
  // Now and not at the end, where a folder that takes no files would cost the results of the whole run.
  const folder = options.out === undefined ? ok(undefined) : makeRunFolder(options.out);
  if (!folder.ok) return complain(EXIT.usage, folder.error);
  const runs: TradedRun[] = [];
  const sheets: GivenRun[] = [];
  const fromMs = startMs.value;
  const runOne =
    options.fidelity === "full"
      ? fullRuns({ options, fromMs, modelsOf: models.value })
      : fastRuns(bars.value, period, repeats);
  for (const name of new Set(names)) {
    const own = { ...config, strategy: { ...config.strategy, use: name } };
    const sheet = options.out === undefined ? null : sheetOf(own, { ...period, options, bars: bars.value });
    const run = await runOne(own, repeats.progress(name, options.for), sheet?.collector ?? null);
    if (!run.ok) return complain(EXIT.config, run.error);
    runs.push(run.value);
    if (sheet) sheets.push(sheet.given(run.value));
  }
  const places = options.rivals > 0 ? placed(runs, { config, bars: bars.value, options, scoring: scoring.value }) : [];
  const market = { config, options, fromMs, bars: bars.value, modelsOf: models.value };
  const gaps = options.contamination > 0 ? await contaminationGaps(runs, market) : ok([]);
  if (!gaps.ok) return complain(EXIT.config, gaps.error);
  show(runs, { places, gaps: gaps.value }, { options, profile });
  if (options.out === undefined) return EXIT.ok;
  const contamination = gaps.value.length > 0 ? { contamination: gaps.value } : {};
  const kept = writeRunFiles(options.out, runs, { ...aboutRun(options, profile), ...contamination });
  if (!kept.ok) return complain(EXIT.failed, kept.error);
  const title = `Backtest: ${runs.map(({ strategy }) => strategy).join(", ")}`;
  const report = writeReportFiles(options.out, sheetData(title, sheets, bars.value.map(marketBars)));
  if (!report.ok) return complain(EXIT.failed, report.error);
  say(`report: ${path.join(options.out, "report.html")}\n`);
  return EXIT.ok;
}

/** The settings needed to repeat the run. */
const aboutRun = (
  { fidelity, beat, for: forMs, data, window, from, seed, config, symbols }: BacktestOptions,
  profile: string,
): object => ({
  market: data === undefined ? { made: true, seed } : { data, window, from },
  ...{ profile, fidelity, forMs, beatMs: beat, config, symbols },
});

/** The file's strategy, or its fallback if the run is fast and the strategy asks a model. */
async function ownRule(config: Config, { fidelity }: BacktestOptions): Promise<string> {
  const { use, fallback } = config.strategy;
  const loaded = fidelity === "fast" ? await loadStrategies(config) : null;
  if (!loaded?.ok || !loaded.value.chosen.strategy.needsModel) return use;
  say(`${use} asks a model, and a fast run has none: its fallback ${fallback} runs instead (or use --fidelity full)\n`);
  return fallback;
}

/** The first option that a fast run does not support; null if there is none. */
function fastProblem(config: Config, { fidelity, keep, config: file }: BacktestOptions): string | null {
  if (fidelity === "full") return null;
  if (keep !== undefined) return "--keep: a fast run keeps no journal; add --fidelity full, or omit --keep";
  if (Object.keys(config.sources).length === 0) return null;
  return `${file} names sources, which a fast run does not read: add --fidelity full, or remove them`;
}

interface NamedPlace extends PoolRanking {
  readonly strategy: string;
}

function placed(
  runs: readonly BacktestRun[],
  given: {
    readonly config: Config;
    readonly bars: readonly Recorded[];
    readonly options: BacktestOptions;
    readonly scoring: Scoring;
  },
): readonly NamedPlace[] {
  const { config, bars, options, scoring } = given;
  const { perpFees } = { ...DEFAULT_SETTINGS, ...profileNamed(config.venue.embedded.profile).settings };
  const [first] = runs;
  const market = rivalMarketOf(bars, {
    fromMs: first?.points[0]?.atMs ?? 0,
    forMs: options.for,
    takerFee: toFloat(perpFees.taker),
  });
  return runs.map(({ strategy, points }) => ({
    strategy,
    ...placeOf(points, {
      ...{ market, scoring, pools: POOLS, seed: options.seed, count: options.rivals },
      leverageMax: OPENING_LEVERAGE_MAX[config.phase],
      eliminationUsdt: scoring.eliminationUsdt,
    }),
  }));
}

const complain = (code: number, text: string): number => {
  say(`ballast: ${text}\n`);
  return code;
};

/** Recorded data may come from the file; without any, `--from` is the start of the generated market. */
function startOf({ venue }: Config, { window, from: asked }: BacktestOptions): Result<number, string> {
  const { data } = venue.embedded;
  if (data === undefined && window !== undefined)
    return err(`--window ${window} is a window of recorded data: add its folder with --data`);
  const from = data === undefined ? asked : venue.embedded.from;
  if (from === undefined) {
    return data === undefined ? ok(MADE_START_MS) : err("--data needs --from, such as --from 2025-06-12T00:00:00Z");
  }
  const ms = parseInstant(from);
  return ms === null ? err(`--from must be ISO 8601 UTC such as 2025-06-12T00:00:00Z, found ${from}`) : ok(ms);
}

function show(
  runs: readonly BacktestRun[],
  { places, gaps }: { readonly places: readonly NamedPlace[]; readonly gaps: readonly ContaminationGap[] },
  { options, profile }: { readonly options: BacktestOptions; readonly profile: string },
): void {
  const rows = resultRows(runs);
  if (options.format === "json") {
    const shown = {
      ...aboutRun(options, profile),
      rows,
      ...(places.length > 0 ? { places } : {}),
      ...(gaps.length > 0 ? { contamination: gaps } : {}),
    };
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${resultTable(HEADINGS, rows.map(cellsOf))}\n`);
  if (places.length > 0) process.stdout.write(`${placesText(places)}\n`);
  if (gaps.length > 0) process.stdout.write(`${contaminationText(gaps)}\n`);
  const best = rows.find(({ strategy }) => strategy !== "hold");
  if (best && best.returnFraction <= 0) {
    process.stdout.write("No strategy beat doing nothing in this period. One period proves little either way.\n");
  }
}

function placesText(places: readonly NamedPlace[]): string {
  const [any] = places;
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const rows = [...places]
    .sort((a, b) => b.composite - a.composite)
    .map(({ strategy, composite, percentile, percentileLow, percentileHigh, topThree, eliminated }) => [
      strategy,
      composite.toFixed(1),
      percentile.toFixed(0),
      `${percentileLow.toFixed(0)} .. ${percentileHigh.toFixed(0)}`,
      percent(topThree),
      eliminated ? "eliminated" : "",
    ]);
  const table = resultTable(["strategy", "score", "percentile", "90 % range", "in the top three", "ended early"], rows);
  return `${table}\nAmong ${any?.rivals ?? 0} simulated rivals on the same bars, ${any?.pools ?? 0} pools; ${percent(any?.rivalsEliminated ?? 0)} of the rivals were eliminated.`;
}
