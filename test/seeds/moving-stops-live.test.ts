/** Stops that follow the price, and stops that cannot be placed, under the live streams of the whole service. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Strategies } from "../../src/agent/contract/events.ts";
import { silentLog } from "../../src/core/log.ts";
import { asWritten, type Config, ConfigSchema } from "../../src/config/config.ts";
import { type AgentRun, createHarness, type Harness } from "../../src/harness/harness.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { verify } from "../../src/verify/verify.ts";
import { gather } from "./gather.ts";
import { drawPlan } from "./plan.ts";
import { configOf } from "./settings.ts";

const START_MS = Date.UTC(2026, 0, 5, 9, 30);

/** Wants one long position with a stop 3 % away, and is content with it. */
function oneLong(targetDistance: number | null): Strategies {
  const strategy = defineStrategy({
    name: "one-long",
    description: "Wants one position.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: ({ symbols }) => ({
      kind: "targets",
      note: "",
      targets: symbols.slice(0, 1).map(({ symbol }) => ({
        symbol,
        leg: "LONG" as const,
        size: 0.5,
        stopDistance: 0.03,
        targetDistance,
        urgency: "take" as const,
        reason: "one long",
        evidence: ["trend"],
      })),
    }),
  });
  return { chosen: { strategy, settings: {} }, fallback: { strategy, settings: {} } };
}

function staged(protection: Partial<Config["protection"]>, targetDistance: number | null) {
  const plan = { ...drawPlan("short", 7), phase: 1, mode: "BOTH", route: "rest", bases: ["ADA", "LAB"] } as const;
  const config = ConfigSchema.parse({ ...asWritten(configOf(plan)), protection });
  const dataDir = mkdtempSync(join(tmpdir(), "ballast-stops-"));
  const stage = createHarness({
    config,
    seed: 11,
    startMs: START_MS,
    dataDir,
    log: silentLog,
    exchanges: ["EXCHANGE_A"],
    venue: { venueLog: true, stepMs: 500 },
    strategies: oneLong(targetDistance),
  });
  return { stage, done: () => rmSync(dataDir, { recursive: true, force: true }) };
}

async function started(stage: Harness): Promise<AgentRun> {
  const begun = await stage.start();
  if (!begun.ok) throw new Error(begun.error);
  return begun.value;
}

const held = (stage: Harness, agentRun: AgentRun) => agentRun.running.agent.status(stage.clock.nowMs()).positions[0];

async function until(stage: Harness, what: string, holds: () => boolean): Promise<void> {
  for (let step = 0; step < 240; step++) {
    if (holds()) return;
    await stage.clock.advance(500);
  }
  throw new Error(`never in two minutes: ${what}`);
}

async function judged(stage: Harness, agentRun: AgentRun): Promise<readonly string[]> {
  let stopped = false;
  void agentRun.stop("the end").then(() => (stopped = true));
  while (!stopped) await stage.clock.advance(100);
  return verify(await gather(stage, null)).invariants.flatMap(({ id, verdict }) =>
    verdict.kind === "violated" ? verdict.findings.map(({ what }) => `${id}: ${what}`) : [],
  );
}

const fault = (stage: Harness, name: string, params: object, span: string) =>
  void stage.control("POST", "/control/faults", { name, params, for: span });

test.each([null, 0.2])(
  "a stop follows the price in place, over a restart too, no further than it trails (target %s)",
  { timeout: 120_000 },
  async (targetDistance) => {
    const trailing = { unit: "percent", trailing: { activation: 1, distance: 1 }, minStep: 0.001 } as const;
    const { stage, done } = staged({ ...trailing, breakEven: { after: 0 } }, targetDistance);
    try {
      await stage.clock.advance(600);
      let agentRun = await started(stage);
      await until(stage, "a protected position", () => held(stage, agentRun)?.protection === "live");
      const first = Number(held(stage, agentRun)?.stopPrice);
      const entry = Number(held(stage, agentRun)?.avgPrice);
      expect(first).toBeLessThan(entry * 0.975);
      fault(stage, "price-gap", { symbol: "ADA", move: 0.02, overMs: 4_000 }, "10s");
      await until(stage, "a stop above the entry's", () => Number(held(stage, agentRun)?.stopPrice) > first);
      await until(stage, "the stop where it is wanted", () => {
        const leg = held(stage, agentRun);
        return leg !== undefined && leg.stopPrice === leg.wantedStopPrice && Number(leg.stopPrice) > entry;
      });
      const moved = Number(held(stage, agentRun)?.stopPrice);
      agentRun.kill();
      await stage.clock.advance(3_000);
      agentRun = await started(stage);
      await until(stage, "the position again", () => held(stage, agentRun)?.protection === "live");
      expect(Number(held(stage, agentRun)?.stopPrice)).toBeGreaterThanOrEqual(moved);
      const standing = agentRun.running.venue.client.openAlgos();
      await stage.clock.advance(2_000);
      const algos = await standing;
      expect(algos.kind === "done" && algos.value.length).toBe(1);
      fault(stage, "price-gap", { symbol: "ADA", move: -0.03, overMs: 30_000 }, "40s");
      const trades = () =>
        agentRun.journal
          .rows({ kinds: ["trade"] })
          .map(({ body }) => body as { event?: string; exit?: string; exitPrice?: string })
          .filter(({ event }) => event === "closed");
      await until(stage, "the stop's own close", () => trades().length > 0);
      expect(trades()[0]?.exit).toBe("stop");
      expect(Number(trades()[0]?.exitPrice)).toBeGreaterThan(entry * 0.99);
      await stage.clock.advance(9_000);
      const costs = agentRun.journal.rows({ kinds: ["cost"] }).map(({ body }) => body as { what: string });
      expect(costs.map(({ what }) => what)).toContain("open");
      expect(costs.some(({ what }) => what === "stop" || what === "close")).toBe(true);
      expect(await judged(stage, agentRun)).toEqual([]);
    } finally {
      await stage.close();
      done();
    }
  },
);

test(
  "while the venue takes no stop the price is watched here, and the position is closed in time",
  { timeout: 60_000 },
  async () => {
    const { stage, done } = staged({}, null);
    try {
      await stage.clock.advance(600);
      fault(stage, "server-error", { status: 503, methods: ["POST"], path: "/algo/order" }, "60s");
      const agentRun = await started(stage);
      await until(stage, "a position", () => held(stage, agentRun) !== undefined);
      const openedMs = stage.clock.nowMs();
      await until(stage, "no position", () => held(stage, agentRun) === undefined);
      expect(stage.clock.nowMs() - openedMs).toBeLessThan(11_000);
      const rows = agentRun.journal.rows({ kinds: ["protection"] }).map(({ body }) => body as Record<string, unknown>);
      expect(rows.some((row) => row["supervised"] === true)).toBe(true);
      expect(rows.some((row) => row["ended"] === "closed" && Number(row["unprotectedMs"]) < 11_000)).toBe(true);
      expect(await judged(stage, agentRun)).toEqual([]);
    } finally {
      await stage.close();
      done();
    }
  },
);
