/** A settlement of funding: the agent's row of it and the venue's statement agree, and so do the round trips that include it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import { silentLog } from "../../src/core/log.ts";
import { createHarness } from "../../src/harness/harness.ts";
import { moneyProblems } from "../../src/verify/money-rows.ts";
import { factsOf } from "../../src/verify/venue-view.ts";
import { gather } from "./gather.ts";
import { judged } from "./judge.ts";
import { restless } from "./restless.ts";

/** Four minutes before the settlement of 08:00. */
const START_MS = Date.UTC(2026, 0, 15, 7, 56);
const MINUTE_MS = 60_000;

const config = ConfigSchema.parse({
  venue: { kind: "embedded" },
  universe: ["XLM", "ADA", "LINK"],
  strategy: { use: "hold", fallback: "hold" },
  cadence: { every: "2m", minGap: "1m" },
  session: {
    consent: "I let this agent trade automatically, up to 400 USDT an order and 20000 USDT in all.",
    maxNotionalPerOrder: "400",
    maxTotalNotional: "20000",
  },
  risk: { flipCooldown: "3s", reentryCooldown: "3s", ordersPerHour: 500, feesPerDayShare: 1, dailyLossStop: 0.5 },
  recorder: { enabled: false },
  learning: { review: "off" },
});

test("funding that the agent reckons is what the venue settled, for every position held at the time", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-funding-"));
  const stage = createHarness({
    ...{ config, seed: 11, startMs: START_MS, dataDir, log: silentLog, exchanges: ["EXCHANGE_A"] },
    strategies: restless("funding").strategies,
    venue: { venueLog: true, newsPastMs: MINUTE_MS },
  });
  try {
    await stage.clock.advance(100);
    const started = await stage.start();
    if (!started.ok) throw new Error(started.error);
    await stage.clock.advance(12 * MINUTE_MS);
    started.value.kill();
    const history = await gather(stage, null);
    const rows = history.rows.filter(({ kind, body }) => kind === "trade" && body["event"] === "funding");
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBe(factsOf(history, "funding").length);
    expect(moneyProblems(history)).toEqual([]);
    expect(judged(history, { startMs: START_MS, frozen: [], unwritten: [], wrongByMs: 0, losses: [] })).toEqual([]);
  } finally {
    await Promise.all([stage.close(), stage.clock.advance(1_000)]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
