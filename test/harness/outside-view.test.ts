/**
 * Uptime as the agent counts it and as the service sees it from outside, over virtual hours with deaths and restarts:
 * within 0.1 %. Invariant I29. A whole day of it: BALLAST_LONG=1 in the environment; `npm run soak` reports of weeks.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import { silentLog } from "../../src/core/log.ts";
import { type AgentRun, createHarness, type Harness } from "../../src/harness/harness.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 0, 15, 6);
const LONGER = process.env["BALLAST_LONG"] ? 23 : 1;
/** The largest step at which no beat is missed. */
const BEAT = 20 * SECOND;

const config = ConfigSchema.parse({
  venue: { kind: "embedded" },
  universe: ["BTC"],
  strategy: { use: "hold", fallback: "hold" },
  cadence: { every: "12h", onNews: false, moveSigma: 0 },
  recorder: { enabled: false },
  learning: { review: "off" },
  competition: { start: new Date(START).toISOString() },
});

interface Door {
  readonly upShare: number;
}

/** The first tick comes with the start, as it does in earnest, and not a whole step later. */
async function begin(harness: Harness): Promise<AgentRun> {
  const begun = await harness.start();
  if (!begun.ok) throw new Error(begun.error);
  const { clock } = harness;
  begun.value.running.loop.dispatch({ kind: "tick", atMs: clock.nowMs(), monoMs: clock.monotonicMs() });
  return begun.value;
}

test("inside and outside agree within 0.1 % over hours with outages", { timeout: 400_000 * LONGER }, async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-uptime-"));
  const harness = createHarness({
    config,
    seed: 5,
    startMs: START,
    dataDir,
    log: silentLog,
    stepMs: BEAT,
    exchanges: ["EXCHANGE_A"],
  });
  const { clock } = harness;
  try {
    let running = await begin(harness);
    // Alive for so long, then away for so long. A death counts from the last durable beat, so these come right after one.
    const story = [
      { aliveMs: 20 * MINUTE * LONGER + 170, awayMs: 7 * MINUTE + 4_410, how: "killed" },
      { aliveMs: 8 * MINUTE * LONGER + 130, awayMs: 2 * SECOND, how: "stopped" },
      { aliveMs: 20 * MINUTE * LONGER + 330, awayMs: 13 * MINUTE + 8_820, how: "killed" },
      { aliveMs: 8 * MINUTE * LONGER, awayMs: 0, how: "" },
    ];
    for (const { aliveMs, awayMs, how } of story) {
      await clock.advance(aliveMs);
      expect(running.fatal()).toBeNull();
      if (how === "") continue;
      if (how === "killed") running.kill();
      else await Promise.all([running.stop("a planned restart"), clock.advance(SECOND)]);
      await clock.advance(awayMs);
      running = await begin(harness);
    }
    const inside = running.running.agent.status(clock.nowMs()).uptime;
    const reported = (await Promise.all([harness.control("GET", "/control/scoreboard"), clock.advance(SECOND)]))[0];
    const outside = (reported as { uptime: Record<"user" | "market", Door>[] }).uptime[0];
    expect(inside.ratio).toBeLessThan(0.99);
    for (const door of ["user", "market"] as const)
      expect(Math.abs((outside?.[door].upShare ?? NaN) - inside.ratio), door).toBeLessThan(0.001);
    expect(inside.window.ratio).toBeCloseTo(inside.ratio, 3);
    running.kill();
  } finally {
    await Promise.all([harness.close(), clock.advance(SECOND)]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
