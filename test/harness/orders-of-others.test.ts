/** Orders that somebody else placed on the account, over the whole simulated service: a halt, a stop and a restart leave them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ConfigSchema } from "../../src/config/config.ts";
import { silentLog } from "../../src/core/log.ts";
import { createHarness } from "../../src/harness/harness.ts";
import { holding, scripted, target } from "../support/agent-world.ts";

const SECOND = 1_000;
const [BTC, ETH, SOL] = ["BTC", "ETH", "SOL"].map((base) => `EXCHANGE_A_PERP_${base}_USDT`) as [string, string, string];

const config = ConfigSchema.parse({
  venue: { kind: "embedded" },
  universe: ["BTC", "ETH", "SOL"],
  strategy: { use: "hold", fallback: "hold" },
  cadence: { every: "1m", minGap: "20s" },
  session: {
    consent: "I let this agent trade automatically, up to 400 USDT an order and 20000 USDT in all.",
    maxNotionalPerOrder: "400",
    maxTotalNotional: "20000",
  },
  execution: { restFor: "10m" },
  recorder: { enabled: false },
  learning: { review: "off" },
});

test("a halt, a stop and a restart leave orders and stops of others; halt --all withdraws the orders", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-others-"));
  const targets = [target({ symbol: ETH, size: 0.2, urgency: "rest" })];
  const strategies = {
    chosen: scripted("rests", () => ({ kind: "targets" as const, targets, note: "" })),
    fallback: holding(),
  };
  const stage = createHarness({
    ...{ config, seed: 13, startMs: Date.UTC(2026, 0, 15, 6), dataDir, log: silentLog, strategies },
    exchanges: ["EXCHANGE_A"],
  });
  const { clock, venue } = stage;
  const [id = ""] = venue.exchange.accountIds();
  const good = <T>(answer: { ok: true; value: T } | { ok: false }): T => {
    if (!answer.ok) throw new Error(`the venue refused: ${JSON.stringify(answer)}`);
    return answer.value;
  };
  /** Without the stops of ours, which come and go with fills. */
  const standing = (): readonly string[] => {
    const open = good(venue.exchange.openOrders(id, {}, clock.nowMs())).list;
    const algos = good(venue.exchange.openAlgos(id, {}, clock.nowMs()));
    const names = [...open, ...algos].map((order) => String(order["clientOrderId"]));
    return names.filter((name) => !name.startsWith("p-")).sort();
  };
  const own = (): readonly string[] => standing().filter((name) => name.startsWith("i-"));
  const startRun = async () => {
    const started = await stage.start();
    if (!started.ok) throw new Error(started.error);
    return started.value;
  };
  const stop = async (running: Awaited<ReturnType<typeof startRun>>): Promise<void> => {
    const stopped = running.stop("the test stops it");
    await clock.advance(10 * SECOND);
    await stopped;
  };
  try {
    await clock.advance(100);
    const resting = { sym: BTC, side: "BUY", positionSide: "LONG", orderType: "LIMIT" } as const;
    const order = { ...resting, orderQty: "0.002", limitPrice: "40000", clientOrderId: "by-hand" };
    good(venue.exchange.place(id, order, clock.nowMs()));
    const [mark] = good(venue.exchange.markPrice(id, { sym: SOL }, clock.nowMs()));
    const trigger = (Number(mark?.["markPrice"]) * 0.95).toFixed(1);
    const entry = { algoOrderType: "TPSL", conditionType: "CONDITIONAL", side: "BUY", positionSide: "LONG" } as const;
    const later = {
      ...entry,
      sym: SOL,
      orderQty: "1",
      conditionalTriggerPrice: trigger,
      clientOrderId: "entry-later",
    } as const;
    good(venue.exchange.placeAlgo(id, later, clock.nowMs()));

    const first = await startRun();
    for (let second = 0; second < 60 && own().length === 0; second++) await clock.advance(SECOND);
    expect(own()).toHaveLength(1);
    first.operator("halt");
    await clock.advance(15 * SECOND);
    expect(standing()).toEqual(["by-hand", "entry-later"]);
    await stop(first);
    expect(standing()).toEqual(["by-hand", "entry-later"]);

    const second = await startRun();
    await clock.advance(15 * SECOND);
    second.operator("resume");
    for (let turn = 0; turn < 120 && own().length === 0; turn++) await clock.advance(SECOND);
    expect(own()).toHaveLength(1);
    await stop(second);
    expect(standing()).toEqual(["by-hand", "entry-later"]);

    const third = await startRun();
    await clock.advance(20 * SECOND);
    third.operator("halt-all");
    await clock.advance(20 * SECOND);
    expect(standing()).toEqual(["entry-later"]);
    third.kill();
  } finally {
    await Promise.all([stage.close(), clock.advance(SECOND)]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);
