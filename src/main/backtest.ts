/** `ballast backtest`: one rehearsal a strategy over the same stretch of market, and their figures side by side. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { EquityPoint, BacktestRun } from "../lab/figures/run-figures.ts";
import { cellsOf, HEADINGS, resultRows } from "../lab/figures/table.ts";
import type { Config } from "../config/config.ts";
import { type Decimal, dec, sumDecimals, toWire } from "../core/decimal.ts";
import { silentLog } from "../core/log.ts";
import { err, ok, type Result } from "../core/result.ts";
import { formatSpan, isoTime, MINUTE_MS, parseInstant } from "../core/time.ts";
import { type BacktestOptions, resultTable } from "../faces/cli/backtest-command.ts";
import type { Exchange } from "../sim/exchange/api.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { makeFolder } from "../ops/make-folder.ts";
import { type Boot, type Rehearsal, rehearse, stopwatch } from "../harness/rehearsal.ts";
import { journalPath } from "../ops/run-file.ts";
import { loadConfig } from "../control/watch-config.ts";
import { readModelSettle } from "../rows/model-settle.ts";

/** Where made markets begin: far from a funding, on a working day. */
const MADE_START_MS = Date.UTC(2026, 0, 5, 9, 30);
const SAMPLE_MS = MINUTE_MS;
const PROGRESS_EVERY_MS = 2_000;
const STOP_STEP_MS = 100;
const STOP_PATIENCE_MS = 20_000;

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
  for (const name of new Set(names)) {
    const run = await liveThrough({ ...config, strategy: { ...config.strategy, use: name } }, options, startMs.value);
    if (!run.ok) return complain(EXIT.config, run.error);
    runs.push(run.value);
  }
  show(runs, options, profile);
  return EXIT.ok;
}

const complain = (code: number, text: string): number => {
  say(`ballast: ${text}\n`);
  return code;
};

/** The file's settings with what the command line says of market and universe; the trading itself is never changed. */
export function configFor(config: Config, { data, window, from, symbols, profile }: Partial<BacktestOptions>): Config {
  const embedded = {
    ...config.venue.embedded,
    ...(data === undefined ? {} : { data }),
    ...(window === undefined ? {} : { window }),
    ...(from === undefined ? {} : { from }),
    ...(profile === undefined ? {} : { profile }),
  };
  const venue = { ...config.venue, kind: "embedded" as const, embedded };
  const universe =
    symbols === undefined ? config.universe : symbols.split(",").map((base) => base.trim().toUpperCase());
  return { ...config, venue, universe, session: practiceSession(config.session) };
}

/** A file of the service has its consent for there, or none yet; to simulate it under its caps needs no one's leave. */
const practiceSession = (session: Config["session"]): Config["session"] => ({
  ...session,
  consentFor: "embedded",
  consent: `A simulation, up to ${toWire(session.maxNotionalPerOrder)} USDT an order and ${toWire(session.maxTotalNotional)} USDT in all.`,
});

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

async function liveThrough(
  config: Config,
  options: BacktestOptions,
  startMs: number,
): Promise<Result<BacktestRun, string>> {
  const strategy = config.strategy.use;
  const folder = options.keep ?? mkdtempSync(path.join(tmpdir(), "ballast-backtest-"));
  const { seed, beat } = options;
  try {
    const dataDir = path.join(folder, strategy);
    const made = makeFolder(dataDir);
    if (!made.ok) return err(`--keep: ${made.error}`);
    // A run that is there would be gone on with, its positions and lessons included.
    if (existsSync(journalPath(dataDir))) return err(`--keep: ${dataDir} holds a run already; name another folder`);
    const keepPages = options.keep !== undefined;
    const stage = rehearse({ config, seed, startMs, dataDir, log: silentLog, beatMs: beat, keepPages });
    // The market's first beat comes before the agent's first look, and so does every later one.
    await stage.clock.advance(Math.min(100, beat / 2));
    const booted = await stage.boot();
    if (!booted.ok) return err(booted.error);
    const boot = booted.value;
    const points = await sample(stage, boot, { strategy, forMs: options.for });
    const facts = factsOf(stage.venue.exchange, boot, { strategy, points });
    await endRun(stage, boot);
    return ok(facts);
  } catch (cause) {
    return err(`${strategy}: ${cause instanceof Error ? cause.message : String(cause)}`);
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function sample(
  stage: Rehearsal,
  boot: Boot,
  { strategy, forMs }: { readonly strategy: string; readonly forMs: number },
): Promise<readonly EquityPoint[]> {
  const { clock, venue } = stage;
  const points: EquityPoint[] = [];
  const beganMs = clock.nowMs();
  const elapsed = stopwatch();
  let reportedMs = 0;
  const take = (): void => {
    const [row] = venue.exchange.scoreboard(Math.floor(clock.nowMs()));
    points.push({ atMs: clock.nowMs(), equityUsdt: Number(row?.equityUsdt ?? 0) });
  };
  take();
  while (clock.nowMs() - beganMs < forMs && boot.fatal() === null) {
    await clock.advance(Math.min(SAMPLE_MS, forMs - (clock.nowMs() - beganMs)));
    take();
    if (elapsed() - reportedMs < PROGRESS_EVERY_MS || !process.stderr.isTTY) continue;
    reportedMs = elapsed();
    const share = Math.round(((clock.nowMs() - beganMs) / forMs) * 100);
    const equity = points.at(-1)?.equityUsdt.toFixed(2) ?? "?";
    say(`\r${strategy}: ${isoTime(clock.nowMs()).slice(0, 16)}, ${share} %, equity ${equity} USDT   `);
  }
  const speed = Math.round((clock.nowMs() - beganMs) / Math.max(1, elapsed()));
  say(`${process.stderr.isTTY ? "\r" : ""}${strategy}: ${formatSpan(forMs)} in ${formatSpan(elapsed())} (${speed}x)\n`);
  return points;
}

function factsOf(
  exchange: Exchange,
  { journal, fatal }: Boot,
  { strategy, points }: { readonly strategy: string; readonly points: readonly EquityPoint[] },
): BacktestRun {
  const lastMs = points.at(-1)?.atMs ?? 0;
  const [row] = exchange.scoreboard(Math.floor(lastMs));
  const balances = Object.entries(exchange.ledger().balances["USDT"] ?? {});
  const housed = (name: string): Decimal =>
    sumDecimals(balances.filter(([account]) => account.startsWith(`${name}/`)).map(([, amount]) => dec(amount)));
  const spent = journal.rows({ kinds: ["model-settle"] }).map((row) => readModelSettle(row).costUsd);
  const cause = fatal();
  return {
    strategy,
    points,
    executions: row?.trades ?? 0,
    closedPositions: journal.rows({ kinds: ["trade"] }).length,
    winRate: row?.winRate ?? null,
    decisions: new Set(journal.rows({ kinds: ["decision"] }).map(({ decisionId }) => decisionId)).size,
    feesUsdt: housed("fees"),
    fundingUsdt: housed("funding"),
    modelUsd: sumDecimals(spent),
    eliminated: row?.eliminated ?? false,
    ended: cause === null ? null : `stopped: ${cause instanceof Error ? cause.message : String(cause)}`,
  };
}

/** Ending takes time of its own (effects drain, streams close), which on a virtual clock somebody must let pass. */
async function endRun({ clock, close }: Rehearsal, boot: Boot): Promise<void> {
  let ended = false;
  const ending = boot.stop("the backtest is over").then(() => (ended = true));
  for (let waitedMs = 0; !ended && waitedMs < STOP_PATIENCE_MS; waitedMs += STOP_STEP_MS) {
    await clock.advance(STOP_STEP_MS);
  }
  if (!ended) boot.kill();
  await Promise.race([ending, Promise.resolve()]);
  await close();
}

function show(
  runs: readonly BacktestRun[],
  { format, beat, for: forMs, data, window, from, seed }: BacktestOptions,
  profile: string,
): void {
  const rows = resultRows(runs);
  if (format === "json") {
    const market = data === undefined ? { made: true, seed } : { data, window, from };
    process.stdout.write(`${JSON.stringify({ market, profile, forMs, beatMs: beat, rows }, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${resultTable(HEADINGS, rows.map(cellsOf))}\n`);
  const best = rows.find(({ strategy }) => strategy !== "hold");
  if (best && best.returnFraction <= 0) {
    process.stdout.write("No strategy beat doing nothing on this stretch. One stretch proves little either way.\n");
  }
}
