/** Processor time against wall time, in a process of its own that is really stopped. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { processorMs } from "../../src/core/processor-time.ts";

const spun = (ms: number): number => {
  const before = processorMs();
  const beganMs = performance.now();
  while (performance.now() - beganMs < ms);
  return processorMs() - before;
};

test("it counts what the thread works, and not what it waits", () => {
  expect(spun(200)).toBeGreaterThan(5);
  const before = processorMs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(processorMs() - before).toBeLessThan(50);
});

/** Says what share of its time each of two calls without an answer had; not through a stream, which it may be cut off in. */
const CHILD = `
  import { writeSync } from "node:fs";
  import { withinTime } from "./src/core/time-box.ts";
  const share = (run) => { try { withinTime(run, 1500); } catch (error) { return error.usedShare; } };
  const spin = () => { writeSync(1, "inside\\n"); for (;;); };
  writeSync(1, share(spin) + "\\n");
  writeSync(1, share(spin) + "\\n");
`;

test.skipIf(process.platform === "win32")("a process that was stopped has used little of its time", async () => {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", CHILD], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => ((await lines.next()) as { value: string }).value;
  try {
    expect(await next()).toBe("inside");
    child.kill("SIGSTOP");
    const woken = setTimeout(() => child.kill("SIGCONT"), 1_600);
    const stopped = Number(await next());
    clearTimeout(woken);
    expect(stopped).toBeLessThan(0.5);
    expect(await next()).toBe("inside");
    expect(Number(await next())).toBeGreaterThan(stopped);
  } finally {
    child.kill("SIGKILL");
  }
});
