/** `ballast reasons | head` is an everyday thing: the reader goes, and the program ends without a word of its own. */
import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { programArgs } from "../support/bundled-program.ts";
import { folder, quickConfig, run } from "../support/process.ts";

test("a reader that goes early leaves no stack trace behind", { timeout: 60_000 }, async () => {
  const command = `"${process.execPath}" ${programArgs("ballast").join(" ")} config schema | head -c 1`;
  const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(out).toBe("{");
  expect(errors).toBe("");
});

/** Refuses the first lines, and can be written afterwards, as standard output can after an error. */
function fullFor(lines: number): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const stream = new EventEmitter();
  let left = lines;
  const write = (text: string, done: (cause?: Error) => void): boolean => {
    const full = left > 0 ? new Error("ENOSPC: no space left on device") : undefined;
    left -= 1;
    if (!full) written.push(text);
    process.nextTick(() => {
      done(full);
      if (full) stream.emit("error", full);
    });
    return !full;
  };
  return { stream: Object.assign(stream, { write }) as unknown as NodeJS.WriteStream, written };
}

test("lines that an output refuses are lost and counted, the copy has all, and each next one is tried", async () => {
  const { stream, written } = fullFor(3);
  const log = await createLogger({
    clock: systemClock(),
    format: "json",
    level: "info",
    redact: (text) => text,
    stream,
  });
  const copy: string[] = [];
  log.copyTo((line) => copy.push(line));
  for (const no of [1, 2, 3]) {
    log.event("info", "agent.ready", `line ${no}`);
    await new Promise(setImmediate);
  }
  const texts = (lines: readonly string[]): string[] => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(texts(written)).toEqual(["line 3", "3 lines for this output could not be written and it can be again"]);
  expect(texts(copy).slice(0, 2)).toEqual([
    "line 1",
    "the output of the log cannot be written (ENOSPC: no space left on device); each line is tried, all else goes on",
  ]);
  expect(texts(copy)).toEqual(expect.arrayContaining(["line 2", "line 3"]));
});

test.skipIf(!existsSync("/dev/full"))(
  "an agent whose standard output and error are a full disk trades on",
  { timeout: 120_000 },
  async () => {
    const made = folder();
    const data = path.join(made.dir, "data");
    const config = made.file("agent.yaml", quickConfig());
    const full = openSync("/dev/full", "w");
    const args = [...programArgs("ballast"), "run", "--config", config, "--data-dir", data];
    const agent = spawn(process.execPath, args, { stdio: ["ignore", full, full] });
    const ended = new Promise<number | null>((resolve) => agent.once("close", resolve));
    try {
      const log = (): string => (existsSync(`${data}/ballast.log`) ? readFileSync(`${data}/ballast.log`, "utf8") : "");
      await expect.poll(log, { timeout: 90_000 }).toContain('"evt":"order.submitted"');
      expect(log()).toMatch(/"evt":"log.lost".*ENOSPC/);
      expect(await run(["status", "--health", "--data-dir", data])).toMatchObject({ code: 0 });
      agent.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(log()).toMatch(/"lost":\d+/);
    } finally {
      agent.kill("SIGKILL");
      await ended;
      made.remove();
    }
  },
);
