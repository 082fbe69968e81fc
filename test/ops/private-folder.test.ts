/** A data folder is closed to others at the start, and files that stand for others are refused. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePrivate } from "../../src/ops/private-folder.ts";

function dataDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-private-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test.each([
  [0o755, true],
  [0o750, true],
  [0o700, false],
])("a folder of mode %o is its owner's alone afterwards", (mode, tightened) => {
  const dir = dataDir();
  chmodSync(dir, mode);
  expect(makePrivate(dir)).toEqual({ ok: true, value: { tightened } });
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test.each(["journal.db", "run.json", "operator.json"])("%s that is a link to a file is refused by its name", (name) => {
  const dir = dataDir();
  const elsewhere = path.join(dataDir(), "elsewhere");
  for (const target of [elsewhere, "/nowhere/at/all"]) {
    writeFileSync(elsewhere, "");
    symlinkSync(target, path.join(dir, name));
    expect(makePrivate(dir)).toMatchObject({ error: expect.stringContaining(`${name} is a symbolic link`) as string });
    rmSync(path.join(dir, name));
  }
});

test("a recording on another disk may be a linked folder", () => {
  const dir = dataDir();
  const disk = path.join(dataDir(), "disk");
  mkdirSync(disk);
  symlinkSync(disk, path.join(dir, "recording"));
  expect(makePrivate(dir)).toMatchObject({ ok: true });
});

const IS_ROOT = process.getuid?.() === 0;

test.skipIf(IS_ROOT)("a folder to which nothing can be written is refused (not as root, who may write all)", () => {
  const dir = dataDir();
  chmodSync(dir, 0o500);
  expect(makePrivate(dir)).toMatchObject({ error: expect.stringContaining("nothing can be written to") as string });
});
