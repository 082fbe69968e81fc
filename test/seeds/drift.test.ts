/**
 * A clock that is wrong by 500 parts per million, on the day when its error exceeds what the venue accepts: the
 * estimate follows, no request is refused for its time, and every opening uses fresh data. Fault C3
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import type { Log } from "../../src/core/log.ts";
import { createHarness, type Harness } from "../../src/harness/harness.ts";
import { journalView } from "../../src/verify/journal-view.ts";
import { gather } from "./gather.ts";
import { judged } from "./judge.ts";
import { restless } from "./restless.ts";

const HOUR_MS = 3_600_000;
const PPM = 500;
/** What the venue forgives. */
const FORGIVEN_MS = 60_000;
const STEP_MS = 2_500;
const START_MS = Date.UTC(2026, 0, 15, 6);

const asked = Number(process.env["BALLAST_DRIFT_HOURS"] ?? "0");
const hours = asked > 0 ? asked : 1;
/** Half of the short run's way before the line, half behind it. */
const beganWrongByMs = asked > 0 ? 0 : FORGIVEN_MS - (hours * HOUR_MS * PPM) / 1e6 / 2;

const config = ConfigSchema.parse({
  venue: { kind: "embedded" },
  universe: ["XLM"],
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

function drifting(dataDir: string, log: Log): { readonly stage: Harness; readonly wrongByMs: () => number } {
  const stage = createHarness({
    ...{ config, seed: 7, startMs: START_MS, dataDir, log, stepMs: STEP_MS, exchanges: ["EXCHANGE_A"] },
    strategies: restless("drift").strategies,
    venue: { venueLog: true, newsPastMs: HOUR_MS },
  });
  let wrongByMs = beganWrongByMs;
  stage.stepWall(wrongByMs);
  stage.clock.every(1_000, () => {
    stage.stepWall(PPM / 1_000);
    wrongByMs += PPM / 1_000;
  });
  return { stage, wrongByMs: () => wrongByMs };
}

test(
  "a clock that drifts for days is followed, and no order is refused for its time",
  { timeout: 60_000 + hours * 30_000 },
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-drift-"));
    const refused: string[] = [];
    const log: Log = {
      event: (_level, evt, msg) => void (/nonce|timestamp/.test(msg) && refused.push(`${evt} ${msg}`)),
    };
    const { stage, wrongByMs } = drifting(dataDir, log);
    try {
      await stage.clock.advance(100);
      const started = await stage.start();
      if (!started.ok) throw new Error(started.error);
      for (let quarter = 0; quarter < 4 * hours; quarter++) {
        await stage.clock.advance(HOUR_MS / 4);
        const { offsetMs, uncertaintyMs } = started.value.running.venue.clock.offset();
        expect(Math.abs(offsetMs + wrongByMs())).toBeLessThan(uncertaintyMs);
        expect(uncertaintyMs).toBeLessThan(1_000);
      }
      expect(started.value.fatal()).toBeNull();
      started.value.kill();
      const history = await gather(stage, null);
      expect(wrongByMs()).toBeGreaterThan(asked > 0 ? 0 : FORGIVEN_MS);
      expect(refused).toEqual([]);
      expect(journalView(history).writes.filter(({ opening }) => opening).length).toBeGreaterThan(4 * hours);
      const known = {
        startMs: START_MS,
        frozen: [],
        unwritten: [],
        wrongByMs: Math.ceil(wrongByMs()),
        losses: [],
      };
      expect(judged(history, known)).toEqual([]);
    } finally {
      await Promise.all([stage.close(), stage.clock.advance(1_000)]);
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
