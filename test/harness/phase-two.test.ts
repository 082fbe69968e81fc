/** Phase II: its leverage and instruments from its moment on, by the venue's clock, and never before. Spec: 3 §8. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Config } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/read.ts";
import { dec } from "../../src/core/decimal.ts";
import { silentLog } from "../../src/core/log.ts";
import { ok } from "../../src/core/result.ts";
import { atStart, phaseTwoDue } from "../../src/control/agent-settings.ts";
import { universeOf, universeProblem, watchedOf } from "../../src/control/universe.ts";
import { type AgentRun, createHarness } from "../../src/harness/harness.ts";
import { createSwitching } from "../../src/control/switching.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { verify } from "../../src/verify/verify.ts";
import { gather } from "../seeds/gather.ts";

const START_MS = Date.UTC(2026, 0, 5, 9, 30);
const MOMENT_MS = START_MS + 60_000;
const [A_ADA, B_ETH] = ["EXCHANGE_A_PERP_ADA_USDT", "EXCHANGE_B_PERP_ETH_USDT"];
const EXCHANGES = ["EXCHANGE_A", "EXCHANGE_B"];

function configOf(more: object): Config {
  const read = readConfig(JSON.stringify({ strategy: { use: "hold" }, ...more }));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}
const moment = { competition: { phaseTwo: new Date(MOMENT_MS).toISOString() } };

describe("what the file names", () => {
  test("is watched whole, and traded as far as the phase goes", () => {
    const config = configOf({ ...moment, universe: ["ADA", B_ETH] });
    expect(watchedOf(config, "EXCHANGE_A")).toEqual([A_ADA, B_ETH]);
    expect(universeOf(config, "EXCHANGE_A")).toEqual([A_ADA]);
    expect(universeOf({ ...config, phase: 2 }, "EXCHANGE_A")).toEqual([A_ADA, B_ETH]);
    expect(universeProblem(config, EXCHANGES)).toBeNull();
  });

  test("is of Phase I only where it is one of its fifty pairs", () => {
    const TON = "EXCHANGE_A_PERP_TON_USDT";
    const config = configOf({ ...moment, universe: ["ADA", "TON"] });
    expect(watchedOf(config, "EXCHANGE_A")).toEqual([A_ADA, TON]);
    expect(universeOf(config, "EXCHANGE_A")).toEqual([A_ADA]);
    expect(universeOf({ ...config, phase: 2 }, "EXCHANGE_A")).toEqual([A_ADA, TON]);
    expect(universeOf(configOf({ universe: "phase" }), "EXCHANGE_A")).toHaveLength(50);
  });

  test.each([
    [{ universe: [B_ETH] }, /is not one of the fifty pairs of Phase I; for Phase II set phase: 2/],
    [{ universe: ["ADA", "TON"] }, /universe: TON is not one of the fifty pairs of Phase I/],
    [{ ...moment, universe: [B_ETH] }, /none of its instruments may be traded in Phase 1/],
    [{ phase: 2, universe: ["EXCHANGE_C_PERP_ETH_USDT"] }, /not on any of the exchanges EXCHANGE_A, EXCHANGE_B/],
  ])("is refused where it cannot be: %j", (more, reason) =>
    expect(universeProblem(configOf(more), EXCHANGES)).toMatch(reason),
  );

  test("is refused as spot, or in lower case", () => {
    for (const name of ["EXCHANGE_A_SPOT_BTC_USDT", "btc", "EXCHANGE_A_PERP_BTC"])
      expect(readConfig(JSON.stringify({ universe: [name] })).ok, name).toBe(false);
  });
});

test("a start knows Phase II only when its moment is past beyond the error of an unmeasured clock", () => {
  const config = configOf(moment);
  expect([0, 59_000, 60_000].map((late) => atStart(config, MOMENT_MS + late).phase)).toEqual([1, 1, 2]);
  expect([-1, 0].map((late) => phaseTwoDue(config, MOMENT_MS + late))).toEqual([false, true]);
  expect(phaseTwoDue({ ...config, phase: 2 }, MOMENT_MS)).toBe(false);
  expect(phaseTwoDue(configOf({}), MOMENT_MS)).toBe(false);
});

/** Wants as much as it may have of both, always. */
const greedy = defineStrategy({
  name: "greedy",
  description: "Wants both.",
  settings: z.strictObject({}),
  needsModel: false,
  decide: ({ symbols }) => ({
    kind: "targets",
    note: "both",
    targets: symbols.map(({ symbol }) => ({
      symbol,
      leg: "LONG" as const,
      size: 0.5,
      stopDistance: 0.05,
      targetDistance: null,
      urgency: "take" as const,
      reason: "both",
      evidence: [],
    })),
  }),
});
const armed = { strategy: greedy, settings: {} };

test("the whole agent trades the second exchange from the moment on", { timeout: 60_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "ballast-phase-"));
  const config = configOf({
    ...moment,
    universe: ["ADA", B_ETH],
    cadence: { every: "5s", minGap: "2s", firstAfter: "1s" },
    session: {
      consent: "I let this agent trade on the practice venue, up to 400 USDT an order and 20000 USDT in all.",
      maxNotionalPerOrder: "400",
      maxTotalNotional: "20000",
    },
    risk: { reentryCooldown: "3s", flipCooldown: "3s", minHolding: "1s" },
    recorder: { enabled: false },
    learning: { review: "off" },
  });
  const stage = createHarness({
    config,
    seed: 3,
    startMs: START_MS,
    dataDir,
    log: silentLog,
    exchanges: EXCHANGES,
    venue: { venueLog: true, stepMs: 500 },
    strategies: { chosen: armed, fallback: armed, shadows: [] },
  });
  try {
    await stage.clock.advance(600);
    const begun = await stage.start();
    if (!begun.ok) throw new Error(begun.error);
    const agentRun: AgentRun = begun.value;
    const { loop, venue, consent } = agentRun.running;
    const switching = createSwitching({
      log: silentLog,
      config,
      fileUse: "hold",
      strategyFlag: undefined,
      exchange: "EXCHANGE_A",
      consent,
      modelCheck: () => ok(undefined),
      nowMs: () => stage.clock.nowMs(),
      append: (row) => agentRun.journal.append(row),
      // The harness's own strategy continues where the file's would be loaded.
      dispatch: (event) =>
        loop.dispatch(
          event.kind === "settings" ? { ...event, strategies: { chosen: armed, fallback: armed, shadows: [] } } : event,
        ),
    });
    /** Nothing is answered while time stands still. */
    const answered = async <T>(asked: Promise<T>): Promise<T> => {
      let waiting = true;
      void asked.finally(() => (waiting = false)).catch(() => undefined);
      while (waiting) await stage.clock.advance(100);
      return asked;
    };
    const held = (): readonly string[] =>
      agentRun.running.agent.status(stage.clock.nowMs()).positions.map(({ symbol }) => symbol);
    const until = async (atMs: number): Promise<void> => {
      while (stage.clock.nowMs() < atMs) {
        const { offsetMs, uncertaintyMs } = venue.clock.offset();
        await switching.beginPhase(stage.clock.nowMs() + offsetMs - uncertaintyMs);
        await stage.clock.advance(500);
      }
    };
    await until(MOMENT_MS - 500);
    expect(held()).toEqual([A_ADA]);
    expect(switching.current().phase).toBe(1);
    await until(MOMENT_MS + 90_000);
    expect(switching.current().phase).toBe(2);
    expect([...held()].sort()).toEqual([A_ADA, B_ETH]);
    const accounts = await answered(venue.client.account());
    expect(accounts.kind === "done" && accounts.value.every(({ equity }) => equity.gt(dec("480")))).toBe(true);
    const settings = await answered(venue.client.leverage());
    expect(settings.kind === "done" && settings.value.find(({ symbol }) => symbol === B_ETH)?.leverage).toBe(5);
    // A saved file that goes on naming the first phase does not take the second one back.
    expect(await switching.accept(config)).toEqual(ok(undefined));
    expect(switching.current().phase).toBe(2);
    await answered(agentRun.stop("the end"));
    const history = await gather(stage, null);
    const firstOnB = history.wire?.find(({ params }) => params["sym"] === B_ETH && "orderQty" in params);
    expect(firstOnB?.atMs).toBeGreaterThanOrEqual(MOMENT_MS);
    const violated = verify(history).invariants.flatMap(({ id, verdict }) =>
      verdict.kind === "violated" ? verdict.findings.map(({ what }) => `${id}: ${what}`) : [],
    );
    expect(violated).toEqual([]);
  } finally {
    await stage.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
