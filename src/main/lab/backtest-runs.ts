/** The runs of a backtest: one strategy over one period of a market, fast or full, with its progress on standard error. */
import { setImmediate } from "node:timers/promises";
import type { Strategies } from "../../agent/contract/events.ts";
import type { Config } from "../../config/config.ts";
import { loadStrategies } from "../../control/strategies.ts";
import { type Decimal, ONE, toFloat } from "../../core/decimal.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { formatSpan, isoTime } from "../../core/time.ts";
import { DEFAULT_EXCHANGES } from "../../domain/symbol.ts";
import type { BacktestOptions } from "../../faces/cli/backtest-command.ts";
import { stopwatch } from "../../harness/harness.ts";
import { leftText, progressLine } from "./progress-line.ts";
import { untimed } from "../../harness/untimed.ts";
import { beginFast, type FastRun, type FastRunUnderWay } from "../../lab/fast/fast-run.ts";
import type { FailedDecisions, TradedRun } from "../../lab/figures/run-figures.ts";
import type { ModelsOfRun } from "../../lab/models/choose-models.ts";
import { summaryText } from "../../lab/models/model-summary.ts";
import { barsFor, contractSizes, type RunPeriod } from "../../lab/runs/bars-for.ts";
import { runFull } from "../../lab/runs/full-run.ts";
import { runAbout } from "../../lab/sheet/run-about.ts";
import { collectRunRows, type RunRowsCollector, SHEET_KINDS } from "../../lab/sheet/run-rows.ts";
import type { GivenRun } from "../../lab/sheet/sheet-run.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import type { MarketDisguise } from "../../sim/options.ts";

export const say = (text: string): void => void process.stderr.write(text);

/** The configuration's strategy in use runs; the error is for people. */
export type RunOne = (
  config: Config,
  progress: Progress,
  rows: RunRowsCollector | null,
) => Promise<Result<TradedRun, string>>;

/** What the result of a fast run follows from. */
export interface FastInputs {
  readonly config: Config;
  readonly strategies: Strategies;
  readonly recorded: readonly Recorded[];
  readonly period: Pick<RunPeriod, "fromMs" | "forMs">;
}

/** What a process that repeats a backtest does in its own way. */
export interface Repeats {
  readonly bars: typeof barsFor;
  readonly progress: typeof progressOf;
  /** Makes a fast run, or returns an earlier one of the same inputs. */
  readonly run: (inputs: FastInputs, make: () => Promise<FastRun>) => Promise<FastRun>;
  /** Ends a fast run under way. */
  readonly signal: AbortSignal;
}

/** Each thing once. */
export const ONCE: Repeats = {
  bars: barsFor,
  progress: progressOf,
  run: (_inputs, make) => make(),
  signal: new AbortController().signal,
};

/** Every strategy sees the same bars. */
export const fastRuns =
  (recorded: readonly Recorded[], period: Pick<RunPeriod, "fromMs" | "forMs">, repeats = ONCE): RunOne =>
  async (config, progress, rows) => {
    const strategies = await loadStrategies({ ...config, strategy: { ...config.strategy, shadows: [] } });
    if (!strategies.ok) return strategies;
    if (strategies.value.chosen.strategy.needsModel)
      return err(`${config.strategy.use} asks a model, and a fast run has none: add --fidelity full`);
    const make = async (): Promise<FastRun> => {
      const underWay = beginFast({
        ...{ config, recorded, ...period },
        strategies: untimed(strategies.value),
        exchanges: DEFAULT_EXCHANGES,
        onMinute: progress.minute,
        ...(rows
          ? { onRow: ({ row, body, decisionId }, atMs) => rows.note({ kind: row, body, decisionId }, atMs) }
          : {}),
      });
      const made = await toItsEnd(underWay, repeats.signal);
      progress.end();
      return made;
    };
    // The rows of a report are collected while a run is made.
    const run = await (rows ? make() : repeats.run({ config, strategies: strategies.value, recorded, period }, make));
    if (run.failures !== null) say(failuresText(run, run.failures));
    return ok(run);
  };

/** Signals, saved files and keys are noticed this often. */
const PAUSE_EVERY_MS = 50;

async function toItsEnd(run: FastRunUnderWay, signal: AbortSignal): Promise<FastRun> {
  let worked = stopwatch();
  while (run.minute()) {
    if (worked() < PAUSE_EVERY_MS) continue;
    await setImmediate();
    signal.throwIfAborted();
    worked = stopwatch();
  }
  return run.result();
}

function failuresText({ strategy, decisions }: TradedRun, { count, firstMs, reason }: FailedDecisions): string {
  return `${strategy}: failed in ${count} of ${decisions} decisions, first at ${isoTime(firstMs)}: ${reason}. The fallback decided instead, so the result is not the strategy's own\n`;
}

/** What full runs have in common. Only a run without a disguise can be kept. */
export interface FullRuns {
  readonly options: Pick<BacktestOptions, "for" | "seed" | "beat" | "keep">;
  readonly fromMs: number;
  readonly modelsOf: ModelsOfRun;
  readonly disguise?: MarketDisguise;
}

export const fullRuns =
  ({ options, fromMs, modelsOf, disguise }: FullRuns): RunOne =>
  async (config, progress, rows) => {
    const { for: forMs, seed, beat: stepMs, keep } = options;
    const models = modelsOf();
    const run = await runFull({
      ...(models ? { models } : {}),
      ...{ config, fromMs, forMs, seed, stepMs },
      ...(disguise ? { disguise } : keep === undefined ? {} : { keep }),
      ...(rows ? { rows: { kinds: SHEET_KINDS, hear: (row) => rows.note(row, row.atMs) } } : {}),
      onMinute: progress.minute,
    });
    progress.end();
    if (models) say(`${config.strategy.use}: ${summaryText(models.summary())}\n`);
    return run;
  };

/** Collects the data of a run's report: its rows while it runs, and the run's settings. */
export function sheetOf(
  config: Config,
  given: { readonly options: BacktestOptions; readonly bars: readonly Recorded[]; readonly fromMs: number },
) {
  const { options, bars, fromMs } = given;
  const sizes = contractSizes(config, DEFAULT_EXCHANGES);
  const sizeOf = (symbol: string): Decimal => sizes.get(symbol) ?? ONE;
  const collector = collectRunRows(sizeOf);
  const { fidelity, for: forMs, seed, config: configFile } = options;
  return {
    collector,
    given: ({ strategy, points, models }: TradedRun): GivenRun => ({
      name: strategy,
      points,
      rows: collector.gathered(),
      about: runAbout(config, { configFile, fidelity, fromMs, forMs, seed, bars, models }),
      contractSize: (symbol) => toFloat(sizeOf(symbol)),
    }),
  };
}

export interface Progress {
  readonly minute: (done: number, equityUsdt: number) => void;
  readonly end: () => void;
}

export function progressOf(name: string, forMs: number): Progress {
  const line = progressLine();
  let played = 0;
  return {
    minute: (done, equityUsdt) => {
      played = done;
      line.show(() => {
        const left = leftText(line.elapsed(), done);
        return `${name}: ${Math.round(done * 100)} %, equity ${equityUsdt.toFixed(2)} USDT, ${left} to go`;
      });
    },
    end: () => {
      const playedMs = Math.round(forMs * played);
      const speed = Math.round(playedMs / Math.max(1, line.elapsed()));
      line.end(`${name}: ${formatSpan(playedMs)} in ${formatSpan(Math.round(line.elapsed()))} (${speed}x)`);
    },
  };
}
