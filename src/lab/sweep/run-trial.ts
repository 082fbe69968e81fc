/** Runs one trial on the calling thread; `worker.ts` calls it on a thread of its own. */
import { parseDocument } from "yaml";
import type { Strategies } from "../../agent/contract/events.ts";
import type { Config } from "../../config/config.ts";
import { describeConfigProblem, readConfig } from "../../config/read.ts";
import { loadStrategies } from "../../control/strategies.ts";
import { hashOf } from "../../core/hash.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { isoTime } from "../../core/time.ts";
import { DEFAULT_EXCHANGES } from "../../domain/symbol.ts";
import { untimed } from "../../harness/untimed.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { runFast } from "../fast/fast-run.ts";
import { barsFor } from "../runs/bars-for.ts";
import { configFor } from "../runs/practice-config.ts";
import { programVersion } from "../sheet/run-about.ts";
import { resultOf, type Trial, type TrialResult } from "./trial.ts";

/** Bars of the last requested market, because trials of one stretch run one after the other. */
let last: { readonly name: string; readonly bars: Result<readonly Recorded[], string> } | null = null;

interface ArmedTrial {
  readonly config: Config;
  readonly strategies: Strategies;
  readonly code: string;
}

type Unarmed = Omit<Trial, "stretch" | "code">;

/** The configuration of a trial; the error names file, setting and rule. */
export function configOf({ text, strategy, candidate, market }: Unarmed): Result<Config, string> {
  const document = parseDocument(text);
  for (const [path, value] of Object.entries(candidate)) document.setIn(path.split("."), value);
  const read = readConfig(String(document));
  if (!read.ok) return err(read.error.map((problem) => describeConfigProblem("the candidate", problem)).join("\n"));
  const config = configFor(read.value, market);
  return ok({ ...config, strategy: { ...config.strategy, use: strategy, shadows: [] } });
}

const codeOf = ({ chosen }: Strategies): string => hashOf([programVersion(), chosen.code ?? null]);

/** The configuration and the strategies of a trial, or why it can have no result. */
export async function armedFor(trial: Unarmed): Promise<Result<ArmedTrial, string>> {
  const config = configOf(trial);
  if (!config.ok) return config;
  const strategies = await loadStrategies(config.value);
  if (!strategies.ok) return strategies;
  return strategies.value.chosen.strategy.needsModel
    ? err(`${trial.strategy} asks a model, and a sweep has none; name a rule with --strategies`)
    : ok({ config: config.value, strategies: strategies.value, code: codeOf(strategies.value) });
}

/**
 * The error says why there is no result. If the strategy fails in a decision, the fallback decides as in live trading,
 * so the result says nothing about the candidate.
 */
export async function runTrial(trial: Trial): Promise<Result<TrialResult, string>> {
  const armed = await armedFor(trial);
  if (!armed.ok) return armed;
  const { config, strategies, code } = armed.value;
  if (code !== trial.code)
    return err(`${trial.strategy} was edited during the sweep; run the same command again to try it as it is now`);
  const { fromMs, forMs, seed } = trial.stretch;
  const name = JSON.stringify([trial.market, config.universe, fromMs, forMs, seed]);
  if (last?.name !== name) {
    const bars = barsFor(config, DEFAULT_EXCHANGES, { fromMs, forMs, seed });
    last = { name, bars };
  }
  if (!last.bars.ok) return last.bars;
  try {
    const run = runFast({
      config,
      strategies: untimed(strategies),
      recorded: last.bars.value,
      fromMs,
      forMs,
      exchanges: DEFAULT_EXCHANGES,
    });
    if (run.failures === null) return ok(resultOf(run));
    const { count, firstMs, reason } = run.failures;
    return err(
      `${trial.strategy} failed in ${count} of ${run.decisions} decisions, first at ${isoTime(firstMs)}: ${reason}`,
    );
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
}
