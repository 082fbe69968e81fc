/** The log file of the data folder: bounded, whole after an unclean end, and no concern of trading when the disk is full. */
import { appendFileSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { logPath, olderLogPath, openLogFile } from "../../src/ops/log-file.ts";
import { folder, takenDown } from "../support/process.ts";

const { folders } = takenDown();

function place(): string {
  const made = folder();
  folders.push(made);
  return made.dir;
}

test("two files of a bounded size hold the newest lines, also over a restart", () => {
  const dir = place();
  for (const run of [0, 1, 2]) {
    const file = openLogFile(dir, expect.fail, 1_000);
    for (let n = 0; n < 20; n++) file.write(`{"run":${run},"n":${n},"pad":"${"x".repeat(30)}"}\n`);
    file.close();
  }
  const lines = [olderLogPath(dir), logPath(dir)].flatMap((file) => readFileSync(file, "utf8").trim().split("\n"));
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines.slice(-20).map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([...Array(20).keys()]);
  expect(existsSync(`${olderLogPath(dir)}.1`)).toBe(false);
});

test("a line that a kill cut off does not swallow the next one", () => {
  const dir = place();
  appendFileSync(logPath(dir), '{"whole":1}\n{"cut":');
  const file = openLogFile(dir, expect.fail);
  file.write('{"next":1}\n');
  file.close();
  expect(readFileSync(logPath(dir), "utf8")).toBe('{"whole":1}\n{"cut":\n{"next":1}\n');
});

test("a full disk and a folder that is gone are reported once and throw nothing", () => {
  const full = place();
  symlinkSync("/dev/full", logPath(full));
  for (const dir of [full, `${place()}/gone`]) {
    const troubles: string[] = [];
    const file = openLogFile(dir, (reason) => troubles.push(reason));
    for (let n = 0; n < 100_000; n++) file.write("a line that the disk does not take\n");
    file.close();
    expect(troubles).toEqual([expect.stringMatching(/ENOSPC|ENOENT/)]);
  }
});
