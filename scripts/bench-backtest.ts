/**
 * `npm run bench:backtest`: bars per second of a fast run, and of `grademark` and `@backtest/framework` on the same bars with a rule
 * of their own kind. Ten symbols of a generated market, momentum, a decision every five minutes, all limits, fees, funding and
 * stops. The other libraries have one symbol, one position and no limits: they show the price of a loop, not of an agent.
 */
import { parseArgs } from "node:util";
import { backtest as grademark, type IBar, type IStrategy } from "grademark";
import { DataFrame } from "data-forge";
import { ConfigSchema } from "../src/config/config.ts";
import { loadStrategies } from "../src/control/strategies.ts";
import { processorMs } from "../src/core/processor-time.ts";
import { DAY_MS, MINUTE_MS } from "../src/core/time.ts";
import { DEFAULT_EXCHANGES } from "../src/domain/symbol.ts";
import { stopwatch } from "../src/harness/harness.ts";
import { untimed } from "../src/harness/untimed.ts";
import { runFast } from "../src/lab/fast/fast-run.ts";
import { barsFor } from "../src/lab/runs/bars-for.ts";
import { runFull } from "../src/lab/runs/full-run.ts";
import { configFor } from "../src/lab/runs/practice-config.ts";
import type { Recorded } from "../src/sim/market/recorded.ts";
import { backtestFramework } from "./bench/backtest-framework.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "30" },
    strategy: { type: "string", default: "momentum" },
    full: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const USAGE = `npm run bench:backtest -- [--days N] [--strategy NAME] [--full]
Example: npm run bench:backtest -- --days 30`;
const SYMBOLS = "BTC,ETH,SOL,XRP,BNB,DOGE,LINK,AVAX,SUI,LTC";
const FROM_MS = Date.UTC(2026, 0, 5);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const megabytes = (): number => Math.round(process.memoryUsage().rss / 1e6);

async function bench(): Promise<void> {
  const days = Number(values.days);
  const forMs = days * DAY_MS;
  const base = ConfigSchema.parse({ cadence: { every: "5m", minGap: "60s", firstAfter: "60s" } });
  const shared = configFor(base, { symbols: SYMBOLS });
  const config = { ...shared, strategy: { ...shared.strategy, use: values.strategy } };
  const made = stopwatch();
  const bars = barsFor(config, DEFAULT_EXCHANGES, { fromMs: FROM_MS, forMs, seed: 1 });
  if (!bars.ok) throw new Error(bars.error);
  say(`made ${days} days of ten symbols in ${(made() / 1_000).toFixed(1)} s`);
  const strategies = await loadStrategies(config);
  if (!strategies.ok) throw new Error(strategies.error);
  const armed = untimed(strategies.value);
  const count = (days * DAY_MS * bars.value.length) / MINUTE_MS;
  const took = measuring();
  const run = runFast({
    config,
    strategies: armed,
    recorded: bars.value,
    fromMs: FROM_MS,
    forMs,
    exchanges: DEFAULT_EXCHANGES,
  });
  report("ballast, fast", { bars: count, took: took(), more: `${run.executions} fills, ${run.decisions} decisions` });
  const [first] = bars.value;
  if (first) {
    besides(first);
    await besidesFramework(first);
  }
  if (!values.full) return;
  const fullMs = Math.min(forMs, DAY_MS / 4);
  const fullTook = measuring();
  const full = await runFull({ config, fromMs: FROM_MS, forMs: fullMs, seed: 1, stepMs: 2_000 });
  if (!full.ok) throw new Error(full.error);
  report("ballast, full", { bars: (fullMs * bars.value.length) / MINUTE_MS, took: fullTook(), more: "six hours" });
}

/** By the clock, and on a processor: less than that on a machine that others use as well. */
interface Took {
  readonly ms: number;
  readonly busyMs: number;
}

function measuring(): () => Took {
  const [clock, busyFromMs] = [stopwatch(), processorMs()];
  return () => ({ ms: clock(), busyMs: processorMs() - busyFromMs });
}

function report(name: string, { bars, took, more }: { bars: number; took: Took; more: string }): void {
  const rate = (ms: number): string => Math.round(bars / (ms / 1_000)).toLocaleString("en");
  const seconds = (took.ms / 1_000).toFixed(1);
  say(
    `${name.padEnd(16)} ${rate(took.ms)} bars/s (${bars} bars in ${seconds} s), ${rate(took.busyMs)} bars/s of processor time, ${megabytes()} MB; ${more}`,
  );
}

/** A moving-average rule on the bars of one symbol, the library's typical use. */
function besides({ candles }: Recorded): void {
  const rows = Array.from({ length: candles.count }, (_, at) => ({
    time: new Date(candles.openMs[at] ?? 0),
    open: candles.open[at] ?? 0,
    high: candles.high[at] ?? 0,
    low: candles.low[at] ?? 0,
    close: candles.close[at] ?? 0,
    volume: candles.volume[at] ?? 0,
  }));
  type Bar = IBar & { readonly average: number };
  const closes = rows.map(({ close }) => close);
  const frame = new DataFrame<number, Bar>(
    rows.map((row, at) => ({
      ...row,
      average: closes.slice(Math.max(0, at - 29), at + 1).reduce((a, b) => a + b, 0) / Math.min(30, at + 1),
    })),
  );
  const strategy: IStrategy<Bar> = {
    entryRule: (enter, { bar }) => {
      if (bar.close > bar.average * 1.002) void enter();
    },
    exitRule: (exit, { bar }) => {
      if (bar.close < bar.average) void exit();
    },
    stopLoss: ({ entryPrice }) => entryPrice * 0.01,
  };
  const took = measuring();
  const trades = grademark(strategy, frame);
  report("grademark", { bars: rows.length, took: took(), more: `${trades.length} trades` });
}

async function besidesFramework(recorded: Recorded): Promise<void> {
  const bars = recorded.candles.count;
  const play = await backtestFramework(recorded, bars);
  if (play === null) return say("@backtest/framework: not measured; npm install --no-save @backtest/framework adds it");
  const took = measuring();
  const orders = await play();
  report("@backtest/fw", { bars, took: took(), more: `${orders} orders` });
}

if (values.help) say(USAGE);
else await bench();
