/** What is noted of a run, where the disk takes no note. Faults D1, P8. */
import { expect, test, vi } from "vitest";
import { beginRun, noting } from "../../src/daemon/begin.ts";
import { STABLE_AFTER_MS } from "../../src/ops/start-backoff.ts";

const full = (): never => {
  throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
};

function listening() {
  const said: string[] = [];
  return { said, log: { event: (_level: string, _evt: string, text: string) => void said.push(text) } };
}

test("a run on a full disk outlives its first minute, whose note nothing waits for", async () => {
  vi.useFakeTimers();
  try {
    const { said, log } = listening();
    const plan = { waitMs: 0, crashes: 0 };
    expect(await beginRun({ plan, begin: full, stable: full, clean: full }, log)).toBe(true);
    expect(() => vi.advanceTimersByTime(STABLE_AFTER_MS)).not.toThrow();
    expect(said).toEqual([
      expect.stringMatching(/^the start could not be recorded .*ENOSPC/),
      expect.stringMatching(/^a minute of life could not be recorded .*ENOSPC/),
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("an end that cannot be noted is reported and changes no exit code", () => {
  const { said, log } = listening();
  expect(() => noting(log, "the end", full)).not.toThrow();
  expect(said.join()).toMatch(/^the end could not be recorded/);
});
