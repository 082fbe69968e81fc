/** The checks of a strategy with data of its own, by the example of docs/STRATEGIES.md, where its file is missing or too late. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { trialWarnings } from "../../src/author/trial-warnings.ts";
import type { PlannedSource } from "../../src/control/sources.ts";
import { isLong } from "../support/lengths.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const own = mkdtempSync(path.join(tmpdir(), "ballast-own-data-"));
const config = path.join(own, "flows.yaml");
const points = path.join(own, "flows.csv");
afterAll(() => rmSync(own, { recursive: true, force: true }));

beforeAll(() => {
  const [, section = ""] = readFileSync(path.join(ROOT, "docs/STRATEGIES.md"), "utf8").split("## Data of your own\n");
  for (const [, name = "", text = ""] of section.matchAll(/^`own\/(\S+)`\n\n```\w+\n([\s\S]*?)```$/gm)) {
    mkdirSync(path.dirname(path.join(own, name)), { recursive: true });
    writeFileSync(path.join(own, name), text.replace("own/flows.csv", points));
  }
});

/** The built program, as an author runs it: files of one's own import the package. */
const checks = (...args: readonly string[]): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", BALLAST_OWN_DIR: own };
    execFile(process.execPath, [path.join(ROOT, "dist/src/main/ballast.cjs"), ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out: `${out}${err}` }),
    );
  });
const strategyCheck = () => checks("strategy", "check", "follow-flows", "--config", config, "--snapshots", "4");

test("with its points the strategy passes both checks", async () => {
  const [tried, checked] = await Promise.all([strategyCheck(), checks("config", "check", config)]);
  expect([tried.code, checked.code], `${tried.out}\n${checked.out}`).toEqual([0, 0]);
  expect(tried.out).toContain("follow-flows passed (with");
}, 60_000);

test.runIf(isLong)(
  "without its file both checks fail and name it; the trial says why all abstained",
  async () => {
    rmSync(points);
    const [tried, checked] = await Promise.all([strategyCheck(), checks("config", "check", config)]);
    expect([tried.code, checked.code]).toEqual([3, 3]);
    const lack = `source flows gives strategy follow-flows no data: ${points} does not exist; create it, or give another path`;
    expect(tried.out).toContain(`  - sources.flows.file: ${lack}`);
    expect(tried.out).toContain(
      "  - warning: all 4 decisions abstained, so nothing of what it would trade was tried: ",
    );
    expect(tried.out).toContain(": the flows are not known, or stale (4 times)");
    expect(checked.out).toMatch(/error: .*flows\.yaml:5:\d+ sources\.flows\.file: source flows gives/);
    expect(checked.out).toContain(lack);
  },
  60_000,
);

test.runIf(isLong)(
  "points of a later time are a warning: the trial has none of them",
  async () => {
    writeFileSync(points, "2026-02-01T00:00:00Z,40\n");
    const { code, out } = await strategyCheck();
    expect([code, out.split("\n")[0]]).toEqual([0, expect.stringContaining("passed, with 2 warnings")]);
    expect(out).toContain(
      "source flows gave no data: it has no point of the time of the trial, which begins at 2026-01-05",
    );
  },
  60_000,
);

test("a source that a check does not ask is named with what to do; one that failed is an error elsewhere", () => {
  const reader = { reader: { name: "flows", description: "", settings: z.unknown(), read: () => [] }, settings: {} };
  const plan: PlannedSource = {
    ...{ kind: "polled", name: "flows", staleAfterMs: 60_000, everyMs: 10_000, reader },
    origin: { kind: "url", url: "https://example.org/flows", header: null },
  };
  const warnings = (plans: readonly PlannedSource[], sources: Parameters<typeof trialWarnings>[0]["sources"]) =>
    trialWarnings({ snapshots: 2, onlyAbstained: [], reviewed: 0, onlyRefused: [], sources }, plans);
  expect(warnings([plan], [{ name: "flows", atMs: null, failing: "no network" }])).toEqual([
    "source flows gave no data: a check has no network and does not ask https://example.org/flows; set file or recording instead to try it",
  ]);
  expect(warnings([plan], [{ name: "flows", atMs: 1, failing: null }])).toEqual([]);
  expect(warnings([], [{ name: "flows", atMs: null, failing: "no such file" }])).toEqual([]);
});
