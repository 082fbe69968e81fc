/** `ballast verify` as a command: what it finds by itself, what it leaves aside, and files named for what they are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { VerifyOptions } from "../../src/faces/cli/verify-command.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { keepPracticeKeys, openPracticeRecord } from "../../src/daemon/practice-record.ts";
import { openPracticeState } from "../../src/daemon/practice-state.ts";
import { verifyProgram } from "../../src/main/verify.ts";
import { rawRow } from "../support/raw-row.ts";

const HASH = "e".repeat(64);
const KEY = "practice-key-0123456789";

const TERMS = { seed: 1, profile: "usual", exchanges: ["EXCHANGE_A"], data: null, window: null };

/** A data folder with one short run for each of the runs; the practice venue kept those from `keptFrom` on. */
function dataOf(starts: readonly string[], keptFrom = 0): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-verify-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const clock = virtualClock(Date.UTC(2026, 0, 5));
  const entropy = seededEntropy(1);
  const env = { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) };
  for (const runId of starts) {
    const journal = openJournal({ path: path.join(dataDir, "journal.db"), env, runId });
    const file = { path: "x.md", real: "/app/prompts/x.md", root: "/app/prompts", sha256: HASH };
    journal.append(rawRow("boot", { boot: runId, strategy: "hold", files: [file], hosts: ["127.0.0.1:1"] }));
    clock.advanceSync(10_000);
    journal.append(rawRow("beat", { stage: "starting", gauges: {}, said: {}, met: ["127.0.0.1:1"], visits: [] }));
    journal.append(rawRow("stop", { reason: "a test" }));
    journal.close();
    clock.advanceSync(10_000);
  }
  openPracticeRecord(dataDir, false);
  for (const runId of starts.slice(keptFrom)) {
    const state = openPracticeState(dataDir, TERMS, { runId, onTrouble: () => undefined });
    if (state.ok) state.value.close();
  }
  keepPracticeKeys(dataDir, [KEY]);
  return dataDir;
}

interface Reported {
  readonly code: number;
  readonly complaint: string;
  readonly verdicts: Readonly<Record<string, string>>;
}

async function judged(options: Partial<VerifyOptions>): Promise<Reported> {
  const written = { out: "", err: "" };
  const listen = (name: "stdout" | "stderr", into: "out" | "err") =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      written[into] += String(chunk);
      return true;
    });
  const spies = [listen("stdout", "out"), listen("stderr", "err")];
  const code = await verifyProgram({ skew: 0, format: "json", ...options });
  for (const spy of spies) spy.mockRestore();
  const report =
    written.out === ""
      ? { invariants: [] }
      : (JSON.parse(written.out) as { invariants: { id: string; verdict: { kind: string } }[] });
  return {
    code,
    complaint: written.err,
    verdicts: Object.fromEntries(report.invariants.map(({ id, verdict }) => [id, verdict.kind])),
  };
}

test("what the practice venue kept of its run is read by itself, with its keys", async () => {
  const { code, complaint, verdicts } = await judged({ dataDir: dataOf(["b1"]) });
  expect({ code, complaint }).toEqual({ code: 0, complaint: "" });
  for (const id of ["I20", "I22", "I30", "I31", "I33", "I34", "I36"]) expect(verdicts[id], id).toBe("held");
  // No write reached the venue and no fact came of it: empty evidence proves nothing about writes and fills.
  expect(Object.keys(verdicts).filter((id) => verdicts[id] === "not judged")).toEqual([
    "I1",
    "I3",
    "I5",
    "I8",
    "I9",
    "I10",
    "I13",
    "I14",
    "I28",
    "I32",
    "I35",
  ]);
});

test("what it kept of several runs is read as one", async () => {
  const { verdicts, complaint } = await judged({ dataDir: dataOf(["b1", "b2"]) });
  expect([complaint, verdicts["I20"]]).toEqual(["", "held"]);
});

test("a record that lacks the first runs is left aside, and that is said", async () => {
  const { verdicts, complaint } = await judged({ dataDir: dataOf(["b1", "b2"], 1) });
  expect(complaint).toContain("lacks 1 of the 2 runs of this journal and is ignored");
  expect(verdicts["I10"]).toBe("not judged");
});

test("files are judged as what they were named for", async () => {
  const dataDir = dataOf(["b1"]);
  const file = (name: string, content: string): string => {
    const full = path.join(dataDir, name);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  };
  const talk = file("tools.txt", `${JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })}\n`);
  const noise = file("noise.txt", "Server started\n");
  const log = file(
    "run.log",
    `${JSON.stringify({ evt: "order.filled", time: "2026-01-05T00:00:05Z", clientOrderId: "i-1" })}\n`,
  );
  const door = file(
    "door.txt",
    `${JSON.stringify({ method: "GET", host: "evil.example", loopback: true, status: 200, body: "" })}\n`,
  );
  expect((await judged({ dataDir, mcpStdout: [talk] })).verdicts["I32"]).toBe("held");
  expect((await judged({ dataDir, mcpStdout: [talk, noise] })).verdicts["I32"]).toBe("violated");
  expect((await judged({ dataDir, log: [log] })).verdicts["I36"]).toBe("violated");
  expect((await judged({ dataDir, http: [door] })).verdicts["I33"]).toBe("violated");
  const leak = file("leak.log", `connected with ${KEY}\n`);
  expect(await judged({ dataDir, log: [leak] })).toMatchObject({ code: 1, verdicts: { I31: "violated" } });
  const own = file("approved", `${HASH}  prompts/x.md\n`);
  expect((await judged({ dataDir, hashes: own })).verdicts["I34"]).toBe("held");
  const other = file("others", `${"f".repeat(64)}  prompts/x.md\n`);
  expect((await judged({ dataDir, hashes: other })).verdicts["I34"]).toBe("violated");
});

test.each([
  ["", /^ballast: the list of hashes is empty: /],
  [`${HASH}  prompts/x.md\nnot a hash at all\n`, /^ballast: the list of hashes begins its line 2 with "not": /],
])("a list of hashes that is none is a usage error and accuses no file: %j", async (content, said) => {
  const dataDir = dataOf(["b1"]);
  const hashes = path.join(dataDir, "approved");
  writeFileSync(hashes, content);
  expect(await judged({ dataDir, hashes })).toMatchObject({ code: 2, complaint: expect.stringMatching(said) });
});

test("a journal that is no database is named", async () => {
  const dataDir = dataOf(["b1"]);
  const journal = path.join(dataDir, "notes.txt");
  writeFileSync(journal, "these are notes and no journal, however long they may go on ".repeat(20));
  expect(await judged({ journal })).toMatchObject({
    code: 4,
    complaint: `ballast: ${journal} cannot be read as a journal: file is not a database\n`,
  });
});

test("a file that is not there is named", async () => {
  const dataDir = dataOf(["b1"]);
  expect(await judged({ dataDir, log: ["/nowhere/run.log"] })).toMatchObject({
    code: 2,
    complaint: "ballast: there is no /nowhere/run.log\n",
  });
  expect((await judged({ dataDir: "/nowhere" })).complaint).toContain("there is no /nowhere/journal.db");
});
