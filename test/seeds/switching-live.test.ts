/** Switches among all strategies under the live streams of the whole service; the verifier judges what is left. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Strategies } from "../../src/agent/contract/events.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { silentLog } from "../../src/core/log.ts";
import { agentSettings } from "../../src/control/agent-settings.ts";
import { type AgentRun, createHarness, type Harness } from "../../src/harness/harness.ts";
import { listStrategies, loadStrategy } from "../../src/strategy/registry.ts";
import { verify } from "../../src/verify/verify.ts";
import { lengthOf } from "../support/lengths.ts";
import { calmProblems } from "./calm.ts";
import { gather } from "./gather.ts";
import { drawPlan } from "./plan.ts";
import { restless } from "./restless.ts";
import { configOf } from "./settings.ts";

const SWITCHES = lengthOf(25, 100);
const START_MS = Date.UTC(2026, 0, 5, 9, 30);

const everyStrategy = (): Promise<readonly Strategies["chosen"][]> =>
  Promise.all(
    listStrategies().map(async (name) => {
      const loaded = await loadStrategy(name, name === "momentum" ? { horizon: "fast", entryScore: 0.3 } : undefined);
      if (!loaded.ok) throw new Error(loaded.error);
      return loaded.value;
    }),
  );

async function started(stage: Harness): Promise<AgentRun> {
  await stage.clock.advance(600);
  const begun = await stage.start();
  if (!begun.ok) throw new Error(begun.error);
  return begun.value;
}

test("switches lose no position, order, protection or beat", { timeout: 240_000, retry: 0 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "ballast-switching-"));
  const plan = {
    ...drawPlan("short", 7),
    phase: 1,
    route: "rest",
    bases: ["ADA", "LAB"],
    strategy: "restless",
    events: [],
  } as const;
  const config = configOf(plan);
  const unruly = restless("switching");
  const venue = { venueLog: true, stepMs: 500 };
  const exchanges = ["EXCHANGE_A"];
  const stage = createHarness({
    config,
    seed: 11,
    startMs: START_MS,
    dataDir,
    log: silentLog,
    exchanges,
    venue,
    strategies: unruly.strategies,
  });
  try {
    const agentRun = await started(stage);
    await stage.clock.advance(20_000);
    const all = await everyStrategy();
    const entropy = seededEntropy("switching-live");
    let held = 0;
    for (let count = 0; count < SWITCHES; count++) {
      const chosen = count % 2 === 0 ? all[(count / 2) % all.length] : unruly.strategies.chosen;
      held += agentRun.running.agent.status(stage.clock.nowMs()).positions.length > 0 ? 1 : 0;
      agentRun.running.loop.dispatch({
        kind: "settings",
        atMs: stage.clock.nowMs(),
        settings: agentSettings(config, "EXCHANGE_A"),
        strategies: { ...unruly.strategies, chosen: chosen ?? unruly.strategies.chosen },
        change: {
          handover: (["adopt", "wind-down", "close", "adopt"] as const)[entropy.int("handover", 0, 4)] ?? "adopt",
          by: "operator",
          request: `q-${count}`,
        },
      });
      await stage.clock.advance(entropy.int("span", 6_000, 16_000));
      expect(agentRun.fatal()).toBeNull();
    }
    unruly.rest();
    await stage.clock.advance(45_000);
    expect([...calmProblems(stage, agentRun, plan)]).toEqual([]);
    const { uptime } = agentRun.running.agent.status(stage.clock.nowMs());
    expect(uptime.ratio).toBe(1);
    expect(held).toBeGreaterThan(SWITCHES / 5);
    expect(agentRun.journal.rows({ kinds: ["switch"] }).length).toBeGreaterThanOrEqual(SWITCHES);
    let stopped = false;
    void agentRun.stop("the end").then(() => (stopped = true));
    while (!stopped) await stage.clock.advance(100);
    const history = await gather(stage, null);
    const violated = verify(history).invariants.flatMap(({ id, verdict }) =>
      verdict.kind === "violated" ? verdict.findings.map(({ what }) => `${id}: ${what}`) : [],
    );
    expect(violated).toEqual([]);
  } finally {
    await stage.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
