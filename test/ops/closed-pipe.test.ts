/** `ballast reasons | head` is an everyday thing: the reader goes, and the program ends without a word of its own. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { programArgs } from "../support/bundled-program.ts";

test("a reader that goes early leaves no stack trace behind", { timeout: 60_000 }, async () => {
  const command = `"${process.execPath}" ${programArgs("ballast").join(" ")} config schema | head -c 1`;
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(out).toBe("{");
  expect(errors).toBe("");
});
