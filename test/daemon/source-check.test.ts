/** What a check says of a source before anything runs: the strategy, the source, the file, what is wrong and what to do. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import type { PlannedSource } from "../../src/control/sources.ts";
import { sourceFindings } from "../../src/daemon/source-check.ts";
import type { SourceReader } from "../../src/strategy/source.ts";

const dir = mkdtempSync(path.join(tmpdir(), "ballast-source-check-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = path.join(dir, "flows.csv");

/** Lines of time and value. */
const lines: SourceReader["read"] = (text) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(","))
    .map(([time = "", value]) => ({ atMs: Date.parse(time), values: { value: Number(value) } }));

const polled = (place: string, read: SourceReader["read"] = lines): PlannedSource => ({
  ...{ kind: "polled", name: "flows", staleAfterMs: 60_000, everyMs: 10_000, origin: { kind: "file", path: place } },
  reader: { reader: { name: "flows", description: "Flows.", settings: z.unknown(), read }, settings: {} },
});
const played = (place: string): PlannedSource => ({ kind: "played", name: "flows", staleAfterMs: 60_000, path: place });

const textOf = (plan: PlannedSource): readonly string[] =>
  sourceFindings([plan], "follow-flows").map(({ severity, path: at, message }) => `${severity}: ${at}: ${message}`);

const NONE = "source flows gives strategy follow-flows no data:";
const REPAIR = "correct it, or the function read of source flows";

test.each<readonly [string, string, SourceReader["read"] | undefined, readonly string[]]>([
  ["points, one of them of the future", "2026-01-05T09:25:00Z,4\n2999-01-01T00:00:00Z,5", undefined, []],
  ["nothing", "", undefined, [`error: sources.flows.file: ${NONE} ${file} has no points; write points to it`]],
  [
    "another text",
    "<html>\n<body>",
    undefined,
    [
      `error: sources.flows.file: ${NONE} ${file} has no valid point (a point without atMs, epoch milliseconds); ${REPAIR}`,
    ],
  ],
  [
    "a heading above its points",
    "time,value\n2026-01-05T09:25:00Z,4",
    undefined,
    [
      `warning: sources.flows.file: source flows gives strategy follow-flows not all data: ${file} has 1 malformed point (a point without atMs, epoch milliseconds); ${REPAIR}`,
    ],
  ],
  [
    "a text on which its reader fails",
    "{",
    (text) => JSON.parse(text) as [],
    [expect.stringMatching(/^error: sources\.flows\.file: .*flows\.csv cannot be parsed \(.*JSON.*\); correct it, or/)],
  ],
  [
    "a text that its reader does not turn into a list",
    '"x"',
    (text) => JSON.parse(text) as [],
    [`error: sources.flows.file: ${NONE} ${file} was not read as a list of points; ${REPAIR}`],
  ],
])("a file of %s", (_, text, read, found) => {
  writeFileSync(file, text);
  expect(textOf(polled(file, read))).toEqual(found);
});

test("a reader that hangs once is asked again; one that always hangs is named", () => {
  writeFileSync(file, "2026-01-05T09:25:00Z,4");
  let calls = 0;
  const hangsOnce: SourceReader["read"] = (text) => {
    calls += 1;
    while (calls === 1);
    return lines(text, {});
  };
  expect(textOf(polled(file, hangsOnce))).toEqual([]);
  const hangs: SourceReader["read"] = () => {
    for (;;);
  };
  expect(textOf(polled(file, hangs))[0]).toContain("cannot be parsed (it did not return within 200 ms)");
});

test("a file that is missing, or is a folder", () => {
  const missing = path.join(dir, "flaws.csv");
  expect(textOf(polled(missing))).toEqual([
    `error: sources.flows.file: ${NONE} ${missing} does not exist; create it, or give another path`,
  ]);
  expect(textOf(polled(dir))).toEqual([
    `error: sources.flows.file: ${NONE} ${dir} cannot be read (EISDIR); make it a readable file, or give another path`,
  ]);
});

test("a recording of points, of lines that are none, and a folder without any", () => {
  writeFileSync(file, '{"ts_ms":1767605100000,"values":{"netBtc":4}}\n');
  expect(textOf(played(file))).toEqual([]);
  writeFileSync(file, "netBtc 4\n");
  const repair = "correct it by docs/DATA-FORMAT.md, or record it again";
  expect(textOf(played(file))).toEqual([
    `error: sources.flows.recording: ${NONE} ${file} has no valid point (a line that is no point); ${repair}`,
  ]);
  expect(textOf(played(dir))[0]).toContain("cannot be parsed (");
});

test("an address is not asked", () => {
  const plan = polled(file);
  if (plan.kind !== "polled") throw new Error("it is polled");
  expect(textOf({ ...plan, origin: { kind: "url", url: "http://127.0.0.1:1/flows", header: null } })).toEqual([]);
});
