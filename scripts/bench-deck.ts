/**
 * What open pages cost the trading agent: the same simulated hour of the whole agent without a page and with ten of
 * them, alternately; and how fast a browser gets the page. Agent and venue run on virtual time, the pages over real
 * sockets. Run: npm run bench:deck [-- --quick]. What the figures mean: docs/evidence/BENCHMARKS.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Table from "cli-table3";
import { loadConfig } from "../src/control/watch-config.ts";
import { silentLog } from "../src/core/log.ts";
import { type AgentRun, createHarness } from "../src/harness/harness.ts";
import { CHROMIUM } from "../test/support/browser.ts";
import { serveDeck } from "../test/support/harness-deck.ts";
import { firstLooks } from "./bench/first-paint.ts";
import { openPages } from "./bench/pages.ts";
import { buildWeb } from "./web.mjs";

const quick = process.argv.includes("--quick");
const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const PAGES = 10;
const WARM_S = quick ? 120 : 300;
const MEASURED_S = quick ? 360 : 3_600;
/** Runs of each kind. A step is the same in all of them, and its least time is the undisturbed one. */
const RUNS = quick ? 2 : 4;
const LOOKS = quick ? 3 : 7;

const loaded = loadConfig("config/agent.yaml");
if (!loaded.ok) throw new Error(loaded.error.join("\n"));
const config = loaded.value;
const symbol = `EXCHANGE_A_PERP_${config.universe[0] ?? "BTC"}_USDT`;

interface Timed {
  /** Processor time of each step, in microseconds. */
  readonly steps: readonly number[];
  /** The kind of each step, to check that two runs are the same. */
  readonly kinds: readonly string[];
  readonly bytes: number;
}

/** Plays the same stretch of market at every call. */
async function timedRun(
  count: number,
  atEnd: (url: string) => Promise<void> = () => Promise.resolve(),
): Promise<Timed> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-bench-deck-"));
  const harness = createHarness({ config, seed: 1, startMs: START_MS, dataDir, log: silentLog, keepPages: true });
  const started = await harness.start();
  if (!started.ok) throw new Error(started.error);
  const served = await serveDeck(harness, started.value, { config });
  const pages = await openPages(served.url, count, symbol);
  const [steps, kinds]: [number[], string[]] = [[], []];
  const agent = started.value.running.agent as { step: AgentRun["running"]["agent"]["step"] };
  const { step } = agent;
  agent.step = (event) => {
    const begun = process.cpuUsage();
    const effects = step(event);
    const { user, system } = process.cpuUsage(begun);
    steps.push(user + system);
    kinds.push(event.kind);
    return effects;
  };
  let before = 0;
  for (let second = 0; second < WARM_S + MEASURED_S; second++) {
    if (second === WARM_S) {
      steps.length = kinds.length = 0;
      before = pages.bytes();
    }
    await harness.clock.advance(1_000);
    await pages.second(second);
  }
  const timed = { steps: [...steps], kinds: [...kinds], bytes: pages.bytes() - before };
  pages.close();
  await atEnd(served.url);
  await served.close();
  started.value.kill();
  await harness.close();
  rmSync(dataDir, { recursive: true, force: true });
  return timed;
}

/** The least time of each step over all runs. */
const least = (runs: readonly Timed[]): readonly number[] =>
  (runs[0]?.steps ?? []).map((_, at) => Math.min(...runs.map(({ steps }) => steps[at] ?? Infinity)));

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);
const share = (values: readonly number[], part: number): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;
const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

async function looked(url: string): Promise<void> {
  if (CHROMIUM === null) return void process.stdout.write("no Chromium is installed: no browser figures\n");
  const looks = await firstLooks(url, LOOKS);
  const middle = (of: (look: (typeof looks)[number]) => number): number => share(looks.map(of), 0.5);
  process.stdout.write(
    `a browser: ${(middle(({ bytes }) => bytes) / 1_000).toFixed(1)} kB, first paint after ` +
      `${whole(middle(({ firstPaintMs }) => firstPaintMs))} ms, figures after ` +
      `${whole(middle(({ figuresMs }) => figuresMs))} ms (the middle of ${looks.length})\n`,
  );
}

await buildWeb("dist/web");
const [none, ten]: [Timed[], Timed[]] = [[], []];
for (let run = 0; run < RUNS; run++) {
  // The order alternates from run to run.
  for (const count of run % 2 === 0 ? [0, PAGES] : [PAGES, 0]) {
    const last = run === RUNS - 1 && count === PAGES;
    (count === 0 ? none : ten).push(await timedRun(count, last ? looked : undefined));
    process.stderr.write(`${none.length + ten.length} of ${RUNS * 2} runs\n`);
  }
}
const same = [...none, ...ten].every(({ kinds }) => kinds.join() === none[0]?.kinds.join());
const table = new Table({
  head: ["open pages", "steps", "median µs", "p99 µs", "p99 µs, all runs"],
  style: { head: [], border: [] },
});
for (const [name, runs] of [
  ["none", none],
  ["ten", ten],
] as const) {
  const steps = least(runs);
  const all = runs.flatMap((timed) => timed.steps);
  table.push([name, whole(steps.length), ...[share(steps, 0.5), share(steps, 0.99), share(all, 0.99)].map(whole)]);
}
const change = share(least(ten), 0.99) / share(least(none), 0.99) - 1;
const kilobytes = ten.reduce((sum, { bytes }) => sum + bytes, 0) / ten.length / PAGES / MEASURED_S / 1_000;
process.stdout.write(
  `${table.toString()}\n` +
    `p99 with ten pages: ${change < 0 ? "" : "+"}${(change * 100).toFixed(1)} %; a page received ${kilobytes.toFixed(1)} kB a second; ` +
    `the runs took ${same ? "the same steps" : "DIFFERENT steps, so compare the last column"}\n`,
);
process.exit(0);
