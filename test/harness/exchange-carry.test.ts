/**
 * The carry between two exchanges as a whole agent against the whole service: under faults of the venue and deaths of the process
 * a side of a pair stays alone no longer than its deadline. `npm run carry` plays thirty days.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { Strategies } from "../../src/agent/contract/events.ts";
import { ConfigSchema } from "../../src/config/config.ts";
import { loadStrategies } from "../../src/control/strategies.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { silentLog } from "../../src/core/log.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/time.ts";
import { parseSymbol } from "../../src/domain/symbol.ts";
import { type Harness, createHarness } from "../../src/harness/harness.ts";
import { listOf } from "../../src/protocol/page.ts";
import { readPositions } from "../../src/protocol/records/position-record.ts";
import { positions } from "../../src/protocol/trading/positions.ts";
import { lengthOf } from "../support/lengths.ts";

const DAYS = Number(process.env["BALLAST_CARRY_DAYS"] ?? lengthOf(1, 3) / 24);
const SEED = Number(process.env["BALLAST_CARRY_SEED"] ?? 7);
const STEP_MS = 10 * SECOND_MS;
const ALONE_MINUTES = 15;
const EVERY_MINUTES = 5;
/** The age at which a side is closed, the next decision after it, and the time of the order. */
const DEADLINE_MS = (ALONE_MINUTES + EVERY_MINUTES + 1) * MINUTE_MS;

/** Stops so near that one side is often lost. */
const config = ConfigSchema.parse({
  phase: 2,
  venue: { kind: "embedded" },
  universe: ["BTC", "ETH", "EXCHANGE_B_PERP_BTC_USDT", "EXCHANGE_B_PERP_ETH_USDT"],
  strategy: {
    use: "exchange-carry",
    fallback: "hold",
    settings: {
      "exchange-carry": {
        ...{ edgeOverCost: 0, stopDistance: 0.01, aloneMinutes: ALONE_MINUTES },
      },
    },
  },
  cadence: { every: `${EVERY_MINUTES}m`, minGap: "60s" },
  session: {
    consent: "I let this agent trade on the practice venue, up to 400 USDT an order and 1000000 USDT in all.",
    maxNotionalPerOrder: "400",
    maxTotalNotional: "1000000",
  },
  recorder: { enabled: false },
  learning: { review: "off" },
});

const FAULTS = [
  { name: "drop-before-apply", params: { path: "/trading/order", share: 0.5 } },
  { name: "drop-after-apply", params: { path: "/trading/order", share: 0.5 } },
  { name: "server-error", params: { path: "", share: 0.5, status: 502, applied: true } },
  { name: "rate-limit-burst", params: { path: "", share: 0.5, retryAfterSec: 5 } },
  { name: "read-lag", params: { lagMs: 15_000 } },
  { name: "user-disconnect", params: { everyMs: 3_000 } },
  { name: "market-disconnect", params: { everyMs: 4_000 } },
  { name: "push-drop", params: { share: 1, channel: "*" } },
] as const;

/**
 * The rule, shown a wave of rates on the second exchange: those of the generated market lie within the dead band of the formula, equal
 * on both exchanges, for days. What is tested is the plan, not its profit.
 */
async function shownRates(): Promise<Strategies> {
  const loaded = await loadStrategies(config);
  if (!loaded.ok) throw new Error(loaded.error);
  const { chosen } = loaded.value;
  const decide: typeof chosen.strategy.decide = (snapshot, settings) => {
    const rate = 0.0001 + 0.0004 * Math.sin((2 * Math.PI * snapshot.atMs) / (5 * HOUR_MS));
    const symbols = snapshot.symbols.map((view) =>
      view.symbol.startsWith("EXCHANGE_B") && view.fundingRate !== null ? { ...view, fundingRate: rate } : view,
    );
    return chosen.strategy.decide({ ...snapshot, symbols }, settings);
  };
  return { ...loaded.value, chosen: { ...chosen, strategy: { ...chosen.strategy, decide } } };
}

interface Tally {
  steps: number;
  paired: number;
  pairs: number;
  alone: number;
  longestMs: number;
  longestInAllMs: number;
  faults: number;
  deaths: number;
}

/** Coins with a long on one exchange and a short on another, and coins with only one of them. */
function heldBy({ venue, clock }: Harness): {
  readonly paired: readonly string[];
  readonly alone: readonly string[];
} {
  const nowMs = Math.floor(clock.nowMs());
  const [account] = venue.exchange.scoreboard(nowMs);
  const reply = venue.exchange.positions(account?.accountId ?? "", {}, nowMs);
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  const held = readPositions(listOf(positions.reply.parse(reply.value))).filter(({ qty }) => qty.gt(0));
  const sides = new Map<string, Set<string>>();
  for (const { symbol, side } of held) {
    const parts = parseSymbol(symbol);
    const base = parts.ok ? parts.value.base : symbol;
    sides.set(base, (sides.get(base) ?? new Set()).add(side));
  }
  const found = [...sides];
  return {
    paired: found.flatMap(([base, of]) => (of.size === 2 ? [base] : [])),
    alone: found.flatMap(([base, of]) => (of.size === 1 ? [base] : [])),
  };
}

async function play(dataDir: string): Promise<Tally> {
  const entropy = seededEntropy(`carry:${SEED}`);
  const strategies = await shownRates();
  const startMs = Date.UTC(2026, 0, 5, 9, 30);
  const stage = createHarness({ config, seed: SEED, startMs, dataDir, log: silentLog, stepMs: STEP_MS, strategies });
  const tally: Tally = {
    ...{ steps: 0, paired: 0, pairs: 0, alone: 0, longestMs: 0, longestInAllMs: 0, faults: 0, deaths: 0 },
  };
  /** By coin, for how long it has been alone: while the agent could act, and in all. */
  const aloneMs = new Map<string, readonly [counted: number, inAll: number]>();
  let faultUntilMs = 0;
  let before: readonly string[] = [];
  const started = async () => {
    const started = await stage.start();
    if (!started.ok) throw new Error(started.error);
    return started.value;
  };
  const look = (canAct: boolean, ms: number): boolean => {
    const { paired, alone } = heldBy(stage);
    tally.steps += 1;
    if (paired.length > 0) tally.paired += 1;
    tally.pairs += paired.filter((base) => !before.includes(base)).length;
    before = paired;
    const began = alone.some((base) => !aloneMs.has(base));
    for (const base of aloneMs.keys()) if (!alone.includes(base)) aloneMs.delete(base);
    for (const base of alone) {
      const [counted, inAll] = aloneMs.get(base) ?? [0, 0];
      if (inAll === 0) tally.alone += 1;
      aloneMs.set(base, [counted + (canAct ? ms : 0), inAll + ms]);
      tally.longestMs = Math.max(tally.longestMs, counted + (canAct ? ms : 0));
      tally.longestInAllMs = Math.max(tally.longestInAllMs, inAll + ms);
    }
    return began;
  };
  try {
    await stage.clock.advance(600);
    let agentRun = await started();
    const endMs = startMs + DAYS * 24 * HOUR_MS;
    while (stage.clock.nowMs() < endMs) {
      await stage.clock.advance(STEP_MS);
      const nowMs = stage.clock.nowMs();
      const began = look(nowMs >= faultUntilMs, STEP_MS);
      if (entropy.chance("fault", STEP_MS / (2 * HOUR_MS)) && nowMs >= faultUntilMs) {
        const fault = FAULTS[entropy.int("which", 0, FAULTS.length)] ?? FAULTS[0];
        faultUntilMs = nowMs + 10 * MINUTE_MS;
        tally.faults += 1;
        const sent = stage.control("POST", "/control/faults", { ...fault, for: "10m" });
        await Promise.all([sent, stage.clock.advance(SECOND_MS)]);
      }
      // Half of the deaths strike when a side has just become alone.
      if (agentRun.fatal() !== null) throw agentRun.fatal();
      if (entropy.chance("death", began ? 0.5 : STEP_MS / (4 * HOUR_MS))) {
        agentRun.kill();
        tally.deaths += 1;
        const downMs = 10_000 * entropy.int("down", 1, 13);
        await stage.clock.advance(downMs);
        look(false, downMs);
        agentRun = await started();
      }
    }
    agentRun.kill();
    return tally;
  } finally {
    await Promise.all([stage.close(), stage.clock.advance(SECOND_MS)]);
  }
}

test("no side of a pair stays alone beyond its deadline under faults and deaths", { timeout: 0 }, async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-carry-"));
  try {
    const tally = await play(dataDir);
    if (process.env["BALLAST_CARRY_DAYS"] !== undefined) process.stdout.write(`${JSON.stringify(tally)}\n`);
    expect(tally.pairs).toBeGreaterThan(0);
    expect(tally.paired).toBeGreaterThan(0);
    expect(tally.longestMs).toBeLessThanOrEqual(DEADLINE_MS);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
