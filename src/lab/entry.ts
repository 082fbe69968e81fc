/**
 * The package entry for notebooks and scripts: `import { backtest } from "ballast/lab"`. It runs a strategy, built in
 * or defined by the caller, over recorded or generated bars. docs/BACKTEST.md.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describeConfigProblem, readConfig } from "../config/read.ts";
import { loadStrategies } from "../control/strategies.ts";
import { toFloat } from "../core/decimal.ts";
import { parseInstant, parseSpan } from "../core/time.ts";
import { DEFAULT_EXCHANGES } from "../domain/symbol.ts";
import { untimed } from "../harness/untimed.ts";
import { PACKAGE_ROOT } from "../ops/paths.ts";
import { tradeFacts, type TradeFacts } from "../report/account/trades.ts";
import { readSettings } from "../strategy/registry.ts";
import type { Strategy } from "../strategy/strategy.ts";
import { competitionFigures } from "../domain/competition-figures.ts";
import type { EquityPoint } from "../domain/competition-figures.ts";
import { type FailedDecisions, figuresOf } from "./figures/run-figures.ts";
import { runFast } from "./fast/fast-run.ts";
import { barsFor } from "./runs/bars-for.ts";
import { configFor } from "./runs/practice-config.ts";

export type { EquityPoint } from "../domain/competition-figures.ts";
export type { FailedDecisions } from "./figures/run-figures.ts";
export type { TradeFacts } from "../report/account/trades.ts";

export interface LabOptions {
  /** The name of a built-in strategy, or one made by `defineStrategy`. */
  readonly strategy: Strategy | string;
  /** Settings of that strategy; its defaults where absent. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A span such as "12h" or "30d". */
  readonly for: string;
  /** A folder of docs/DATA-FORMAT.md; without one, a market is generated from `seed`. */
  readonly data?: string;
  readonly window?: string;
  /** ISO 8601 UTC; required with `data`. */
  readonly from?: string;
  /** Base assets; by default the universe of the configuration. */
  readonly symbols?: readonly string[];
  readonly seed?: number;
  /** Configuration file: limits, cadence, fees by profile. By default the program's config/backtest.yaml. */
  readonly config?: string;
}

/** Fractions are of 1. Money is USDT as floats: for display, not for accounting. */
export interface LabResult {
  readonly endUsdt: number;
  readonly returnFraction: number;
  readonly maxDrawdown: number;
  /** Annualised over the organiser's days; null with fewer than two. */
  readonly sharpe: number | null;
  readonly eliminated: boolean;
  readonly decisions: number;
  /**
   * Decisions in which the strategy threw or returned an invalid answer, so that the fallback decided; null if there
   * were none.
   */
  readonly failures: FailedDecisions | null;
  readonly fills: number;
  readonly feesUsdt: number;
  readonly fundingUsdt: number;
  /** One point a minute. */
  readonly equity: readonly EquityPoint[];
  /** Closed trades, oldest first. */
  readonly trades: readonly TradeFacts[];
}

/** Start of generated markets. */
const MADE_FROM = "2026-01-05T00:00:00Z";
const DEFAULT_CONFIG = path.join(PACKAGE_ROOT, "config/backtest.yaml");

function demand<T>(value: T | null, problem: string): T {
  if (value === null) throw new RangeError(problem);
  return value;
}

/** Rejects with a RangeError that names the option, setting or file, and the rule it breaks. */
export async function backtest(options: LabOptions): Promise<LabResult> {
  const { data, window, strategy, seed = 1 } = options;
  const forMs = demand(parseSpan(options.for), `for: ${options.for} is not a span; write 12h or 30d`);
  if (data !== undefined && options.from === undefined) throw new RangeError("from is needed with data");
  const from = options.from ?? MADE_FROM;
  const fromMs = demand(parseInstant(from), `from: ${from} is not a time; write 2025-06-12T00:00:00Z`);
  const file = options.config ?? DEFAULT_CONFIG;
  const read = readConfig(readFileSync(file, "utf8"));
  if (!read.ok) throw new RangeError(read.error.map((problem) => describeConfigProblem(file, problem)).join("\n"));
  const base = configFor(read.value, { data, window, from: options.from, symbols: options.symbols?.join(",") });
  const use = typeof strategy === "string" ? strategy : "hold";
  const own = options.settings === undefined ? {} : { [use]: { ...options.settings } };
  const settings = typeof strategy === "string" ? { ...base.strategy.settings, ...own } : {};
  const config = { ...base, strategy: { ...base.strategy, use, fallback: "hold", shadows: [], settings } };
  const bars = barsFor(config, DEFAULT_EXCHANGES, { fromMs, forMs, seed });
  if (!bars.ok) throw new RangeError(bars.error);
  const run = runFast({
    config,
    strategies: await armed(config, options),
    recorded: bars.value,
    fromMs,
    forMs,
    exchanges: DEFAULT_EXCHANGES,
  });
  const { returnFraction, maxDrawdown } = figuresOf(run.points);
  return {
    endUsdt: run.points.at(-1)?.equityUsdt ?? 0,
    returnFraction,
    maxDrawdown,
    sharpe: competitionFigures(run.points).sharpe,
    eliminated: run.eliminated,
    decisions: run.decisions,
    failures: run.failures,
    fills: run.executions,
    feesUsdt: toFloat(run.feesUsdt),
    fundingUsdt: toFloat(run.fundingUsdt),
    equity: run.points,
    trades: run.trades.map((trade) => tradeFacts(trade, () => null)),
  };
}

async function armed(config: Parameters<typeof loadStrategies>[0], { strategy, settings }: LabOptions) {
  const loaded = await loadStrategies(config);
  if (!loaded.ok) throw new RangeError(loaded.error);
  if (typeof strategy === "string") return untimed(loaded.value);
  const checked = readSettings(strategy, settings ?? {});
  if (!checked.ok) throw new RangeError(checked.error);
  return untimed({ ...loaded.value, chosen: { strategy, settings: checked.value } });
}
