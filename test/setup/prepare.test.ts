/** `npx ballast` runs `prepare` in the checkout of a running agent: it must not replace a current build. */
import { spawnSync } from "node:child_process";
import { mkdirSync, utimesSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folder } from "../support/process.ts";

const PREPARE = path.resolve("scripts/prepare.mjs");

test("builds only where a source is newer than the build", () => {
  const made = folder();
  onTestFinished(() => made.remove());
  for (const dir of ["src/core", "scripts", "dist"]) mkdirSync(path.join(made.dir, dir), { recursive: true });
  const source = made.file("src/core/time.ts", "");
  made.file("package.json", "{}");
  made.file("scripts/build.mjs", "console.log('builds');");
  const prepared = (): string => spawnSync(process.execPath, [PREPARE], { cwd: made.dir, encoding: "utf8" }).stdout;
  expect(prepared()).toContain("builds");
  const built = made.file("dist/svc-help.txt", "");
  const later = Date.now() / 1_000 + 60;
  utimesSync(built, later, later);
  expect(prepared()).toBe("");
  utimesSync(source, later + 1, later + 1);
  expect(prepared()).toContain("builds");
});
