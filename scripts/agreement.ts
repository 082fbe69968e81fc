/**
 * `npm run agreement -- --data DIR`: runs each rule strategy fast and full over three calm and three violent windows of
 * recorded data and prints them side by side as a Markdown table. A pair that is further apart than docs/BACKTEST.md states is
 * run fully with two more seeds, that is on other paths inside the bars. Exit code 1 if the fast run ends too far from all three.
 */
import { parseArgs } from "node:util";
import { ConfigSchema } from "../src/config/config.ts";
import { loadStrategies } from "../src/control/strategies.ts";
import { HOUR_MS } from "../src/core/time.ts";
import { DEFAULT_EXCHANGES } from "../src/domain/symbol.ts";
import { stopwatch } from "../src/harness/harness.ts";
import { untimed } from "../src/harness/untimed.ts";
import { apart, gapOf, gapText } from "../src/lab/runs/agreement.ts";
import type { TradedRun } from "../src/lab/figures/run-figures.ts";
import { runFast } from "../src/lab/fast/fast-run.ts";
import { barsFor } from "../src/lab/runs/bars-for.ts";
import { runFull } from "../src/lab/runs/full-run.ts";
import { configFor } from "../src/lab/runs/practice-config.ts";

const USAGE = `npm run agreement -- --data DIR [--hours N] [--only TEXT]
Example: npm run agreement -- --data recordings --only 2025-06-13`;

const MAJORS = "BTC,ETH,SOL,XRP";
const WINDOWS = [
  { mood: "calm", window: "klines-1m/perp-2025-05_06", from: "2025-05-18T00:00:00Z", symbols: MAJORS },
  { mood: "calm", window: "klines-1m/perp-2025-05_06", from: "2025-05-28T00:00:00Z", symbols: MAJORS },
  { mood: "calm", window: "klines-1m/perp-2025-05_06", from: "2025-06-08T00:00:00Z", symbols: MAJORS },
  { mood: "violent", window: "klines-1m/perp-2025-05_06", from: "2025-06-12T22:00:00Z", symbols: MAJORS },
  { mood: "violent", window: "klines-1m/perp-2025-05_06", from: "2025-06-22T12:00:00Z", symbols: MAJORS },
  { mood: "violent", window: "klines-1m/perp-2026-01_02", from: "2026-02-05T12:00:00Z", symbols: "DOGE,LINK,SUI,XLM" },
];
const SEED = 1;
const OTHER_SEEDS = [2, 3];
const STRATEGIES = ["trend-carry", "momentum", "mean-reversion", "funding-carry", "ensemble"];
/** Settings that trade often, so that there is something to compare. */
const LIVELY = {
  momentum: { horizon: "fast", entryScore: 0.7, edgeOverCost: 0.2, confirmation: -0.5, minHoldMinutes: 2 },
};

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    hours: { type: "string", default: "12" },
    only: { type: "string", default: "" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const endOf = ({ points }: TradedRun): string => (points.at(-1)?.equityUsdt ?? 0).toFixed(2);

async function compare(data: string): Promise<number> {
  const forMs = Number(values.hours) * HOUR_MS;
  let bad = 0;
  const gaps: string[] = [];
  say("| window | strategy | end USDT, fast | full | closed, fast | full | fees, fast | full | times faster |");
  say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const { mood, window, from, symbols } of WINDOWS.filter((each) => each.from.includes(values.only))) {
    const base = ConfigSchema.parse({
      cadence: { every: "5m", minGap: "60s", firstAfter: "60s", moveSigma: 0 },
      risk: { minHolding: "2m" },
      strategy: { settings: LIVELY },
    });
    const shared = configFor(base, { data, window, from, symbols });
    const fromMs = Date.parse(from);
    const bars = barsFor(shared, DEFAULT_EXCHANGES, { fromMs, forMs, seed: 1, stepMs: 2_000 });
    if (!bars.ok) throw new Error(bars.error);
    for (const use of STRATEGIES) {
      const config = { ...shared, strategy: { ...shared.strategy, use } };
      const strategies = await loadStrategies(config);
      if (!strategies.ok) throw new Error(strategies.error);
      const fastTook = stopwatch();
      const armed = untimed(strategies.value);
      const fast = runFast({
        config,
        strategies: armed,
        recorded: bars.value,
        fromMs,
        forMs,
        exchanges: DEFAULT_EXCHANGES,
      });
      const fastMs = fastTook();
      const fullTook = stopwatch();
      const runFully = async (seed: number): Promise<TradedRun> => {
        const full = await runFull({ config, fromMs, forMs, seed, stepMs: 2_000 });
        if (!full.ok) throw new Error(full.error);
        return full.value;
      };
      const full = await runFully(SEED);
      const times = Math.round(fullTook() / Math.max(1, fastMs));
      const fulls = [full];
      if (apart(fast, fulls)) for (const seed of OTHER_SEEDS) fulls.push(await runFully(seed));
      const far = apart(fast, fulls);
      if (far) bad += 1;
      if (fast.executions + full.executions > 0)
        gaps.push(`${mood} ${from.slice(0, 13)} ${use}: ${gapText(gapOf(fast, full))}`);
      say(
        `| ${mood} ${from.slice(0, 13)} | ${use} | ${endOf(fast)} | ${fulls.map(endOf).join(", ")} | ${fast.closedPositions} | ${full.closedPositions} | ${fast.feesUsdt.toFixed(2)} | ${full.feesUsdt.toFixed(2)} | ${times}${far ? " **too far apart**" : ""} |`,
      );
    }
  }
  say(`\nFast less full:\n${gaps.join("\n")}`);
  say(`\n${bad === 0 ? "every pair is" : `${bad} pairs are not`} within the stated distance`);
  return bad === 0 ? 0 : 1;
}

if (values.help || values.data === undefined) say(USAGE);
else process.exitCode = await compare(values.data);
