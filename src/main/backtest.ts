/** `ballast backtest`: one run a strategy over the same stretch of market, and their figures side by side. */
import type { Config } from "../config/config.ts";
import { loadStrategies } from "../control/strategies.ts";
import { loadConfig } from "../control/watch-config.ts";
import { err, ok, type Result } from "../core/result.ts";
import { formatSpan, MINUTE_MS, parseInstant } from "../core/time.ts";
import { DEFAULT_EXCHANGES } from "../domain/symbol.ts";
import { type BacktestOptions, resultTable } from "../faces/cli/backtest-command.ts";
import { stopwatch } from "../harness/rehearsal.ts";
import { untimed } from "../harness/untimed.ts";
import { runFast } from "../lab/fast/fast-run.ts";
import type { BacktestRun } from "../lab/figures/run-figures.ts";
import { cellsOf, HEADINGS, resultRows } from "../lab/figures/table.ts";
import { barsFor } from "../lab/runs/bars-for.ts";
import { configFor } from "../lab/runs/practice-config.ts";
import { runFull } from "../lab/runs/full-run.ts";
import { EXIT } from "../ops/exit-codes.ts";

/** Where made markets begin: far from a funding, on a working day. */
const MADE_START_MS = Date.UTC(2026, 0, 5, 9, 30);
/** Some twenty prices a minute: enough for bars, and ten times cheaper to make than the steps of a full run. */
const MADE_STEP_MS = 5 * MINUTE_MS;
const PROGRESS_EVERY_MS = 500;

const say = (text: string): void => void process.stderr.write(text);

/** Results on standard output, progress on standard error. A run that died early is shown with its cause. */
export async function backtestProgram(options: BacktestOptions): Promise<number> {
  const loaded = loadConfig(options.config);
  if (!loaded.ok) return complain(EXIT.config, loaded.error.join("\n"));
  const config = configFor(loaded.value, options);
  const startMs = startOf(config, options);
  if (!startMs.ok) return complain(EXIT.usage, startMs.error);
  const { profile } = config.venue.embedded;
  say(`venue: profile ${profile}\n`);
  const names = options.strategies?.split(",").map((name) => name.trim()) ?? ["hold", config.strategy.use];
  const runs: BacktestRun[] = [];
  const runOne =
    options.fidelity === "full" ? fullRuns(options, startMs.value) : fastRuns(config, options, startMs.value);
  if (!runOne.ok) return complain(EXIT.config, runOne.error);
  for (const name of new Set(names)) {
    const run = await runOne.value(
      { ...config, strategy: { ...config.strategy, use: name } },
      progressOf(name, options.for),
    );
    if (!run.ok) return complain(EXIT.config, run.error);
    runs.push(run.value);
  }
  show(runs, options, profile);
  return EXIT.ok;
}

type RunOne = (config: Config, progress: Progress) => Promise<Result<BacktestRun, string>>;

/** Every strategy sees the same bars, read or made once. */
function fastRuns(config: Config, options: BacktestOptions, fromMs: number): Result<RunOne, string> {
  if (options.keep !== undefined)
    return err("--keep: a fast run keeps no journal; add --fidelity full, or leave --keep out");
  if (Object.keys(config.sources).length > 0)
    return err(
      `${options.config} names sources, which a fast run does not read: add --fidelity full, or take them out`,
    );
  const { for: forMs, seed } = options;
  const bars = barsFor(config, DEFAULT_EXCHANGES, { fromMs, forMs, seed, beatMs: MADE_STEP_MS });
  if (!bars.ok) return bars;
  return ok(async (own, progress) => {
    const strategies = await loadStrategies({ ...own, strategy: { ...own.strategy, shadows: [] } });
    if (!strategies.ok) return strategies;
    if (strategies.value.chosen.strategy.needsModel)
      return err(`${own.strategy.use} asks a model, which a fast run has none of: add --fidelity full`);
    const run = runFast({
      config: own,
      strategies: untimed(strategies.value),
      recorded: bars.value,
      fromMs,
      forMs,
      exchanges: DEFAULT_EXCHANGES,
      onMinute: progress.minute,
    });
    progress.end();
    return ok(run);
  });
}

const fullRuns = (options: BacktestOptions, fromMs: number): Result<RunOne, string> =>
  ok(async (config, progress) => {
    const { for: forMs, seed, beat: beatMs, keep } = options;
    const kept = keep === undefined ? {} : { keep };
    const run = await runFull({ config, fromMs, forMs, seed, beatMs, ...kept, onMinute: progress.minute });
    progress.end();
    return run;
  });

interface Progress {
  readonly minute: (done: number, equityUsdt: number) => void;
  readonly end: () => void;
}

function progressOf(strategy: string, forMs: number): Progress {
  const elapsed = stopwatch();
  const { isTTY } = process.stderr;
  let reportedMs = 0;
  return {
    minute: (done, equityUsdt) => {
      if (!isTTY || elapsed() - reportedMs < PROGRESS_EVERY_MS) return;
      reportedMs = elapsed();
      const left = formatSpan(Math.round((elapsed() * (1 - done)) / done / 1_000) * 1_000);
      say(`\r${strategy}: ${Math.round(done * 100)} %, equity ${equityUsdt.toFixed(2)} USDT, ${left} to go   `);
    },
    end: () => {
      const speed = Math.round(forMs / Math.max(1, elapsed()));
      say(
        `${isTTY ? "\r" : ""}${strategy}: ${formatSpan(forMs)} in ${formatSpan(Math.round(elapsed()))} (${speed}x)\n`,
      );
    },
  };
}

const complain = (code: number, text: string): number => {
  say(`ballast: ${text}\n`);
  return code;
};

/** Recorded data may be the file's; without any, `--from` is where the made market begins. */
function startOf({ venue }: Config, { window, from: asked }: BacktestOptions): Result<number, string> {
  const { data } = venue.embedded;
  if (data === undefined && window !== undefined)
    return err(`--window ${window} is a window of recorded data: name its folder with --data`);
  const from = data === undefined ? asked : venue.embedded.from;
  if (from === undefined) {
    return data === undefined ? ok(MADE_START_MS) : err("--data needs --from, such as --from 2025-06-12T00:00:00Z");
  }
  const ms = parseInstant(from);
  return ms === null ? err(`--from must be ISO 8601 UTC such as 2025-06-12T00:00:00Z, found ${from}`) : ok(ms);
}

function show(
  runs: readonly BacktestRun[],
  { format, fidelity, beat, for: forMs, data, window, from, seed }: BacktestOptions,
  profile: string,
): void {
  const rows = resultRows(runs);
  if (format === "json") {
    const market = data === undefined ? { made: true, seed } : { data, window, from };
    process.stdout.write(`${JSON.stringify({ market, profile, fidelity, forMs, beatMs: beat, rows }, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${resultTable(HEADINGS, rows.map(cellsOf))}\n`);
  const best = rows.find(({ strategy }) => strategy !== "hold");
  if (best && best.returnFraction <= 0) {
    process.stdout.write("No strategy beat doing nothing on this stretch. One stretch proves little either way.\n");
  }
}
