/**
 * Fault simulation in CI: seeds found before, some fresh ones shared by two processes, a few longer ones, and the proof
 * that equal seeds give equal journals in two processes. Campaigns run by hand: `npm run seeds -- --count 100000`.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KINDS } from "./plan.ts";
import { lengthOf } from "../support/lengths.ts";

/** How many CI lives through; a machine with time to spare takes more: `BALLAST_SEEDS=1000,100`. */
const [SHORT = 40, STANDARD = 2] = (process.env["BALLAST_SEEDS"] ?? "40,2").split(",").map(Number);
const [FROM, STANDARD_FROM] = [2_000, 1];
/** So many live once more, in a process of their own. */
const TWICE = lengthOf(4, 8);
/**
 * Processor seconds for the campaign: no new seed begins after that, and on a slow machine fewer live. Where they are
 * counted, one process takes them all, because each spends some on loading the agent.
 */
const CPU_SECONDS = process.env["BALLAST_SEEDS_CPU"];
const LIMITS = CPU_SECONDS === undefined ? [] : ["--cpu-seconds", CPU_SECONDS, "--workers", "1"];
/** Per seed, on a machine that is shared by others. */
const PATIENCE_MS = { short: 10_000, standard: 60_000 };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../../scripts/seeds.ts", import.meta.url));

/** A seed that once failed. `found` says what it showed; it must never fail again. */
const Regressions = z.array(
  z.strictObject({
    kind: z.enum(KINDS),
    seed: z.number().int(),
    /** Numbers of the events that were needed, or `none`. */
    keep: z.string().regex(/^(none|\d+(,\d+)*)$/),
    found: z.string().min(20),
  }),
);

const Line = z.object({
  seed: z.number(),
  kind: z.enum(KINDS),
  hash: z.string(),
  faults: z.number(),
  deaths: z.number(),
  fills: z.number(),
  violations: z.array(z.object({ id: z.string(), what: z.string() })),
  replay: z.string().nullable(),
});
type Line = z.infer<typeof Line>;

function seeds(...flags: readonly string[]): Promise<readonly Line[]> {
  const child = spawn(process.execPath, ["--import", "tsx", SCRIPT, "--json", ...flags], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // They live on virtual time and can wait; tests beside them, over real sockets, cannot.
  if (child.pid !== undefined) setPriority(child.pid, 10);
  let reported = "";
  child.stdout.on("data", (chunk: Buffer) => (reported += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== 0 && code !== 1) return reject(new Error(`seeds ended with ${code}`));
      const lines = reported.split("\n").filter((line) => line !== "");
      resolve(lines.map((line) => Line.parse(JSON.parse(line))));
    });
  });
}

const failures = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap(({ violations, replay }) => violations.map(({ id, what }) => `${replay ?? ""} ${id}: ${what}`));

/** A twentieth at least: a machine that is slower than that is ill, or the agent has become slow. Says how many it was. */
function enough(lines: readonly Line[], wanted: number): boolean {
  if (lines.length < wanted) console.warn(`${lines.length} of ${wanted} seeds lived within their processor time`);
  return lines.length >= wanted / 20;
}

const regressions = Regressions.parse(JSON.parse(readFileSync(new URL("regressions.json", import.meta.url), "utf8")));

let lived: Promise<readonly Line[]> | undefined;
/** One campaign for both tests: loading the agent takes as long as four seeds. */
const campaign = (): Promise<readonly Line[]> =>
  (lived ??= seeds(
    ...["--regressions", "--count", String(SHORT), "--from", String(FROM)],
    ...["--standard", String(STANDARD), "--standard-from", String(STANDARD_FROM), ...LIMITS],
  ));

// What a seed shows it shows every time: a second try would only cost time.
describe("seeds", { retry: 0 }, () => {
  test(
    "that once failed pass, and fresh ones hold every invariant under faults, deaths and restarts",
    { timeout: 600_000 + SHORT * PATIENCE_MS.short + STANDARD * PATIENCE_MS.standard },
    async () => {
      const lines = await campaign();
      expect(enough(lines, regressions.length + SHORT + STANDARD)).toBe(true);
      expect(failures(lines)).toEqual([]);
      const fresh = (kind: Line["kind"], from: number, count: number): readonly Line[] =>
        lines.filter((line) => line.kind === kind && line.seed >= from && line.seed < from + count);
      const short = fresh("short", FROM, SHORT);
      expect(enough(short, SHORT)).toBe(true);
      expect(enough(fresh("standard", STANDARD_FROM, STANDARD), STANDARD)).toBe(true);
      const sum = (figure: (line: Line) => number): number => short.reduce((total, line) => total + figure(line), 0);
      // A simulation in which nothing happens would pass as well.
      expect(sum(({ faults }) => faults)).toBeGreaterThan(2 * short.length);
      expect(sum(({ deaths }) => deaths)).toBeGreaterThan(0.4 * short.length);
      expect(sum(({ fills }) => fills)).toBeGreaterThan(2 * short.length);
    },
  );

  test("are the same run in every process", { timeout: 240_000 }, async () => {
    const flags = ["--count", String(TWICE), "--from", String(FROM), "--no-shrink", "--workers", "1"];
    const again = await seeds(...flags);
    const hashes = new Map((await campaign()).map(({ kind, seed, hash }) => [`${kind} ${seed}`, hash]));
    const both = again.filter(({ seed }) => hashes.has(`short ${seed}`));
    expect(both.map(({ seed, hash }) => [seed, hash])).toEqual(
      both.map(({ seed }) => [seed, hashes.get(`short ${seed}`)]),
    );
    expect(both.length).toBeGreaterThan(0);
    expect(new Set(again.map(({ hash }) => hash)).size).toBe(TWICE);
  });
});
