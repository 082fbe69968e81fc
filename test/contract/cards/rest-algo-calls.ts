/** Asking for, replacing and cancelling algo orders, and what makes them fire. Spec: 1 §2.5, §4.3; records §6.3 to §6.5. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, isObject, num, rows } from "../json.ts";
import { accepted, BTC, ETH, listed, refused } from "../venue.ts";
import { ALGO, OPEN, HISTORY, UNKNOWN, pair, omit, idOf, protectedLong, queryAlgo, untilState } from "./algo-steps.ts";

export const restAlgoCalls: Surface = {
  name: "rest-algo-calls",
  cards: [
    card("T-4.3-01", "1 §4.3; records §6.4", "GET algo/order answers the record with all its fields", async (v) => {
      const record = await queryAlgo(v, await protectedLong(v, { clientOrderId: "sl-1" }));
      const fields = [
        "portfolioId",
        "algoOrderId",
        "clientOrderId",
        "algoOrderType",
        "sym",
        "exchangeType",
        "businessType",
        "side",
        "positionSide",
        "orderQty",
        "limitPrice",
        "reduceOnly",
        "orderState",
        "reason",
        "executedQty",
        "executedAmount",
        "executedAvgPrice",
        "conditionType",
        "conditionalTriggerPrice",
        "conditionalTriggerPriceType",
        "conditionalPrice",
        "attachedOrderId",
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
      expect(record).toMatchObject({ clientOrderId: "sl-1", reduceOnly: "true", orderState: "NEW" });
    }),
    card("R-6.3-01", "records §6.3", "GET algo/order by clientOrderId", async (v) => {
      const id = await protectedLong(v, { clientOrderId: "by-client" });
      expect(at(accepted(await v.get(ALGO, { clientOrderId: "by-client" })), "algoOrderId")).toBe(id);
    }),
    card("T-4.3-02", "1 §4.3", "PUT replaces trigger prices", async (v) => {
      const id = await protectedLong(v);
      const before = num(at(await queryAlgo(v, id), "slTriggerPrice"));
      const slTriggerPrice = (before + 10).toFixed(1);
      expect(at(accepted(await v.put(ALGO, { algoOrderId: id, slTriggerPrice })), "algoOrderId")).toBe(id);
      const record = await queryAlgo(v, id);
      expect(num(at(record, "slTriggerPrice"))).toBe(num(slTriggerPrice));
    }),
    card("R-6.3-02", "records §6.3", "PUT of an unknown algo order is 401018", async (v) =>
      refused(await v.put(ALGO, { algoOrderId: UNKNOWN, slTriggerPrice: "50000" }), 401018),
    ),
    card("R-6.3-03", "records §6.3", "PUT that changes nothing is refused with 400001", async (v) =>
      refused(await v.put(ALGO, { algoOrderId: await protectedLong(v) }), 400001),
    ),
    card("T-4.3-03", "1 §4.3", "DELETE cancels; the state becomes CANCELLED", async (v) => {
      const id = await protectedLong(v);
      expect(at(accepted(await v.del(ALGO, { algoOrderId: id })), "algoOrderId")).toBe(id);
      await v.wait(2_000);
      expect(at(await queryAlgo(v, id), "orderState")).toBe("CANCELLED");
    }),
    card("R-6.3-04", "records §6.3", "a second cancel of an algo order is 401117", async (v) => {
      const id = await protectedLong(v);
      accepted(await v.del(ALGO, { algoOrderId: id }));
      await v.wait(2_000);
      refused(await v.del(ALGO, { algoOrderId: id }), 401117);
    }),
    card("R-6.3-05", "records §6.3", "DELETE of an unknown algo order is 401018", async (v) =>
      refused(await v.del(ALGO, { algoOrderId: UNKNOWN }), 401018),
    ),
    card("R-6.3-06", "records §6.3", "a replace of a finished algo order is 401058", async (v) => {
      const id = await protectedLong(v);
      accepted(await v.del(ALGO, { algoOrderId: id }));
      await v.wait(2_000);
      refused(await v.put(ALGO, { algoOrderId: id, slTriggerPrice: "50000.0" }), 401058);
    }),
    card("T-4.3-04", "1 §4.3; records §6.3", "open algo orders are a plain array; sym filters", async (v) => {
      const id = await protectedLong(v);
      const data = accepted(await v.get(OPEN));
      expect(Array.isArray(data)).toBe(true);
      expect(rows(data).map((row) => at(row, "algoOrderId"))).toEqual([id]);
      expect(listed(await v.get(OPEN, { sym: ETH }))).toEqual([]);
    }),
    card("T-4.3-05", "1 §4.3; records §6.3", "algo history is a page object of finished orders", async (v) => {
      const id = await protectedLong(v);
      expect(accepted(await v.get(HISTORY))).toMatchObject({ list: [] });
      accepted(await v.del(ALGO, { algoOrderId: id }));
      await v.wait(2_000);
      const data = accepted(await v.get(HISTORY));
      expect(isObject(data)).toBe(true);
      expect(rows(data).map((row) => at(row, "algoOrderId"))).toEqual([id]);
    }),
    card("T-4.3-06", "1 §4.3; records §6.3", "cancelAll answers the ids that were asked to cancel", async (v) => {
      const id = await protectedLong(v);
      const reply = await v.del("/api/v1/algo/cancelAll", { sym: BTC });
      expect(reply.code).toBe("200000");
      expect(rows(reply.data).map((row) => at(row, "algoOrderId"))).toEqual([id]);
      await v.wait(2_000);
      expect(listed(await v.get(OPEN))).toEqual([]);
    }),
    card("R-5.4-03", "records §5.4", "cancelAll of plain orders leaves algo orders alone", async (v) => {
      const id = await protectedLong(v);
      accepted(await v.del("/api/v1/trading/cancelAll"), 202);
      await v.wait(2_000);
      expect(at(await queryAlgo(v, id), "orderState")).toBe("NEW");
    }),
    card("R-6.5-02", "records §6.5", "an algo order is cancelled when its position is gone", async (v) => {
      const user = await v.user();
      await v.open(BTC, "LONG");
      const params = omit(await pair(v), "side", "orderQty", "tpTriggerPrice", "tpTriggerType", "tpPrice");
      const id = idOf(await v.post(ALGO, { ...params, conditionType: "ENTIRE_CLOSE_POSITION" }));
      accepted(await v.del("/api/v1/trading/position", { sym: BTC, positionSide: "LONG" }), 202);
      await untilState(user, id, "CANCELLED");
    }),
    card(
      "T-2.5-08",
      "1 §2.5; records §6.2",
      "a stop fires a MARKET close when the mark crosses it, and the other side ends",
      async (v) => {
        const symbol = "EXCHANGE_A_PERP_SOL_USDT";
        const user = await v.user();
        const id = await protectedLong(v, {}, symbol);
        await v.push(symbol, -0.08);
        const record = await untilState(user, id, "COMPLETED");
        expect(num(at(record, "executedQty"))).toBeGreaterThan(0);
        const child = listed(await v.get("/api/v1/trading/history/orders", { sym: symbol })).find(
          (row) => at(row, "algoOrderId") === id,
        );
        expect(child).toMatchObject({ exchangeOrderType: "MARKET", side: "SELL", orderState: "FILLED" });
        expect(listed(await v.get(OPEN))).toEqual([]);
      },
    ),
    card("T-2.5-09", "1 §2.5; records §6.2", "a take-profit fires when the mark rises to it", async (v) => {
      const symbol = "EXCHANGE_A_PERP_XRP_USDT";
      const user = await v.user();
      const id = await protectedLong(v, {}, symbol);
      await v.push(symbol, 0.08);
      await untilState(user, id, "COMPLETED");
      const left = listed(await v.get("/api/v1/trading/position", { sym: symbol })).filter(
        (row) => num(at(row, "positionQty")) !== 0,
      );
      expect(left).toEqual([]);
    }),
    card("R-6.2-08", "records §6.2", "for a short the directions are mirrored: a rise fires the stop", async (v) => {
      const symbol = "EXCHANGE_A_PERP_LTC_USDT";
      const user = await v.user();
      await v.open(symbol, "SHORT");
      const { tpTriggerPrice, slTriggerPrice, ...params } = await pair(
        v,
        { side: "BUY", positionSide: "SHORT" },
        symbol,
      );
      const short = { ...params, tpTriggerPrice: slTriggerPrice ?? "", slTriggerPrice: tpTriggerPrice ?? "" };
      const id = idOf(await v.post(ALGO, short));
      await v.push(symbol, 0.08);
      const record = await untilState(user, id, "COMPLETED");
      expect(at(record, "side")).toBe("BUY");
    }),
  ],
};
