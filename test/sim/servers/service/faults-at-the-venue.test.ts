import { afterEach, beforeEach, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import type { Exchange } from "../../../../src/sim/exchange/contract/api.ts";
import { createExchange } from "../../../../src/sim/exchange/exchange.ts";
import { ALL_FAULTS } from "../../../../src/sim/faults/all.ts";
import { BTC, NOW_MS, spec } from "../fake-exchange.ts";
import { ACCOUNT, type Message, type Rig, startRig } from "../rig.ts";

let rig: Rig;
let exchange: Exchange;
const found = (): void => {
  exchange.openAccount({ accountId: ACCOUNT, exchanges: ["EXCHANGE_A"], initialUsdt: dec(1000), mode: "BOTH" }, NOW_MS);
  exchange.market.setMark(BTC, dec(60_500), dec(60_500), NOW_MS);
  exchange.market.setState(BTC, "live");
  exchange.market.setLiquidity(BTC, true, [[604_999, 3_200]], NOW_MS);
  exchange.market.setLiquidity(BTC, false, [[605_001, 1_100]], NOW_MS);
  exchange.setLeverage(ACCOUNT, { sym: BTC, leverage: 2 }, NOW_MS);
};
beforeEach(async () => {
  exchange = createExchange({ symbols: [spec(BTC)], phase: 1, startMs: NOW_MS });
  found();
  rig = await startRig({ faults: ALL_FAULTS, exchange });
});
afterEach(() => rig.stop());

const on = (name: string, params: unknown = {}, forMs: number | null = null): void => {
  const begun = rig.faults.start(name, params, forMs);
  if (!begun.ok) throw new Error(begun.error);
};

const ORDER = "/api/v1/trading/order";
const order = {
  sym: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  orderQty: "0.001",
  limitPrice: "60400",
  clientOrderId: "c-1",
} as const;
const market = { ...order, orderType: "MARKET", limitPrice: "" };
const stateOf = async (clientOrderId = "c-1"): Promise<unknown> => {
  const { body } = await rig.call("GET", ORDER, { clientOrderId });
  return (body.data as Message).orderState ?? body.code;
};

/** Past the limits of the servers. */
const placed = (clientOrderId = "c-1"): number => {
  const answer = exchange.place(ACCOUNT, { ...order, clientOrderId }, Math.floor(rig.clock.nowMs()));
  return answer.ok ? 200000 : answer.error.code;
};

test("reject-late: accepted, and refused a moment later", async () => {
  on("reject-late", { afterMs: 1_000, share: 1 });
  expect((await rig.call("POST", ORDER, order)).body.code).toBe(200000);
  expect(await stateOf()).toBe("NEW");
  await rig.clock.advance(1_100);
  expect(await stateOf()).toBe("REJECTED");
  rig.faults.stop();
  await rig.clock.advance(5_000);
  await rig.call("POST", ORDER, { ...order, clientOrderId: "c-2" });
  expect(await stateOf("c-2")).toBe("OPEN");
});

test("reject-late: refuses what comes later than reported, as it does where delays spread", async () => {
  await rig.stop();
  exchange = createExchange({ symbols: [spec(BTC)], phase: 1, startMs: NOW_MS, entropy: seededEntropy(1) });
  found();
  rig = await startRig({ faults: ALL_FAULTS, exchange });
  on("reject-late", { afterMs: 1_000, share: 1 });
  for (const id of ["c-1", "c-2", "c-3"]) expect(placed(id)).toBe(200000);
  await rig.clock.advance(2_000);
  for (const id of ["c-1", "c-2", "c-3"]) expect(await stateOf(id)).toBe("REJECTED");
});

test("reject-late leaves a symbol halted that the tape has halted", async () => {
  on("reject-late", { afterMs: 1_000, share: 1 });
  await rig.call("POST", ORDER, order);
  exchange.market.setState(BTC, "halted");
  await rig.clock.advance(1_100);
  expect(placed("c-2")).toBe(401011);
});

test("cancel-then-fill: the fill wins over an accepted cancel", async () => {
  await rig.call("POST", ORDER, order);
  on("cancel-then-fill", { cancelMs: 1_000 });
  expect((await rig.call("DELETE", ORDER, { clientOrderId: "c-1" })).body.data).toMatchObject({
    action: "CANCEL_PENDING",
  });
  await rig.clock.advance(1_200);
  expect(await stateOf()).toBe("FILLED");
});

test("the venue's own delays come back, whichever of two faults that overlap ends first", async () => {
  exchange.setDelays({ placeMs: 400, cancelMs: 400 });
  on("reject-late", { afterMs: 5_000, share: 0 }, 1_000);
  on("reject-late", { afterMs: 7_000, share: 0 }, 2_000);
  on("cancel-then-fill", { cancelMs: 5_000, share: 0 }, 2_000);
  on("cancel-then-fill", { cancelMs: 7_000, share: 0 }, 1_000);
  await rig.clock.advance(2_000);
  await rig.call("POST", ORDER, order);
  await rig.clock.advance(399);
  expect(await stateOf()).toBe("NEW");
  await rig.clock.advance(1);
  expect(await stateOf()).toBe("OPEN");
  await rig.call("DELETE", ORDER, { clientOrderId: "c-1" });
  await rig.clock.advance(399);
  expect(await stateOf()).toBe("OPEN");
  await rig.clock.advance(1);
  expect(await stateOf()).toBe("CANCELLED");
});

test("halted-symbol: over what the tape says while it lasts, and the tape's own word afterwards", async () => {
  on("halted-symbol", { symbol: "BTC" }, 1_000);
  on("halted-symbol", { symbol: "BTC" }, 2_000);
  await rig.clock.advance(1_000);
  exchange.market.setState(BTC, "live");
  expect(placed()).toBe(401011);
  exchange.market.setState(BTC, "halted");
  await rig.clock.advance(1_000);
  expect(rig.faults.active()).toEqual([]);
  expect(placed()).toBe(401011);
  exchange.market.setState(BTC, "live");
  expect(placed()).toBe(200000);
});

test("duplicate-policy: of two that overlap the newer counts, and the venue's own comes back", async () => {
  expect(placed()).toBe(200000);
  on("duplicate-policy", { policy: "accept" }, 5_000);
  on("duplicate-policy", { policy: "refuse-always" }, 10_000);
  expect(placed()).toBe(406010);
  await rig.clock.advance(10_000);
  expect(rig.faults.active()).toEqual([]);
  expect(placed()).toBe(406010);
  on("duplicate-policy", { policy: "accept" });
  expect(placed()).toBe(200000);
});

test("ghost-fill: executed, unanswered, and denied for a while", async () => {
  on("ghost-fill", { deniedMs: 5_000 });
  await expect(rig.call("POST", ORDER, market)).rejects.toThrow();
  expect(await stateOf()).toBe(401018);
  await rig.clock.advance(5_000);
  expect(await stateOf()).toBe("FILLED");
});

test("read-lag: a new order is unknown and a new position unseen until the lag has passed", async () => {
  on("read-lag", { lagMs: 4_000 });
  await rig.clock.advance(1);
  await rig.call("POST", ORDER, market);
  expect(await stateOf()).toBe(401018);
  expect((await rig.call("GET", "/api/v1/trading/position")).body.data).toEqual([]);
  await rig.clock.advance(4_001);
  expect(await stateOf()).toBe("FILLED");
  expect((await rig.call("GET", "/api/v1/trading/position")).body.data).toMatchObject([{ positionQty: "0.001" }]);
});

test("read-lag: reads lag no longer where another fault holds back the pushes", async () => {
  on("push-drop", { share: 1 });
  on("read-lag", { lagMs: 4_000 });
  const held = async (): Promise<unknown> => (await rig.call("GET", "/api/v1/trading/position")).body.data;
  await rig.clock.advance(1);
  await rig.call("POST", ORDER, market);
  await rig.clock.advance(1_000);
  expect(await held()).toEqual([]);
  await rig.clock.advance(4_001);
  expect(await held()).toMatchObject([{ positionQty: "0.001" }]);
});

test("leverage-reset: back to a high leverage when a position closes", async () => {
  on("leverage-reset", { leverage: 20 });
  const leverage = async (): Promise<unknown> =>
    (await rig.call("GET", "/api/v1/trading/perp/leverage", { sym: BTC })).body.data;
  await rig.call("POST", ORDER, market);
  expect(await leverage()).toEqual([{ sym: BTC, leverage: "2" }]);
  await rig.call("DELETE", "/api/v1/trading/position", { sym: BTC, positionSide: "LONG" });
  await rig.clock.advance(100);
  expect(await leverage()).toEqual([{ sym: BTC, leverage: "20" }]);
});

test("external-cancel cancels orders or stops, or closes positions, as somebody would by hand", async () => {
  const read = async (path: string) => (await rig.call("GET", path)).body.data;
  on("external-order", { symbol: "BTC", orderQty: "0.002", slTriggerPrice: "58000" });
  on("external-order", { symbol: "BTC", orderQty: "0.002", orderType: "LIMIT", limitPrice: "58000" });
  expect(await read("/api/v1/trading/orders")).toMatchObject({ list: [{ limitPrice: "58000" }] });
  expect(await read("/api/v1/algo/openOrders")).toHaveLength(1);
  on("external-cancel", { what: "orders" });
  expect(await read("/api/v1/trading/orders")).toMatchObject({ list: [] });
  on("external-cancel");
  expect(await read("/api/v1/algo/openOrders")).toEqual([]);
  expect(await read("/api/v1/trading/position")).toHaveLength(1);
  on("external-cancel", { what: "positions" });
  expect(await read("/api/v1/trading/position")).toEqual([]);
});

test("halted-symbol, external-order, price-gap and duplicate-policy reach the venue", async () => {
  on("halted-symbol", { symbol: "BTC" });
  expect((await rig.call("POST", ORDER, order)).body.code).toBe(401011);
  rig.faults.stop();
  on("external-order", { symbol: "BTC", orderQty: "0.002" });
  expect((await rig.call("GET", "/api/v1/trading/position")).body.data).toMatchObject([{ positionQty: "0.002" }]);
  on("price-gap", { symbol: "BTC", move: -0.2, reboundAfterMs: 1_000 });
  await rig.clock.advance(1_000);
  expect(rig.moves.map(({ symbol, move }) => [symbol, Number(move.toFixed(6))])).toEqual([
    [BTC, -0.2],
    [BTC, 0.25],
  ]);
  on("duplicate-policy", { policy: "accept" });
  for (let i = 0; i < 2; i++) {
    await rig.clock.advance(5_000);
    expect((await rig.call("POST", ORDER, order)).body.code).toBe(200000);
  }
});
