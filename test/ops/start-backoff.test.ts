/** A crash loop is slowed down; nothing else is. Fault P8. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startNotePath, startsOf, planStart, STABLE_AFTER_MS } from "../../src/ops/start-backoff.ts";

const NOW = Date.UTC(2026, 0, 5);

function dataDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "starts-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return path.join(dir, "data");
}

describe("one start", () => {
  test("the first one, and one after a clean stop, go at once", () => {
    const dir = dataDir();
    const first = startsOf(dir, NOW);
    expect(first.plan).toEqual({ waitMs: 0, crashes: 0 });
    first.begin(NOW);
    first.clean();
    expect(startsOf(dir, NOW + 5_000).plan).toEqual({ waitMs: 0, crashes: 0 });
  });

  test("successive runs begin a second apart, however they ended", () => {
    const dir = dataDir();
    const first = startsOf(dir, NOW);
    first.begin(NOW);
    first.clean();
    expect(startsOf(dir, NOW + 300).plan.waitMs).toBe(700);
  });

  test("after one kill it goes at once too, and says that it follows a crash", () => {
    const dir = dataDir();
    const first = startsOf(dir, NOW);
    first.begin(NOW);
    first.stable();
    const second = startsOf(dir, NOW + STABLE_AFTER_MS);
    expect(second.plan).toEqual({ waitMs: 0, crashes: 1 });
  });

  test.each(["", "{", '{"stage":"odd"}', '{"stage":"starting","startedAtMs":"x","badStarts":1}'])(
    "a note that cannot be read (%j) is no note",
    (text) => {
      const dir = dataDir();
      startsOf(dir, NOW).begin(NOW);
      writeFileSync(startNotePath(dir), text);
      expect(startsOf(dir, NOW + 1).plan.waitMs).toBe(0);
    },
  );

  test("a clock that was set back does not hold a start up for longer than its spacing", () => {
    const note = { stage: "starting", startedAtMs: NOW + 86_400_000, badStarts: 3 } as const;
    expect(planStart(note, NOW).waitMs).toBe(4_000);
  });
});

/** Lives a run for so long; answers when the next one begins. */
function life(dir: string, atMs: number, livedMs: number, clean = false): { plannedMs: number; startedMs: number } {
  const starts = startsOf(dir, atMs);
  const startedMs = atMs + starts.plan.waitMs;
  starts.begin(startedMs);
  if (livedMs >= STABLE_AFTER_MS) starts.stable();
  if (clean) starts.clean();
  return { plannedMs: starts.plan.waitMs, startedMs };
}

describe("a crash loop", () => {
  test("dying every 3 s for 10 minutes: the starts grow apart up to a minute", () => {
    const dir = dataDir();
    const starts: number[] = [];
    for (let at = NOW; at < NOW + 600_000; at = (starts.at(-1) ?? at) + 3_000)
      starts.push(life(dir, at, 3_000).startedMs);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(gaps.slice(0, 7)).toEqual([3_000, 3_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
    expect(Math.max(...gaps)).toBe(60_000);
    expect(starts.length).toBeLessThan(18);
  });

  test("ends with a run that lives for a minute, and with a clean stop", () => {
    const dir = dataDir();
    for (let n = 0; n < 6; n++) life(dir, NOW + n * 100_000, 3_000);
    expect(startsOf(dir, NOW + 503_000).plan).toMatchObject({ crashes: 6, waitMs: 29_000 });
    life(dir, NOW + 600_000, STABLE_AFTER_MS);
    expect(startsOf(dir, NOW + 700_000).plan).toMatchObject({ crashes: 1, waitMs: 0 });
    life(dir, NOW + 700_000, 3_000, true);
    expect(startsOf(dir, NOW + 800_000).plan).toMatchObject({ crashes: 0 });
  });
});
