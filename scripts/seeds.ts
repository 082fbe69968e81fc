/**
 * Fault simulation: `npm run seeds -- --count N --from S [--standard M] [--workers 2] [--keep 0,2]`. Each seed is one
 * run of the whole agent against the whole simulated service on virtual time. A failure is shrunk and printed with the
 * command that replays it; `--regressions` runs the earlier failures. Exit code 1 if anything failed.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { handOut } from "./seeds/hand-out.ts";
import { outliveReaders } from "../src/ops/closed-pipe.ts";
import type { Job, SeedLine } from "./seeds/live.ts";
import { KINDS } from "../test/seeds/plan.ts";

outliveReaders();

const { values } = parseArgs({
  options: {
    count: { type: "string" },
    standard: { type: "string", default: "0" },
    from: { type: "string", default: "1" },
    "standard-from": { type: "string", default: "1" },
    kind: { type: "string", default: "short" },
    workers: { type: "string", default: "2" },
    "cpu-seconds": { type: "string" },
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
  --kind KIND     short (default; about a minute each), standard (minutes), account: short, with more of the faults
                  after which an account is misread; apart: the same, where the clocks differ and pushes lack fields;
                  midnight: the same, where a day ends, near the limits, and the operator and others act by hand; or
                  harsh: short, with a slow venue and many more deaths, clock steps and damaged journals
  --standard N    so many standard seeds besides, spread among the others; default 0
  --standard-from N  the first of these, default 1
  --workers N     processes, default 2
  --cpu-seconds N no new seed begins once the processes together have used so much of their processors
  --keep A,B|none only these events of a seed: what a shrunk failure prints
  --regressions   those that were found before; with --count, fresh ones spread among them
  --no-shrink     report a failure as it is
  --json          a line of JSON for each seed
Example: npm run seeds -- --count 1000 --standard 100 --from 5000`;

const COUNT_DEFAULT = 100;

if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

function whole(name: "count" | "standard" | "standard-from" | "from" | "workers", least = 0): number {
  const found = Number(values[name] ?? COUNT_DEFAULT);
  if (!Number.isInteger(found) || found < least)
    throw new RangeError(`--${name} must be a whole number of at least ${least}, found ${values[name]}`);
  return found;
}

function kindOf(word: string): Job["kind"] {
  const found = KINDS.find((kind) => kind === word);
  if (found) return found;
  throw new RangeError(`--kind must be one of ${KINDS.join(", ")}, found ${word}`);
}

function numbers(text: string): readonly number[] {
  const found = text === "none" ? [] : text.split(",").map((number) => Number(number));
  if (!found.every((number) => Number.isInteger(number) && number >= 0))
    throw new RangeError(`--keep must be numbers of events, as 0,2, or none; found ${text}`);
  return found;
}
const shrinks = !values["no-shrink"];

/** The seeds of `test/seeds/regressions.json` in their shrunk form, short ones first: most of them live in little time. */
function regressions(): readonly Job[] {
  const file = new URL("../test/seeds/regressions.json", import.meta.url);
  const found = JSON.parse(readFileSync(file, "utf8")) as readonly { kind: Job["kind"]; seed: number; keep: string }[];
  const jobs = found.map(({ kind, seed, keep }): Job => ({ kind, seed, keep: numbers(keep), shrinks }));
  return [...jobs.filter(({ kind }) => kind !== "standard"), ...jobs.filter(({ kind }) => kind === "standard")];
}

/** Each long one comes before its share of the short ones: wherever the run stops, both kinds are covered. */
function asked(): readonly Job[] {
  const [count, from] = [whole("count"), whole("from")];
  const [standard, standardFrom] = [whole("standard"), whole("standard-from")];
  const kind = kindOf(values.kind);
  const keep = values.keep === undefined ? null : numbers(values.keep);
  const shorts = Array.from({ length: count }, (_, at): Job => ({ kind, seed: from + at, keep, shrinks }));
  const share = standard > 0 ? count / standard : 0;
  const groups = Array.from({ length: standard }, (_, at): readonly Job[] => [
    { kind: "standard", seed: standardFrom + at, keep, shrinks },
    ...shorts.slice(Math.floor(at * share), Math.floor((at + 1) * share)),
  ]);
  return standard > 0 ? groups.flat() : shorts;
}

const cpuSecondsMax = values["cpu-seconds"] === undefined ? Infinity : Number(values["cpu-seconds"]);
if (!(cpuSecondsMax > 0)) throw new RangeError(`--cpu-seconds must be above 0, found ${values["cpu-seconds"]}`);

const PROGRESS_EVERY_MS = 10_000;
const beganMs = performance.now();
let reportedMs = beganMs;

/** Shows the progress of long work on standard error. */
function showProgress(count: number): void {
  const nowMs = performance.now();
  if (values.json || nowMs - reportedMs < PROGRESS_EVERY_MS) return;
  reportedMs = nowMs;
  const leftSeconds = Math.round(((nowMs - beganMs) / sums.seeds) * (count - sums.seeds)) / 1_000;
  console.error(`${sums.seeds} of ${count} seeds, ${sums.failed} failed; about ${Math.ceil(leftSeconds)} s left`);
}

const COUNTED = ["faults", "deaths", "rows", "writes", "fills", "readyMs", "suspendedMs", "tookMs"] as const;
const sums = {
  ...{ seeds: 0, failed: 0, faults: 0, deaths: 0, rows: 0, writes: 0, fills: 0 },
  ...{ readyMs: 0, suspendedMs: 0, tookMs: 0 },
};

function report(line: SeedLine): void {
  sums.seeds += 1;
  sums.failed += line.violations.length > 0 ? 1 : 0;
  for (const name of COUNTED) sums[name] += line[name];
  if (values.json) return void console.log(JSON.stringify(line));
  if (line.violations.length === 0) return;
  console.log(`seed ${line.seed} failed: ${line.replay ?? ""}`);
  for (const { id, what } of line.violations.slice(0, 10)) console.log(`  ${id}: ${what}`);
}

/**
 * A seed runs much code only a few times, so compiling it simply at once costs less than interpreting it, and only code
 * used unusually often is worth optimising; its objects are short-lived, so a larger young generation helps, and code
 * that rested for a while is needed again. Together a fifth over seventy seeds. The engine of Node 22 no longer has the
 * budget, and refuses to start with it.
 */
const FLAGS = [
  ...["--always-sparkplug", ...(Number.parseInt(process.versions.v8) < 12 ? ["--interrupt-budget=400000"] : [])],
  ...["--min-semi-space-size=64", "--max-semi-space-size=64", "--no-flush-bytecode"],
];

/** Wherever a run stops, as large a share of either has lived. */
function spread(some: readonly Job[], others: readonly Job[]): readonly Job[] {
  const share = others.length / some.length;
  return some.flatMap((job, at) => [job, ...others.slice(Math.floor(at * share), Math.floor((at + 1) * share))]);
}

function jobsOf({ regressions: found, count }: typeof values): readonly Job[] {
  if (!found) return asked();
  return count === undefined ? regressions() : spread(regressions(), asked());
}

const jobs = jobsOf(values);
await handOut<Job, SeedLine>({
  worker: "scripts/seeds/worker.ts",
  jobs,
  workers: Math.min(whole("workers", 1), jobs.length),
  traced: values.keep !== undefined,
  flags: FLAGS,
  mayBegin: (cpuSeconds) => cpuSeconds < cpuSecondsMax,
  report: (line) => {
    report(line);
    showProgress(jobs.length);
  },
});
if (!values.json) {
  if (sums.seeds < jobs.length)
    console.log(`${jobs.length - sums.seeds} seeds were not begun: the processor time of --cpu-seconds was used`);
  const kinds = [...new Set(jobs.map(({ kind }) => kind))].join(" and ");
  console.log(
    `${sums.seeds} ${kinds} seeds, ${sums.failed} failed; ${sums.faults} faults, ${sums.deaths} deaths, ${sums.rows} rows, ` +
      `${sums.writes} writes at the venue, ${sums.fills} fills; ${Math.round(sums.tookMs / Math.max(1, sums.seeds))} ms a seed; ` +
      `deadlines suspended for ${((100 * sums.suspendedMs) / Math.max(1, sums.readyMs)).toFixed(1)} % of the time`,
  );
}
process.exitCode = sums.failed > 0 ? 1 : 0;
