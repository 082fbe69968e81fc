/** The process of `npm run dev:lab` that stays: it runs `ballast backtest` and again when something is saved. */
import path from "node:path";
import { Command } from "commander";
import { addBacktest, type BacktestOptions } from "../../src/faces/cli/backtest-command.ts";
import { stopwatch } from "../../src/harness/harness.ts";
import { backtestProgram } from "../../src/main/lab/backtest.ts";
import { say } from "../../src/main/lab/backtest-runs.ts";
import { EXIT } from "../../src/ops/exit-codes.ts";
import { OWN_DIR } from "../../src/ops/paths.ts";
import { keptBars, keptRuns } from "./kept.ts";
import { comparingProgress } from "./progress.ts";
import { onSave } from "./saved-files.mjs";

const LOOK_EVERY_MS = 100;

async function repeat(options: BacktestOptions): Promise<void> {
  const progress = comparingProgress();
  let kept = { bars: keptBars(), run: keptRuns() };
  let current = new AbortController();
  let goOn = (): void => undefined;
  const again = (why: string): void => {
    say(`\n${why}\n`);
    current.abort();
    goOn();
  };
  onSave(["strategies", "config", "prompts", OWN_DIR, path.dirname(options.config)], LOOK_EVERY_MS, ([first]) =>
    again(`${path.relative("", first)} was saved`),
  );
  process.stdin.on("data", () => {
    kept = { bars: keptBars(), run: keptRuns() };
    again("everything");
  });
  for (;;) {
    current = new AbortController();
    const { signal } = current;
    const changed = new Promise<void>((resolve) => (goOn = resolve));
    const elapsed = stopwatch();
    try {
      await backtestProgram(options, { ...kept, progress, signal });
    } catch (cause) {
      if (!signal.aborted) say(`${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
    }
    if (signal.aborted) continue;
    say(`${(elapsed() / 1_000).toFixed(1)} s in all; waiting for a save, or Enter to read everything again\n`);
    await changed;
  }
}

// A terminal sends it to this process as well: to end is what was asked for.
process.on("SIGINT", () => process.exit(EXIT.ok));

const program = new Command().exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.ok : EXIT.usage));
addBacktest(program, repeat);
await program.parseAsync(["backtest", ...process.argv.slice(2)], { from: "user" });
