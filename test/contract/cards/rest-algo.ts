/** Placing take-profit and stop-loss orders. Spec: 1 §2.5; records §6.1, §6.2. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, num } from "../json.ts";
import { accepted, BTC, refused } from "../venue.ts";
import { ALGO, pair, omit, idOf, protectedLong, queryAlgo, refusedPair } from "./algo-steps.ts";

export const restAlgo: Surface = {
  name: "rest-algo",
  cards: [
    card("T-2.5-01", "1 §2.5; records §6.1", "TPSL is accepted; the id is a text of 16 digits", async (v) => {
      expect(await protectedLong(v)).toMatch(/^\d{16}$/);
    }),
    card(
      "T-2.5-02",
      "1 §2.5; records §6",
      "another algoOrderType is refused with 400001",
      refusedPair(400001, (p) => ({ ...p, algoOrderType: "TWAP" })),
    ),
    card(
      "T-2.5-03",
      "1 §2.5",
      "sym is required",
      refusedPair(400001, (p) => omit(p, "sym")),
    ),
    card(
      "T-2.5-04",
      "1 §2.5",
      "side is BUY or SELL",
      refusedPair(400001, (p) => ({ ...p, side: "HOLD" })),
    ),
    card(
      "T-2.5-05",
      "1 §2.5",
      "orderQty is a plain decimal",
      refusedPair(400001, (p) => ({ ...p, orderQty: "1e-3" })),
    ),
    card(
      "T-2.5-06",
      "1 §2.5; records §6.2",
      "conditionType outside the list is refused",
      refusedPair(400001, (p) => ({ ...p, conditionType: "TRAILING" })),
    ),
    card(
      "T-2.5-07",
      "1 §2.5; records §6.2",
      "CONDITIONAL with a trigger price and MARK_PRICE is accepted",
      async (v) => {
        await v.open(BTC, "LONG");
        const params = await pair(v);
        const conditional = {
          ...omit(params, "tpTriggerPrice", "tpTriggerType", "tpPrice", "slTriggerPrice", "slTriggerType", "slPrice"),
          conditionType: "CONDITIONAL",
          conditionalTriggerPrice: params.slTriggerPrice ?? "",
          conditionalTriggerType: "MARK_PRICE",
        };
        const record = await queryAlgo(v, idOf(await v.post(ALGO, conditional)));
        expect(record).toMatchObject({ conditionType: "CONDITIONAL", conditionalTriggerPriceType: "MARK_PRICE" });
      },
    ),
    card(
      "R-6.2-01",
      "records §6.2",
      "CONDITIONAL without any trigger is refused",
      refusedPair(400001, (p) => ({
        ...omit(p, "tpTriggerPrice", "slTriggerPrice"),
        conditionType: "CONDITIONAL",
      })),
    ),
    card(
      "R-6.2-02",
      "records §6.2",
      "OCO needs both triggers",
      refusedPair(400001, (p) => omit(p, "tpTriggerPrice")),
    ),
    card(
      "R-6.2-03",
      "records §6.2",
      "OCO needs a quantity",
      refusedPair(400001, (p) => omit(p, "orderQty")),
    ),
    card("R-6.2-04", "records §6.2", "ENTIRE_CLOSE_POSITION needs neither side nor quantity", async (v) => {
      await v.open(BTC, "LONG");
      const params = omit(await pair(v), "side", "orderQty", "tpTriggerPrice", "tpTriggerType", "tpPrice");
      const record = await queryAlgo(
        v,
        idOf(await v.post(ALGO, { ...params, conditionType: "ENTIRE_CLOSE_POSITION" })),
      );
      expect(at(record, "conditionType")).toBe("ENTIRE_CLOSE_POSITION");
    }),
    card(
      "R-6.2-05",
      "records §6.2",
      "ENTIRE_CLOSE_POSITION needs a trigger",
      refusedPair(400001, (p) => ({
        ...omit(p, "tpTriggerPrice", "slTriggerPrice"),
        conditionType: "ENTIRE_CLOSE_POSITION",
      })),
    ),
    card("R-6.2-06", "records §6.2", "PARTIAL_CLOSE_POSITION takes one trigger and a quantity", async (v) => {
      await v.open(BTC, "LONG");
      const params = {
        ...omit(await pair(v), "tpTriggerPrice", "tpTriggerType", "tpPrice"),
        conditionType: "PARTIAL_CLOSE_POSITION",
      };
      accepted(await v.post(ALGO, params));
    }),
    card("R-6.2-07", "records §6.2", "a trigger more than 15 % from the mark is refused with 400001", async (v) => {
      await v.open(BTC, "LONG");
      const params = await pair(v);
      refused(
        await v.post(ALGO, { ...params, slTriggerPrice: Math.floor(num(params.slTriggerPrice ?? 0) * 0.7).toFixed(1) }),
        400001,
      );
    }),
    card("R-6.1-01", "records §6.1, §18.3", "reduceOnly is accepted as boolean and as text", async (v) => {
      await v.open(BTC, "LONG");
      for (const reduceOnly of [true, "true", "TRUE"]) accepted(await v.post(ALGO, await pair(v, { reduceOnly })));
    }),
    card("R-6.1-02", "records §6.1", "orderType and limitPrice are taken and ignored", async (v) => {
      await v.open(BTC, "LONG");
      accepted(await v.post(ALGO, await pair(v, { orderType: "LIMIT", limitPrice: "1" })));
    }),
    card("R-6.1-03", "records §6.1", "without clientOrderId the algo order id stands in its place", async (v) => {
      await v.open(BTC, "LONG");
      const data = accepted(await v.post(ALGO, await pair(v)));
      expect(at(data, "clientOrderId")).toBe(at(data, "algoOrderId"));
    }),
    card("R-6.1-04", "records §6.1", "tp and sl triggers are LAST_PRICE unless said otherwise", async (v) => {
      await v.open(BTC, "LONG");
      const id = idOf(await v.post(ALGO, omit(await pair(v), "tpTriggerType", "slTriggerType")));
      expect(await queryAlgo(v, id)).toMatchObject({ tpTriggerType: "LAST_PRICE", slTriggerType: "LAST_PRICE" });
    }),
  ],
};
