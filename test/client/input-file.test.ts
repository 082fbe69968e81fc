/** `svc --input @FILE` reads plain files of moderate size, and waits for nothing. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readInputFile } from "../../src/client/input-file.ts";

test("a plain file is read; a folder, a device, a pipe and a huge file are refused with the reason", () => {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-input-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const at = (name: string): string => path.join(dir, name);
  writeFileSync(at("order.json"), '{"symbol":"BTC"}');
  writeFileSync(at("huge.json"), Buffer.alloc(1_048_577, 32));
  execFileSync("mkfifo", [at("pipe")]);
  expect(readInputFile(at("order.json"))).toBe('{"symbol":"BTC"}');
  expect(() => readInputFile(at("huge.json"))).toThrow(/has 1048577 bytes/);
  for (const odd of ["/dev/zero", dir, at("pipe")]) expect(() => readInputFile(odd)).toThrow(/not a regular file/);
  expect(() => readInputFile(at("absent"))).toThrow(/ENOENT/);
});
