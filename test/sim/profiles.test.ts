/** What a service is like under each named profile, asked of the service itself. */
import { expect, test } from "vitest";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { silentLog } from "../../src/core/log.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { ProfileName } from "../../src/sim/profiles.ts";
import { WindowTable } from "../../src/sim/servers/access/sliding-window.ts";
import { startInProcess } from "../../src/sim/service.ts";
import { field, good } from "./exchange/venue.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const ADA = "EXCHANGE_A_PERP_ADA_USDT";

/** What a newcomer would see of it: fees, leverage, mode, the book's width, the depth of a level, a repeated id. */
async function looks(profile?: ProfileName) {
  const clock = virtualClock(Date.UTC(2026, 0, 5, 9));
  const entropy = seededEntropy(1);
  const env = { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) };
  const service = startInProcess({
    env,
    log: silentLog,
    exchanges: ["EXCHANGE_A"],
    phase: 2,
    seed: 1,
    symbols: [BTC, ADA],
    settings: { enforceLeverageCap: false },
    ...(profile === undefined ? {} : { profile }),
  });
  const { exchange } = service;
  await clock.advance(1_000);
  const id = exchange.accountIds()[0] ?? "";
  const now = (): number => clock.nowMs();
  const fees = good(exchange.userFeeRate(id, {}, now())).find(({ businessType }) => businessType === "PERP");
  const { bids, asks } = exchange.book(ADA);
  const mode = field(good(exchange.account(id, {}, now()))[0], "positionMode");
  const limitPrice = (((bids[0]?.[0] ?? 0) * 0.97) / 10_000).toFixed(4);
  const far = {
    sym: ADA,
    side: "BUY",
    orderType: "LIMIT",
    orderQty: "30",
    limitPrice,
    clientOrderId: "twice",
  } as const;
  const order = { ...far, positionSide: mode === "NET" ? "NONE" : "LONG" } as const;
  const first = exchange.place(id, order, now());
  await clock.advance(5_000);
  const again = exchange.place(id, order, now());
  const entire = {
    sym: ADA,
    algoOrderType: "TPSL",
    conditionType: "ENTIRE_CLOSE_POSITION",
    slTriggerPrice: limitPrice,
  } as const;
  const close = exchange.placeAlgo(id, { ...entire, positionSide: "LONG" } as const, now());
  const seen = {
    // Nothing is held: a form that is taken finds no position, another one is a wrong field.
    closeTypes: !close.ok && close.error.code === 401097,
    taker: field(fees, "takerFeeRate"),
    mode,
    leverage: Number(exchange.symbols[0]?.rules.defaultLeverage),
    spreadTicks: (asks[0]?.[0] ?? 0) - (bids[0]?.[0] ?? 0),
    restingLots: bids.reduce((sum, [, lots]) => sum + lots, 0),
    first: first.ok,
    again: again.ok,
  };
  await service.stop();
  return seen;
}

test("without a name the records' defaults hold; each name has its fees, mode, leverage and policy", async () => {
  expect(await looks()).toMatchObject({
    taker: "0.000175",
    mode: "BOTH",
    leverage: 5,
    first: true,
    again: false,
    closeTypes: true,
  });
  expect(await looks("documented")).toMatchObject({ taker: "0.0005", mode: "BOTH", leverage: 2, closeTypes: false });
  expect(await looks("observed")).toMatchObject({ taker: "0.000175", mode: "NET", leverage: 5, again: false });
  expect(await looks("harsh")).toMatchObject({ taker: "0.001", mode: "NET", leverage: 20, first: true, again: true });
});

test("harsh books are wider and thinner, so that the same order slips further", async () => {
  const [usual, harsh] = [await looks("observed"), await looks("harsh")];
  expect(harsh.spreadTicks).toBeGreaterThanOrEqual(usual.spreadTicks);
  expect(harsh.restingLots).toBeLessThan(usual.restingLots * 0.5);
});

test("harsh rates let the next request in after twice the span", () => {
  const [usual, stretched] = [new WindowTable(), new WindowTable({ stretch: 2 })].map((table) =>
    table.of("key POST order", { requests: 1, perMs: 5_000 }),
  );
  for (const window of [usual, stretched]) expect(window?.take(0)).toBe(true);
  expect([usual?.take(5_000), stretched?.take(5_000), stretched?.take(10_000)]).toEqual([true, false, true]);
});
