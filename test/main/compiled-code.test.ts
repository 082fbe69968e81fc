/** The compiled code beside a script: used if it is whole and of this Node, and otherwise as if it were not there. */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Script } from "node:vm";
import { expect, onTestFinished, test } from "vitest";

const LAUNCHER = path.join(import.meta.dirname, "../../scripts/launcher.cjs");
/** Both of one length: V8 knows them apart by that alone, so that the word shows which of them ran. */
const SCRIPT = sourceOf("script");
const COMPILED = sourceOf("cached");
/** Where V8 puts the hash of its version. */
const VERSION_AT = 4;

function sourceOf(word: "script" | "cached"): string {
  return `(function (exports, require, module) { function said() { return "${word}"; } console.log(said()); })`;
}

function codeOf(source: string): Buffer {
  const script = new Script(source);
  const run = script.runInThisContext() as (exports: object, require: null, module: null) => void;
  const { log } = console;
  console.log = () => undefined;
  run({}, null, null);
  console.log = log;
  return script.createCachedData();
}
const CODE = codeOf(COMPILED);
const twice = (code: Buffer): Buffer => Buffer.concat([code, code]);

function programWith(compiled: Buffer | null): { readonly folder: string; readonly file: string } {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "compiled-code-")), "main");
  onTestFinished(() => rmSync(path.dirname(folder), { recursive: true, force: true }));
  mkdirSync(folder);
  const file = path.join(folder, "some.cjs");
  copyFileSync(LAUNCHER, file);
  writeFileSync(path.join(folder, "script-some.cjs"), SCRIPT);
  if (compiled) writeFileSync(path.join(folder, "script-some.cjs.code"), compiled);
  return { folder, file };
}

function saidWith(compiled: Buffer | null): string {
  const { stdout, stderr, signal } = spawnSync(process.execPath, [programWith(compiled).file], { encoding: "utf8" });
  expect([signal, stderr]).toEqual([null, ""]);
  return stdout.trim();
}

const changed = (code: Buffer, at: number): Buffer => {
  const copy = Buffer.from(code);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
  return copy;
};

test("whole code runs in place of the script", () => {
  expect(saidWith(null)).toBe("script");
  expect(saidWith(twice(CODE))).toBe("cached");
});

test("damaged code, and code of another version of V8, is not run", () => {
  const whole = twice(CODE);
  const damaged: Record<string, Buffer> = {
    "of another version": twice(changed(CODE, VERSION_AT)),
    "cut in half": whole.subarray(0, CODE.length),
    "a byte short": whole.subarray(0, -1),
    "without its second half's contents": Buffer.from(whole).fill(0, CODE.length),
    "with a changed bit": changed(whole, CODE.length >> 1),
    "with a changed bit in its second half": changed(whole, CODE.length + (CODE.length >> 1)),
    "garbage behind a good head": Buffer.from(whole).fill("garbage", 64),
    "garbage alone": Buffer.alloc(whole.length, "garbage"),
    zeros: Buffer.alloc(whole.length),
    empty: Buffer.alloc(0),
  };
  for (const [what, compiled] of Object.entries(damaged))
    expect(`${what}: ${saidWith(compiled)}`).toBe(`${what}: script`);
});

test("programs that start at the same time read the code and write nothing beside it", async () => {
  const { folder, file } = programWith(twice(CODE));
  const looked = () => readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).mtimeMs]);
  const before = looked();
  const said = await Promise.all(
    Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
      return child.stdout.toArray().then((parts) => Buffer.concat(parts as Buffer[]).toString());
    }),
  );
  expect(said).toEqual(Array.from({ length: 4 }, () => "cached\n"));
  expect(looked()).toEqual(before);
});
