/**
 * The adversarial markets, each against behaviours that trade it: what the scenario file calls best must be best. The
 * whole service plays them on virtual time; behaviours are reckoned at the touch of its book, with its taker fee.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { timedIds } from "../../../src/core/ids.ts";
import { silentLog } from "../../../src/core/log.ts";
import { virtualClock } from "../../../src/core/virtual-clock.ts";
import { readScenarioFile } from "../../../src/sim/faults/scenario.ts";
import { accountOfSeed } from "../../../src/sim/servers/service/accounts.ts";
import { startInProcess } from "../../../src/sim/service.ts";
import { field, good } from "../exchange/venue.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const START_MS = Date.UTC(2026, 0, 5, 9);
const TAKER = 0.000175;
const ACCOUNTS = [1, 2].map((serial) => accountOfSeed("adversarial", serial));
const [SMALL, LARGE] = ACCOUNTS.map(({ id }) => id) as [string, string];

interface Touch {
  readonly bid: number;
  readonly ask: number;
}

const fileOf = (name: string): string => join(import.meta.dirname, `../../../config/scenarios/${name}.yaml`);

function play(name: string, stepMs = 250) {
  const clock = virtualClock(START_MS);
  const entropy = seededEntropy(1);
  const env = { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) };
  const service = startInProcess({
    env,
    log: silentLog,
    exchanges: ["EXCHANGE_A"],
    phase: 1,
    seed: 1,
    accounts: ACCOUNTS,
    symbols: [BTC],
    scenario: fileOf(name),
    stepMs,
  });
  const touch = (): Touch => {
    const { bids, asks } = service.exchange.book(BTC);
    return { bid: Number(bids[0]?.[0]) / 10, ask: Number(asks[0]?.[0]) / 10 };
  };
  /** The touch once in every span, from now on. */
  const watch = async (count: number, everyMs = 1_000): Promise<readonly Touch[]> => {
    const seen: Touch[] = [touch()];
    for (let turn = 0; turn < count; turn++) {
      await clock.advance(everyMs);
      seen.push(touch());
    }
    return seen;
  };
  return { ...service, clock, watch, touch };
}

const long = (from: Touch, to: Touch): number => to.bid / from.ask - 1 - 2 * TAKER;
const short = (from: Touch, to: Touch): number => 1 - to.ask / from.bid - 2 * TAKER;
/** The best single trade that foresight could have made, long or short. */
function bestTrade(seen: readonly Touch[]): number {
  let [best, lowestAsk, highestBid] = [-1, Infinity, 0];
  for (const { bid, ask } of seen) {
    best = Math.max(best, bid / lowestAsk - 1 - 2 * TAKER, 1 - ask / highestBid - 2 * TAKER);
    lowestAsk = Math.min(lowestAsk, ask);
    highestBid = Math.max(highestBid, bid);
  }
  return best;
}
const at = (seen: readonly Touch[], index: number): Touch => seen[index] ?? { bid: Number.NaN, ask: Number.NaN };

test.each(["dead-quiet", "whipsaw", "slow-bleed", "gap-over-stop", "false-news"])("%s names its best", (name) => {
  expect(readScenarioFile(fileOf(`market-${name}`))).toMatchObject({ ok: true, value: { best: expect.any(String) } });
});

test("dead quiet: in half an hour not even foresight finds a trade that pays its fees", async () => {
  const { watch, stop } = play("market-dead-quiet");
  const seen = await watch(1_800);
  expect(bestTrade(seen)).toBeLessThan(0);
  await stop();
});

test("whipsaw: the swings are there, no taker gains by them, and who follows them loses on every turn", async () => {
  const { clock, watch, stop } = play("market-whipsaw");
  await clock.advance(10_000);
  const seen = await watch(600);
  const turns = Array.from({ length: 20 }, (_, turn) => at(seen, turn * 30));
  const crests = turns.filter((_, turn) => turn % 2 === 1);
  const troughs = turns.filter((_, turn) => turn % 2 === 0);
  for (const [turn, crest] of crests.entries()) expect(crest.bid / at(troughs, turn).bid - 1).toBeGreaterThan(0.0002);
  expect(bestTrade(seen)).toBeLessThan(0);
  const followed = crests.slice(0, -1).map((crest, turn) => long(crest, at(troughs, turn + 1)));
  expect(Math.max(...followed)).toBeLessThan(-0.0005);
  await stop();
});

test("slow bleed: half an hour of holding loses from every minute of it, being short gains", async () => {
  const { clock, watch, stop } = play("market-slow-bleed", 1_000);
  await clock.advance(60_000);
  const minutes = await watch(120, 60_000);
  for (let minute = 0; minute + 30 <= 120; minute++) {
    expect(long(at(minutes, minute), at(minutes, minute + 30))).toBeLessThan(-0.015);
  }
  const rallies = minutes.filter((touch, minute) => minute > 0 && touch.bid > at(minutes, minute - 1).bid);
  expect(rallies.length).toBeGreaterThan(0);
  expect(short(at(minutes, 0), at(minutes, 120))).toBeGreaterThan(0.1);
  await stop();
});

test("false news: the report comes, the price follows, and every late buyer has lost by the end", async () => {
  const { clock, watch, touch, stop } = play("market-false-news");
  await clock.advance(119_000);
  const before = touch();
  const seen = await watch(200);
  const top = Math.max(...seen.map(({ bid }) => bid));
  expect(top / before.bid - 1).toBeGreaterThan(0.05);
  const end = at(seen, 200);
  for (let second = 6; second < 150; second++) expect(long(at(seen, second), end)).toBeLessThan(0);
  await stop();
});

describe("gap over the stop", () => {
  test("the stop fills far below its trigger: a small position survives, a large one is the end", async () => {
    const { clock, exchange, touch, stop } = play("market-gap-over-stop");
    await clock.advance(60_000);
    const { ask } = touch();
    for (const id of [SMALL, LARGE]) good(exchange.setLeverage(id, { sym: BTC, leverage: 2 }, clock.nowMs()));
    const buy = (accountId: string, usdt: number): void => {
      const nowMs = clock.nowMs();
      const order = { sym: BTC, side: "BUY", positionSide: "LONG", orderType: "MARKET" } as const;
      const orderQty = (usdt / ask).toFixed(3);
      good(exchange.place(accountId, { ...order, orderQty }, nowMs));
      const closing = { sym: BTC, side: "SELL", positionSide: "LONG" } as const;
      const stopAt = { slTriggerPrice: (ask * 0.98).toFixed(1), slTriggerType: "MARK_PRICE" } as const;
      const kind = { algoOrderType: "TPSL", conditionType: "ENTIRE_CLOSE_POSITION" } as const;
      good(exchange.placeAlgo(accountId, { ...kind, ...closing, ...stopAt }, nowMs));
    };
    buy(SMALL, 1_000);
    buy(LARGE, 1_750);
    await clock.advance(300_000);
    const score = (accountId: string) =>
      exchange.scoreboard(clock.nowMs()).find((row) => row.accountId === accountId) ?? { equityUsdt: "0" };
    expect(score(SMALL)).toMatchObject({ eliminated: false });
    expect(score(LARGE)).toMatchObject({ eliminated: true });
    const lost = 1_000 - Number(score(SMALL).equityUsdt);
    expect(lost).toBeGreaterThan(100);
    expect(lost).toBeLessThan(200);
    const executions = good(exchange.executions(SMALL, {}, clock.nowMs()));
    const sale = executions.find((row) => row.side === "SELL");
    expect(Number(field(sale, "price"))).toBeLessThan(ask * 0.9);
    await stop();
  });
});
