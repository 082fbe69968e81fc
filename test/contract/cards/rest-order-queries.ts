/** Asking for orders and fills. Spec: 1 §4.2; records §1.3, §1.4, §5.5, §5.6, §5.8. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, num, rows, text } from "../json.ts";
import { accepted, BTC, ETH, listed, ORDER, refused } from "../venue.ts";
import {
  OPEN_ORDERS,
  HISTORY,
  ARCHIVE,
  EXECUTIONS,
  PAGEABLE,
  UNKNOWN,
  resting,
  cancelled,
  ids,
} from "./order-steps.ts";

export const restOrderQueries: Surface = {
  name: "rest-order-queries",
  cards: [
    card("T-4.2-06", "1 §4.2", "GET order by orderId and by clientOrderId", async (v) => {
      const orderId = await resting(v, { clientOrderId: "ask-me" });
      expect(at(await v.order(orderId), "clientOrderId")).toBe("ask-me");
      expect(at(accepted(await v.get(ORDER, { clientOrderId: "ask-me" })), "orderId")).toBe(orderId);
    }),
    card("R-5.6-01", "records §5.6", "GET order needs one of the ids", async (v) =>
      refused(await v.get(ORDER), 400001),
    ),
    card("R-5.6-02", "records §5.6", "an extra sym on GET order is signed and ignored", async (v) => {
      const orderId = await resting(v);
      accepted(await v.get(ORDER, { orderId, sym: ETH, symbol: ETH }));
    }),
    card("R-5.5-01", "records §5.5", "the order record has the documented fields as text", async (v) => {
      const record = await v.order(await resting(v));
      const fields = [
        "portfolioId",
        "orderId",
        "clientOrderId",
        "orderState",
        "sym",
        "side",
        "exchangeOrderType",
        "orderType",
        "exchangeType",
        "businessType",
        "positionSide",
        "orderQty",
        "quoteOrderQty",
        "limitPrice",
        "timeInForce",
        "executedQty",
        "executedAmount",
        "executedAvgPrice",
        "lastExecutedQty",
        "lastExecutedPrice",
        "lastExecutedAmount",
        "fee",
        "feeCoin",
        "rebate",
        "rebateCoin",
        "reason",
        "action",
        "actionMsg",
        "cancelType",
        "amendType",
        "borrowAmount",
        "borrowAsset",
        "tpTriggerPrice",
        "tpTriggerType",
        "tpPrice",
        "slTriggerPrice",
        "slTriggerType",
        "slPrice",
        "createAt",
        "updateAt",
      ];
      for (const field of fields) expect(typeof at(record, field), field).toBe("string");
      expect(typeof at(record, "reduceOnly")).toBe("boolean");
      expect(typeof at(record, "leverage")).toBe("number");
      expect(isObject(record) && "algoOrderId" in record && "portfolioName" in record).toBe(true);
    }),
    card("R-5.5-02", "records §5.5", "orderType is the origin DMA, exchangeOrderType the request's type", async (v) => {
      expect(await v.order(await resting(v))).toMatchObject({ orderType: "DMA", exchangeOrderType: "LIMIT" });
    }),
    card("R-5.5-03", "records §0.2, §5.5", "times of an order are epoch milliseconds as text", async (v) => {
      expect(text(at(await v.order(await resting(v)), "createAt"))).toMatch(/^\d{13}$/);
    }),
    card("T-4.2-07", "1 §4.2", "open orders hold the resting order and not the cancelled one", async (v) => {
      const gone = await cancelled(v);
      await v.wait(5_300);
      const open = await resting(v);
      const found = ids(await v.get(OPEN_ORDERS));
      expect(found).toContain(open);
      expect(found).not.toContain(gone);
    }),
    card("R-5.6-03", "records §1.3, §5.6", "open orders are a page object with a default size of 20", async (v) => {
      await resting(v);
      expect(accepted(await v.get(OPEN_ORDERS))).toMatchObject({ page: 1, pageSize: 20, pageNum: 1, totalSize: 1 });
    }),
    card("R-5.6-04", "records §5.6", "sym and exchange filter open orders", async (v) => {
      await resting(v);
      expect(ids(await v.get(OPEN_ORDERS, { sym: ETH }))).toEqual([]);
      expect(ids(await v.get(OPEN_ORDERS, { exchange: "EXCHANGE_B" }))).toEqual([]);
      expect(ids(await v.get(OPEN_ORDERS, { sym: BTC, exchange: "EXCHANGE_A", businessType: "PERP" }))).toHaveLength(1);
    }),
    card("R-1.3-01", "records §1.3", "a page past the end is empty with the true totals", async (v) => {
      await resting(v);
      expect(accepted(await v.get(OPEN_ORDERS, { page: 9, pageSize: 1 }))).toMatchObject({
        page: 9,
        totalSize: 1,
        list: [],
      });
    }),
    card("R-1.3-02", "records §1.3", "pages are cut newest first", async (v) => {
      const first = await cancelled(v);
      await v.wait(5_300);
      const second = await resting(v);
      expect(ids(await v.get(HISTORY, { page: 1, pageSize: 1 }))).toEqual([second]);
      expect(ids(await v.get(HISTORY, { page: 2, pageSize: 1 }))).toEqual([first]);
    }),
    card("R-1.3-03", "records §1.3", "a pageSize above 1000 on the history is refused with 400001", async (v) =>
      refused(await v.get(HISTORY, { pageSize: 1001 }), 400001),
    ),
    card("T-4.2-08", "1 §4.2", "order history holds orders of every state", async (v) => {
      const orderId = await cancelled(v);
      expect(ids(await v.get(HISTORY))).toContain(orderId);
      expect(ids(await v.get(HISTORY, { sym: ETH }))).toEqual([]);
    }),
    card("R-5.6-05", "records §5.6", "filterExecuted leaves only orders with a fill", async (v) => {
      const filled = text(at(await v.open(BTC, "LONG"), "orderId"));
      await v.wait(5_300);
      await cancelled(v);
      expect(ids(await v.get(HISTORY, { filterExecuted: "true" }))).toEqual([filled]);
    }),
    card("R-1.4-01", "records §1.4", "begin after end is refused with 400001", async (v) => {
      const now = Number(v.nonce()) * 1000;
      refused(await v.get(HISTORY, { begin: String(now), end: String(now - 1000) }), 400001);
    }),
    card("R-1.4-02", "records §1.4", "begin and end bound the history", async (v) => {
      const orderId = await resting(v);
      const madeAt = num(at(await v.order(orderId), "createAt"));
      expect(ids(await v.get(HISTORY, { begin: String(madeAt), end: String(madeAt) }))).toEqual([orderId]);
      expect(ids(await v.get(HISTORY, { end: String(madeAt - 1) }))).toEqual([]);
    }),
    card("T-4.2-09", "1 §4.2; records §1.4", "the archive of a new account is an empty page", async (v) => {
      await resting(v);
      expect(accepted(await v.get(ARCHIVE))).toMatchObject({ totalSize: 0, list: [] });
    }),
    card("T-4.2-10", "1 §4.2; records §5.8", "executions are a plain array of fills", async (v) => {
      const order = await v.open(BTC, "LONG");
      const data = accepted(await v.get(EXECUTIONS));
      expect(Array.isArray(data)).toBe(true);
      const total = rows(data).reduce((sum: number, row) => sum + num(at(row, "quantity")), 0);
      expect(total).toBeCloseTo(num(at(order, "executedQty")), 8);
    }),
    card("R-5.8-01", "records §5.8", "an execution has the documented fields, all text", async (v) => {
      await v.open(BTC, "LONG");
      const fill = listed(await v.get(EXECUTIONS))[0] ?? null;
      const fields = [
        "transactionId",
        "portfolioId",
        "orderId",
        "clientOrderId",
        "algoOrderId",
        "exchangeType",
        "businessType",
        "sym",
        "side",
        "quantity",
        "price",
        "tradingFee",
        "tradingFeeCoin",
        "fee",
        "feeCoin",
        "rebate",
        "rebateCoin",
        "rpnl",
        "execType",
        "tradeSource",
        "createAt",
      ];
      for (const field of fields) expect(typeof at(fill, field), field).toBe("string");
      expect(fill).toMatchObject({ algoOrderId: "0", execType: "TAKER", side: "BUY", sym: BTC });
    }),
    card("R-5.8-02", "records §5.8", "fee equals tradingFee and rpnl is 0 on an opening fill", async (v) => {
      await v.open(BTC, "LONG");
      const fill = listed(await v.get(EXECUTIONS))[0] ?? null;
      expect(at(fill, "fee")).toBe(at(fill, "tradingFee"));
      expect(num(at(fill, "rpnl"))).toBe(0);
    }),
    card("R-5.8-03", "records §5.8", "orderId and limit bound the executions", async (v) => {
      await v.open(BTC, "LONG");
      expect(listed(await v.get(EXECUTIONS, { orderId: UNKNOWN, limit: 5 }))).toEqual([]);
    }),
    card("R-1.4-03", "records §1.4", "executions older than 7 days are refused with 400001", async (v) => {
      const begin = String((Number(v.nonce()) - 9 * 86_400) * 1000);
      refused(await v.get(EXECUTIONS, { begin }), 400001);
    }),
    card("T-4.2-11", "1 §4.2; records §5.8", "pageable executions are a page object of the same records", async (v) => {
      const order = await v.open(BTC, "LONG");
      const data = accepted(await v.get(PAGEABLE, { orderId: text(at(order, "orderId")) }));
      expect(data).toMatchObject({ page: 1 });
      expect(rows(data).length).toBeGreaterThan(0);
    }),
    card("T-4.2-12", "1 §5.4", "nobody sees another portfolio's order", async (v) => {
      const orderId = await resting(v);
      refused(await v.get(ORDER, { orderId }, v.another()), 401018);
    }),
  ],
};
