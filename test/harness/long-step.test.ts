/** A market that moves every 20 s, as in a backtest over weeks: what is opened gets its stop in time and is kept. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import { silentLog } from "../../src/core/log.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { createHarness } from "../../src/harness/harness.ts";
import { journalPath } from "../../src/ops/run-file.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const config = ConfigSchema.parse({
  venue: { kind: "embedded" },
  universe: ["BTC", "ETH", "SOL"],
  strategy: {
    use: "momentum",
    fallback: "hold",
    settings: { momentum: { horizon: "fast", entryScore: 0.3, edgeOverCost: 0, confirmation: -1, minHoldMinutes: 30 } },
  },
  cadence: { every: "1m", minGap: "20s" },
  session: {
    consent: "I let this agent trade automatically, up to 400 USDT an order and 20000 USDT in all.",
    maxNotionalPerOrder: "400",
    maxTotalNotional: "20000",
  },
  execution: { protectWithin: "10s" },
  recorder: { enabled: false },
  learning: { review: "off" },
});

test("a position is protected within its deadline though the market's beat is longer than that", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-long-step-"));
  const stage = createHarness({
    ...{ config, seed: 5, startMs: Date.UTC(2026, 0, 15, 6), dataDir, log: silentLog, stepMs: 20 * SECOND },
    exchanges: ["EXCHANGE_A"],
  });
  try {
    await stage.clock.advance(100);
    const started = await stage.start();
    if (!started.ok) throw new Error(started.error);
    await stage.clock.advance(20 * MINUTE);
    expect(started.value.fatal()).toBeNull();
    started.value.kill();
    const rows = readJournal(journalPath(dataDir)).rows({ kinds: ["protection", "order"] });
    const bodies = rows.map(({ body }) => body as Record<string, unknown>);
    const standing = bodies.filter((body) => body["standing"] === true);
    expect(standing.length).toBeGreaterThan(0);
    for (const { unprotectedMs } of standing) expect(unprotectedMs).toBeLessThan(10 * SECOND);
    expect(bodies.filter(({ why }) => why === "no stop could be placed in time")).toEqual([]);
  } finally {
    await Promise.all([stage.close(), stage.clock.advance(SECOND)]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 120_000);
