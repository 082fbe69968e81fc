/** What a process that repeats a backtest need not make again: the market, and runs whose inputs have not changed. */
import { watchedOf } from "../../src/control/universe.ts";
import { homeExchange } from "../../src/domain/symbol.ts";
import type { FastRun } from "../../src/lab/fast/fast-run.ts";
import { barsFor } from "../../src/lab/runs/bars-for.ts";
import { type FastInputs, type Repeats, say } from "../../src/main/lab/backtest-runs.ts";

/** The market of the last configuration that had one. */
export function keptBars(): Repeats["bars"] {
  let kept: { readonly asked: string; readonly bars: ReturnType<typeof barsFor> } | null = null;
  return (config, exchanges, period) => {
    const { venue, phase } = config;
    const asked = JSON.stringify([venue, phase, watchedOf(config, homeExchange(exchanges)), exchanges, period]);
    if (kept?.asked === asked) return kept.bars;
    say("reading or making the market\n");
    const bars = barsFor(config, exchanges, period);
    if (bars.ok) kept = { asked, bars };
    return bars;
  };
}

/**
 * The last run of each strategy. Its module is another one as soon as its text is another; a strategy that is composed of
 * others is made again each time, and so is its run.
 */
export function keptRuns(): Repeats["run"] {
  const kept = new Map<string, { readonly inputs: FastInputs; readonly run: FastRun }>();
  return async (inputs, make) => {
    const { use } = inputs.config.strategy;
    const known = kept.get(use);
    if (known && isSame(known.inputs, inputs)) {
      say(`${use}: nothing of it has changed, its result is kept\n`);
      return known.run;
    }
    const run = await make();
    kept.set(use, { inputs, run });
    return run;
  };
}

const isSame = (some: FastInputs, others: FastInputs): boolean =>
  some.strategies.chosen.strategy === others.strategies.chosen.strategy &&
  some.strategies.fallback.strategy === others.strategies.fallback.strategy &&
  some.recorded === others.recorded &&
  JSON.stringify([some.config, some.period]) === JSON.stringify([others.config, others.period]);
