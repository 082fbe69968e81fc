/** Refusals that reach the program from one of its parts, each of which has its own copy of the classes. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { openJournal } from "../../src/journal/journal.ts";
import { virtualEnv } from "../journal/support.ts";
import { programArgs } from "../support/bundled-program.ts";
import { folder, takenDown } from "../support/process.ts";
import { rawRow } from "../support/raw-row.ts";

const HANG_MS = 120_000;
const { folders } = takenDown();

function answerOf(args: readonly string[], variables: Record<string, string> = {}) {
  const env = { PATH: process.env["PATH"] ?? "", ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...programArgs("ballast"), ...args], {
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

test.each([["status"], ["budget"]])(
  "an unreadable environment is a sentence of %s",
  { timeout: HANG_MS },
  (command) => {
    const { status, stdout, stderr } = answerOf([command], { BALLAST_DATA_DIR_FILE: "/nowhere/at/all" });
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toMatch(/^ballast: BALLAST_DATA_DIR_FILE.*\n$/);
  },
);

test("a row that this build cannot read is a sentence with its number", { timeout: HANG_MS }, () => {
  const made = folder();
  folders.push(made);
  const dataDir = `${made.dir}/data`;
  mkdirSync(dataDir);
  const journal = openJournal({ path: `${dataDir}/journal.db`, env: virtualEnv(), runId: "b" });
  journal.append(rawRow("equity", { equityUsdt: "a lot", positions: 0 }));
  journal.close();
  const { status, stdout, stderr } = answerOf(["status", "--data-dir", dataDir]);
  expect({ status, stdout }).toEqual({ status: 4, stdout: "" });
  expect(stderr).toMatch(/^ballast: this build cannot read the journal: row 1 of kind equity: equityUsdt: .*\n$/);
});
