/**
 * The whole agent on another exchange: other symbols, other codes, stops among the orders, position pushes with a time. It
 * is plugged in at `VenueAccess.connect`; nothing else differs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TargetPosition } from "../../src/strategy/strategy.ts";
import { holding, scripted, target } from "../support/agent-world.ts";
import { SecondExchange } from "../support/second-venue/exchange.ts";
import { beginRun, type Run, secondClock } from "../support/second-venue/run.ts";
import { connectSecond } from "../support/second-venue/second-venue.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";

function stage() {
  const clock = secondClock();
  const exchange = new SecondExchange(clock, { BTCUSDT: "60000", ETHUSDT: "3000" });
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-second-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const mind: { targets: readonly TargetPosition[] } = { targets: [] };
  const chosen = scripted("scripted", () => ({ kind: "targets", targets: mind.targets, note: "" }));
  const begin = (): Run => {
    const run = beginRun({
      clock,
      connect: (options) => connectSecond(exchange, options),
      dataDir,
      strategies: { chosen, fallback: holding() },
    });
    onTestFinished(() => run.kill());
    return run;
  };
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    for (let step = 0; step < 240; step++) {
      if (holds()) return;
      await clock.advance(500);
    }
    throw new Error(`never in two minutes: ${what}`);
  };
  const stops = () =>
    [...exchange.orders.values()].filter(({ type, status }) => type === "STOP_MARKET" && status === "NEW");
  return { clock, exchange, mind, begin, until, stops };
}

const heldBy = (run: Run) => run.status().positions;
const rowsOf = (run: Run, kind: "fill" | "trade" | "reconcile" | "wire-out") =>
  run.journal.rows({ kinds: [kind] }).map(({ body }) => body as Record<string, unknown>);

/** One long BTC position with its stop, opened by a first run. */
async function opened() {
  const at = stage();
  const run = at.begin();
  at.mind.targets = [target({ symbol: BTC, size: 0.5, stopDistance: 0.02 })];
  await at.until("a protected position", () => heldBy(run)[0]?.protection === "live");
  return { ...at, run };
}

test("opens a position, sees its fill, places the stop, and closes both again", { timeout: 60_000 }, async () => {
  const { exchange, mind, run, until, stops } = await opened();
  const [position] = exchange.positions.values();
  expect(position).toMatchObject({ symbol: "BTCUSDT", positionSide: "LONG" });
  expect(heldBy(run)).toMatchObject([{ symbol: BTC, qty: position?.positionAmt, protection: "live" }]);
  expect(stops()).toMatchObject([{ symbol: "BTCUSDT", side: "SELL", origQty: "0" }]);
  expect(Number(stops()[0]?.stopPrice)).toBeCloseTo(58_800, -2);
  expect(rowsOf(run, "fill")).toMatchObject([{ symbol: BTC, transactionId: "90000" }]);

  mind.targets = [target({ symbol: BTC, size: 0 })];
  await until("no position", () => exchange.positions.size === 0);
  await until("no stop", () => stops().length === 0);
  await until("the trade in the journal", () => rowsOf(run, "trade").some(({ event }) => event === "closed"));
  expect(heldBy(run)).toEqual([]);
  expect(run.fatal()).toBeNull();
});

test(
  "a killed agent takes its position and its stop over again, and places no second one",
  { timeout: 60_000 },
  async () => {
    const { clock, exchange, run, begin, until, stops } = await opened();
    const [qty, placed] = [heldBy(run)[0]?.qty, exchange.orders.size];
    run.kill();
    await clock.advance(3_000);
    const again = begin();
    await until("the position again", () => heldBy(again)[0]?.protection === "live");
    await clock.advance(20_000);
    expect(heldBy(again)).toMatchObject([{ symbol: BTC, qty }]);
    expect(stops()).toHaveLength(1);
    expect(exchange.orders.size).toBe(placed);
    expect(rowsOf(again, "reconcile").some(({ event }) => event === "complete")).toBe(true);
    expect(again.fatal()).toBeNull();
  },
);

test("a stop that went off while no agent ran is found by the next one", { timeout: 60_000 }, async () => {
  const { clock, exchange, mind, run, begin, until } = await opened();
  run.kill();
  await clock.advance(2_000);
  exchange.move("BTCUSDT", "58000");
  expect(exchange.positions.size).toBe(0);
  mind.targets = [];
  await clock.advance(2_000);
  const again = begin();
  await until("the trade in the journal", () => rowsOf(again, "trade").some(({ event }) => event === "closed"));
  expect(heldBy(again)).toEqual([]);
  expect(rowsOf(again, "trade").find(({ event }) => event === "closed")).toMatchObject({ exit: "stop" });
  expect(again.fatal()).toBeNull();
});

test.each(["order", "answer"] as const)(
  "where the %s got lost on the way, what became of it is asked, and there is one position",
  { timeout: 60_000 },
  async (lost) => {
    const { exchange, mind, begin, until, stops } = stage();
    exchange.lost.push(lost);
    const run = begin();
    mind.targets = [target({ symbol: BTC, size: 0.5, stopDistance: 0.02 })];
    await until("a protected position", () => heldBy(run)[0]?.protection === "live");
    expect(exchange.lost).toEqual([]);
    expect(exchange.trades).toHaveLength(1);
    expect(stops()).toHaveLength(1);
    expect(run.fatal()).toBeNull();
  },
);

test("openings wait for no window that this exchange does not have", { timeout: 60_000 }, async () => {
  const { clock, exchange, mind, begin, until, stops } = stage();
  const run = begin();
  const long = target({ symbol: BTC, size: 0.5, stopDistance: 0.02 });
  const rounds: number[] = [];
  // Each opening needs a new stop; the first venue takes three in 50 s, and would keep the fourth round waiting.
  for (let round = 0; round < 4; round++) {
    const beganMs = clock.nowMs();
    mind.targets = [long];
    await until("a protected position", () => heldBy(run)[0]?.protection === "live");
    mind.targets = [{ ...long, size: 0 }];
    await until("nothing", () => exchange.positions.size === 0 && stops().length === 0 && heldBy(run).length === 0);
    rounds.push(clock.nowMs() - beganMs);
  }
  expect(Math.max(...rounds)).toBeLessThan(17_500);
  expect(run.fatal()).toBeNull();
});
