/**
 * Fault simulation: `npm run seeds -- --count N --from S [--kind short|standard] [--workers 2] [--keep 0,2]`. Each seed is
 * one life of the whole agent against the whole simulated service on virtual time. What fails is shrunk and printed with
 * the command that replays it; `--regressions` runs those that were found before. Exit code 1 when anything failed. `--json` prints one line for each seed.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { drawPlan, keeping, type Kind } from "../test/seeds/plan.ts";
import { type Outcome, runPlan } from "../test/seeds/run.ts";
import { replayCommand, shrink } from "../test/seeds/shrink.ts";

export interface SeedLine {
  readonly seed: number;
  readonly kind: Kind;
  readonly hash: string;
  readonly rows: number;
  readonly faults: number;
  readonly deaths: number;
  readonly writes: number;
  readonly fills: number;
  readonly tookMs: number;
  readonly violations: readonly { readonly id: string; readonly what: string }[];
  /** Null when nothing failed. */
  readonly replay: string | null;
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    step: { type: "string", default: "1" },
    kind: { type: "string", default: "short" },
    workers: { type: "string", default: "2" },
    "cpu-seconds": { type: "string" },
    "spare-until": { type: "string" },
    keep: { type: "string" },
    regressions: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    "no-shrink": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

const USAGE = `npm run seeds -- [options]
  --count N       how many seeds, default 100
  --from N        the first, default 1
  --step N        every how manieth, default 1
  --kind KIND     short (default; about a minute each) or standard (minutes)
  --workers N     processes, default 2
  --cpu-seconds N no new seed begins once the processes together have used so much of their processors
  --spare-until T until T, in seconds since 1970, they begin all the same: there is time to spare
  --keep A,B|none only these happenings of a seed: what a shrunk failure prints
  --regressions   those that were found before
  --no-shrink     tell a failure as it is
  --json          a line of JSON for each seed
Example: npm run seeds -- --count 1000 --from 5000`;

if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

function whole(name: "count" | "from" | "step" | "workers"): number {
  const found = Number(values[name]);
  if (!Number.isInteger(found) || found < 0)
    throw new RangeError(`--${name} must be a whole number, found ${values[name]}`);
  return found;
}

function kindOf(word: string): Kind {
  if (word === "short" || word === "standard") return word;
  throw new RangeError(`--kind must be short or standard, found ${word}`);
}

const [count, from, step, workers] = [whole("count"), whole("from"), whole("step"), whole("workers")];
const kind = kindOf(values.kind);
const numbers = (text: string): readonly number[] =>
  text === "none" ? [] : text.split(",").map((number) => Number(number));
const kept = values.keep === undefined ? null : numbers(values.keep);

const cpuSeconds = values["cpu-seconds"] === undefined ? Infinity : Number(values["cpu-seconds"]);
if (!(cpuSeconds > 0)) throw new RangeError(`--cpu-seconds must be above 0, found ${values["cpu-seconds"]}`);

const spareUntilMs = Number(values["spare-until"] ?? 0) * 1_000;
if (!(spareUntilMs >= 0))
  throw new RangeError(`--spare-until must be seconds since 1970, found ${values["spare-until"]}`);

/** Of this process, waiting not counted. */
function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

const mayBegin = (): boolean => usedSeconds() < cpuSeconds || Date.now() < spareUntilMs;

/** In this process, one after the other. */
async function runHere(tell: (line: SeedLine) => void): Promise<void> {
  for (let at = 0; at < count && mayBegin(); at++) tell(await runSeed(from + at * step));
}

/** Every seed of `test/seeds/regressions.json`, as small as it was found. */
async function runRegressions(tell: (line: SeedLine) => void): Promise<void> {
  const file = new URL("../test/seeds/regressions.json", import.meta.url);
  const found = JSON.parse(readFileSync(file, "utf8")) as readonly { kind: Kind; seed: number; keep: string }[];
  for (const regression of found) {
    const plan = drawPlan(regression.kind, regression.seed);
    const keep = numbers(regression.keep);
    const outcome = await runPlan(keeping(plan, keep));
    tell(lineOf(regression.seed, outcome, outcome.violations.length > 0 ? replayCommand(plan, keep) : null));
  }
}

async function runSeed(seed: number): Promise<SeedLine> {
  const whole = drawPlan(kind, seed);
  const plan = kept === null ? whole : keeping(whole, kept);
  const outcome = await runPlan(plan);
  if (outcome.violations.length === 0) return lineOf(seed, outcome, null);
  if (kept !== null || values["no-shrink"])
    return lineOf(seed, outcome, replayCommand(whole, kept ?? whole.happenings.map((_, at) => at)));
  const shrunk = await shrink(whole, outcome);
  return lineOf(seed, shrunk.outcome, replayCommand(whole, shrunk.kept));
}

function lineOf(seed: number, outcome: Outcome, replay: string | null): SeedLine {
  const { hash, rows, faults, deaths, writes, fills, tookMs, violations } = outcome;
  return { seed, kind, hash, rows, faults, deaths, writes, fills, tookMs: Math.round(tookMs), violations, replay };
}

/**
 * A seed runs much code a few times each, so that compiling plainly at once costs less than interpreting; and what it
 * makes is garbage soon after, of which more is collected at once. Together a fifth over seventy seeds.
 */
const WORKER_FLAGS = ["--always-sparkplug", "--min-semi-space-size=64", "--max-semi-space-size=64"];

/** Shared among processes: the first takes every n-th seed, the second those after them, and so on. */
function runInWorkers(tell: (line: SeedLine) => void): Promise<void> {
  const running = Array.from({ length: workers }, (_, index) => {
    const own = Math.floor((count - index + workers - 1) / workers);
    const flags = [
      ...["--count", String(own), "--from", String(from + index), "--step", String(workers)],
      ...["--kind", kind, "--workers", "1", "--json"],
      ...(values["no-shrink"] ? ["--no-shrink"] : []),
      ...(cpuSeconds < Infinity ? ["--cpu-seconds", String(cpuSeconds / workers)] : []),
      ...(spareUntilMs > 0 ? ["--spare-until", String(spareUntilMs / 1_000)] : []),
    ];
    const self = fileURLToPath(import.meta.url);
    const child = spawn(process.execPath, [...process.execArgv, ...WORKER_FLAGS, self, ...flags], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: child.stdout }).on("line", (text) => tell(JSON.parse(text) as SeedLine));
    return new Promise<void>((resolve, reject) => {
      child.on("close", (code) =>
        code === 0 || code === 1 ? resolve() : reject(new Error(`a worker ended with ${code}`)),
      );
    });
  });
  return Promise.all(running).then(() => undefined);
}

const PROGRESS_EVERY_MS = 10_000;
const beganMs = performance.now();
let toldMs = beganMs;

/** Long work shows how far it is, on the side where no figures are read. */
function showProgress(): void {
  const nowMs = performance.now();
  if (values.json || nowMs - toldMs < PROGRESS_EVERY_MS) return;
  toldMs = nowMs;
  const leftSeconds = Math.round(((nowMs - beganMs) / sums.seeds) * (count - sums.seeds)) / 1_000;
  console.error(`${sums.seeds} of ${count} seeds, ${sums.failed} failed; about ${Math.ceil(leftSeconds)} s left`);
}

const sums = { seeds: 0, failed: 0, faults: 0, deaths: 0, rows: 0, writes: 0, fills: 0, tookMs: 0 };

function tell(line: SeedLine): void {
  sums.seeds += 1;
  sums.failed += line.violations.length > 0 ? 1 : 0;
  for (const name of ["faults", "deaths", "rows", "writes", "fills", "tookMs"] as const) sums[name] += line[name];
  if (!values.regressions) showProgress();
  if (values.json) return void console.log(JSON.stringify(line));
  if (line.violations.length === 0) return;
  console.log(`seed ${line.seed} failed: ${line.replay ?? ""}`);
  for (const { id, what } of line.violations.slice(0, 10)) console.log(`  ${id}: ${what}`);
}

// The first run of a process loads what later ones have: a throwaway takes that upon itself, with a model to ask.
if (workers === 1 || values.regressions || kept !== null || count <= 1)
  await runPlan({ ...drawPlan("short", 0), strategy: "llm-trader", happenings: [] });
await (values.regressions
  ? runRegressions(tell)
  : workers > 1 && kept === null && count > 1
    ? runInWorkers(tell)
    : runHere(tell));
if (!values.json && !values.regressions && sums.seeds < count)
  console.log(`${count - sums.seeds} seeds were not begun: the processor time of --cpu-seconds was used`);
if (!values.json)
  console.log(
    `${sums.seeds} ${kind} seeds, ${sums.failed} failed; ${sums.faults} faults, ${sums.deaths} deaths, ${sums.rows} rows, ` +
      `${sums.writes} writes at the venue, ${sums.fills} fills; ${Math.round(sums.tookMs / Math.max(1, sums.seeds))} ms a seed`,
  );
// Not by running out of work: the model's library keeps a real timer for each question of a life that was killed.
process.exit(sums.failed > 0 ? 1 : 0);
