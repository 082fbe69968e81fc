/** One-way mode, closing of many, protection of a whole position, post-only, and candles of the past. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bestPrices, BTC, dataAt, type Drive, ETH, previewOf, type Rig, startRig, write } from "./svc-rig.ts";

// A guard against a hang, never a judge of speed.
vi.setConfig({ testTimeout: 240_000 });

let rig: Rig;
let drive: Drive;

beforeAll(async () => {
  rig = await startRig({ scale: 30, accounts: 1 });
  drive = await rig.tool(rig.variables(0));
  for (const symbol of [BTC, ETH]) await write(drive, "position.set-leverage", { symbol, leverage: 2 });
}, 60_000);
afterAll(() => rig.stop());

const market = (clientOrderId: string, more: object = {}) => ({
  symbol: BTC,
  side: "BUY",
  orderType: "MARKET",
  quantity: "0.002",
  maxNotional: "200",
  clientOrderId,
  ...more,
});
const reasonOf = async (id: string, input: object): Promise<string | undefined> =>
  (await previewOf(drive, id, { ...input })).message?.split(":")[0];

test("a whole position is protected and closed by symbol in hedge mode", async () => {
  const entire = { symbol: BTC, positionSide: "LONG", conditionType: "ENTIRE_CLOSE_POSITION", maxNotional: "300" };
  const stop = { ...entire, clientOrderId: "entire-1", algoType: "TPSL" };
  const { bid } = await bestPrices(drive);
  const slTriggerPrice = String(Math.floor(bid * 0.93));
  expect(await reasonOf("algo.place", { ...stop, slTriggerPrice })).toBe("NO_POSITION_TO_CLOSE");
  await write(drive, "order.place", market("hedge-1", { positionSide: "LONG" }));
  expect(await reasonOf("algo.place", stop)).toMatch(/^algo.place$/);
  expect(await reasonOf("algo.place", { ...stop, slTriggerPrice: `${slTriggerPrice}.001` })).toBe("INVALID_PRICE_TICK");
  expect(await reasonOf("algo.place", { ...stop, slTriggerPrice, maxNotional: "20" })).toBe("MAX_NOTIONAL_EXCEEDED");
  const placed = await write(drive, "algo.place", { ...stop, slTriggerPrice });
  expect([placed.status, placed.message]).toEqual(["PASS", undefined]);
  const closed = await write(drive, "position.close-all", { symbolList: "BTCUSDT", positionSide: "LONG" });
  expect([closed.status, closed.message]).toEqual(["PASS", undefined]);
  expect(dataAt(await drive("position.query", { symbol: BTC }), "data")).toEqual([]);
});

test("in one-way mode the position is left out", async () => {
  await write(drive, "order.cancel-all", {});
  const open = (dataAt(await drive("algo.open-orders"), "data.list") ?? []) as { algoOrderId: string }[];
  for (const { algoOrderId } of open) await write(drive, "algo.cancel", { algoOrderId });
  const switched = await write(drive, "portfolio.set-position-mode", { exchange: "EXCHANGE_A", mode: "NET" });
  expect([switched.status, switched.message]).toEqual(["PASS", undefined]);
  expect(await reasonOf("order.place", market("net-1", { positionSide: "LONG" }))).toBe("POSITION_SIDE_NOT_ALLOWED");
  const placed = await write(drive, "order.place", market("net-1", { side: "SELL" }));
  expect(dataAt(placed, "readback.order.orderState")).toBe("FILLED");
  const close = { symbol: BTC, reduceOnly: true, maxNotional: "300" };
  expect(await reasonOf("position.close", { ...close, maxNotional: "10" })).toBe("MAX_NOTIONAL_EXCEEDED");
  expect(await reasonOf("position.close", { ...close, reduceOnly: false })).toBe("REDUCE_ONLY_REQUIRED");
  const closed = await write(drive, "position.close", close);
  expect(dataAt(closed, "flat")).toBe(true);
});

test("rules of the symbol speak before the service does", async () => {
  const { bid } = await bestPrices(drive);
  const price = String(Math.floor(bid * 0.95));
  const limit = {
    symbol: BTC,
    side: "BUY",
    orderType: "LIMIT",
    price,
    quantity: "0.002",
    maxNotional: "200",
    clientOrderId: "r-1",
  };
  const reasons: readonly (readonly [object, string])[] = [
    [{ price: `${price}.01` }, "INVALID_PRICE_TICK"],
    [{ quantity: "0.0025" }, "INVALID_QUANTITY"],
    [{ price: "100" }, "MIN_NOTIONAL_NOT_MET"],
    [{ maxNotional: "50" }, "MAX_NOTIONAL_EXCEEDED"],
    [{ symbol: "EXCHANGE_A_PERP_NOSUCH_USDT" }, "INVALID_SYMBOL"],
    [{ price: undefined }, "PRICE_REQUIRED"],
    [{ postOnly: true, timeInForce: "IOC" }, "POST_ONLY_CONFLICT"],
    [{ quantity: "100000", maxNotional: "99999999999", price: undefined, orderType: "MARKET" }, "BOOK_TOO_THIN"],
  ];
  for (const [change, reason] of reasons) expect(await reasonOf("order.place", { ...limit, ...change })).toBe(reason);
  expect(await reasonOf("position.query", {})).toMatch(/not a write/);
});

test("a post-only order that would take is reported as rejected", async () => {
  const { ask } = await bestPrices(drive);
  const taking = {
    symbol: BTC,
    side: "BUY",
    orderType: "LIMIT",
    price: String(Math.ceil(ask * 1.01)),
    quantity: "0.002",
  };
  const answer = await write(drive, "order.place", {
    ...taking,
    postOnly: true,
    maxNotional: "200",
    clientOrderId: "po-1",
  });
  expect([answer.status, answer.code]).toEqual(["BUSINESS_ERROR", "RCLI22001"]);
});

test("the name of a member of every object is no interval, and no field of a submit", async () => {
  const candles = await drive("market.klines", { symbol: BTC, interval: "constructor" });
  expect([candles.status, candles.code]).toEqual(["INVALID_INPUT", "RCLI30001"]);
  const submit = await drive("order.place", { symbol: BTC, constructor: "1" });
  expect(submit.status).toBe("INVALID_INPUT");
});

test("candles of the past come from the operator's folder, and the running one from the stream", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "candles-"));
  const window = path.join(folder, "klines-1m", "perp-2026-01_02");
  mkdirSync(window, { recursive: true });
  const rows = [0, 1, 2].map((index) => `${1767484800000 + index * 60_000},1,2,0.5,1.5,${index}`);
  writeFileSync(path.join(window, "BTCUSDT.csv"), `open_time_ms,open,high,low,close,volume\n${rows.join("\n")}\n`);
  const command = rig.command({ ...rig.variables(0), SVC_CANDLE_DIR: folder });
  const answer = await command("market.klines", { symbol: BTC, interval: "1m", limit: 3 });
  rmSync(folder, { recursive: true });
  const candles = dataAt(answer, "candles") as readonly (readonly unknown[])[];
  expect(candles.slice(0, 2)).toEqual([
    [1767484860000, "1", "2", "0.5", "1.5", "1"],
    [1767484920000, "1", "2", "0.5", "1.5", "2"],
  ]);
  expect(dataAt(answer, "sources")).toEqual(["folder", "stream"]);
});
