/** The example of docs/STRATEGIES.md, "Data of your own", as the page prints it: its files, its commands, what it says of them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readJournal } from "../../src/journal/reader.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import { pagesOf, seenBy } from "../../src/report/decisions/pages.ts";
import { readDecision } from "../../src/rows/decision.ts";
import { readPosition } from "../../src/rows/position.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const [, SECTION = ""] = readFileSync(path.join(ROOT, "docs/STRATEGIES.md"), "utf8").split("## Data of your own\n");
const FILES = [...SECTION.matchAll(/^`(own\/\S+)`\n\n```\w+\n([\s\S]*?)```$/gm)].map(([, name = "", text = ""]) => ({
  name,
  text,
}));
const COMMANDS = [...SECTION.matchAll(/```bash\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.trim().split("\n"));

const at = (time: string): number => Date.parse(`2026-01-05T${time}Z`);

test("three files are a strategy with data of its own: what they do is what the page says", () => {
  expect(FILES.map(({ name }) => name)).toEqual([
    "own/sources/flows.ts",
    "own/strategies/follow-flows.ts",
    "own/flows.yaml",
    "own/flows.csv",
  ]);
  const home = mkdtempSync(path.join(tmpdir(), "ballast-own-source-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, "node_modules/ballast"), { recursive: true });
  for (const part of ["dist", "package.json", "node_modules"])
    symlinkSync(path.join(ROOT, part), path.join(home, "node_modules/ballast", part));
  for (const { name, text } of FILES) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
  const texts = COMMANDS.map((command) => {
    const [npx, program, ...args] = command.split(" ");
    expect([npx, program]).toEqual(["npx", "ballast"]);
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    const run = spawnSync(process.execPath, [path.join(ROOT, "dist/src/main/ballast.cjs"), ...args], {
      cwd: home,
      env,
      encoding: "utf8",
    });
    expect(run.status, run.stderr).toBe(0);
    return run.stdout;
  });
  expect(texts[1]).toMatch(/source flows \(29m \d+s old, STALE\): netBtc 25\n/);
  expect(texts[1]).toContain("the same abstention");

  const dataDir = path.join(home, "kept/follow-flows");
  const reader = readJournal(journalPath(dataDir));
  onTestFinished(() => reader.close());
  const changes = reader.rows({ kinds: ["position"] }).map((row) => ({ atMs: row.atMs, ...readPosition(row) }));
  expect(changes.map(({ kind }) => kind)).toEqual(["opened", "closed"]);
  const [opened = 0, closed = 0] = changes.map(({ atMs }) => atMs);
  expect(opened).toBeGreaterThan(at("09:40:00"));
  expect(opened).toBeLessThan(at("09:42:00"));
  expect(closed).toBeGreaterThan(at("10:00:00"));
  expect(closed).toBeLessThan(at("10:02:00"));

  const decisions = reader.rows({ kinds: ["decision"] }).map((row) => ({ ...row, read: readDecision(row) }));
  for (const { atMs, read, decisionId } of decisions) {
    if ("by" in read) expect(read.kind === "abstain", new Date(atMs).toISOString()).toBe(atMs > at("10:15:00"));
    if (!("trigger" in read)) continue;
    const [fact] = read.snapshot.facts ?? [];
    // Never a point whose time had not come.
    expect(fact?.atMs ?? Infinity).toBeLessThanOrEqual(atMs);
    expect(read.snapshot.missing.some((lack) => lack.startsWith("source flows is"))).toBe(atMs > at("10:15:00"));
    // The page that a rerun judges on holds the same.
    const page = seenBy(pagesOf(reader, dataDir, decisionId ?? ""));
    expect(page?.snapshot.facts["flows"]).toMatchObject({ values: fact?.values, atMs: fact?.atMs, stale: fact?.stale });
  }
  expect(decisions.length).toBeGreaterThan(100);
}, 180_000);
