/** `ballast reasons | head` is an everyday thing: the reader goes, and the program ends without a word of its own. */
import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { outliveReaders, writeOut } from "../../src/ops/closed-pipe.ts";
import { programArgs } from "../support/bundled-program.ts";

const { takes } = vi.hoisted(() => ({ takes: vi.fn<(fd: number, bytes: Uint8Array) => number>() }));
vi.mock("node:fs", async (real) => ({ ...(await real<typeof import("node:fs")>()), writeSync: takes }));

test("a reader that goes early leaves no stack trace behind", { timeout: 60_000 }, async () => {
  const command = `"${process.execPath}" ${programArgs("ballast").join(" ")} config schema | head -c 1`;
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(out).toBe("{");
  expect(errors).toBe("");
});

test("what a full pipe does not take at once goes through the stream", () => {
  const before = Object.getOwnPropertyDescriptor(process, "stdout") as PropertyDescriptor;
  onTestFinished(() => void Object.defineProperty(process, "stdout", before));
  const written: string[] = [];
  const stream = Object.assign(new EventEmitter(), {
    write: (text: unknown) => written.push(`stream: ${String(text)}`),
  });
  Object.defineProperty(process, "stdout", { get: () => stream, configurable: true });
  takes.mockImplementationOnce((_, bytes) => written.push(String(bytes).slice(0, 4)) + 3);
  takes.mockImplementationOnce(() => {
    throw Object.assign(new Error("full"), { code: "EAGAIN" });
  });
  outliveReaders();
  writeOut("one two");
  writeOut("three");
  expect(written).toEqual(["one ", "stream: two", "stream: three"]);
});
