/** What the user stream pushes. Spec: 1 §2.4, §6.2; records §11.3, §11.4, §12. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, num, text } from "../json.ts";
import { accepted, BTC, ORDER } from "../venue.ts";
import type { Frame } from "../wire.ts";
import { act, onChannel, orderIn, placed, resting } from "./user-steps.ts";

export const userPushes: Surface = {
  name: "user-pushes",
  cards: [
    card("T-2.4-01", "1 §2.4", "an Orders push has channel and data with the five promised fields", async (v) => {
      const wire = await v.user();
      const orderId = await placed(v, wire);
      const push = (await wire.some(onChannel("Orders", orderId), "a push")).json;
      for (const field of ["orderId", "clientOrderId", "orderState", "executedQty", "executedAvgPrice"]) {
        expect(typeof at(push, "data", field), field).toBe("string");
      }
    }),
    card("R-11.4-01", "records §11.4", "an Orders push carries the full set, all text", async (v) => {
      const wire = await v.user();
      const push = (await wire.some(onChannel("Orders", await placed(v, wire)), "a push")).json;
      const fields = [
        "portfolioId",
        "exchangeType",
        "businessType",
        "sym",
        "side",
        "positionSide",
        "orderType",
        "exchangeOrderType",
        "timeInForce",
        "orderQty",
        "limitPrice",
        "executedAmount",
        "lastExecutedQty",
        "lastExecutedPrice",
        "fee",
        "feeCoin",
        "reason",
        "leverage",
        "action",
        "createAt",
        "updateAt",
      ];
      for (const field of fields) expect(typeof at(push, "data", field), field).toBe("string");
    }),
    card("T-6.2-02", "1 §6.2", "orders placed over REST are pushed too", async (v) => {
      const wire = await v.user();
      const orderId = text(at(accepted(await v.post(ORDER, await v.farOrder())), "orderId"));
      await wire.some(orderIn(orderId, "OPEN"), "OPEN");
    }),
    card(
      "T-6.2-03",
      "1 §6.2; records §12",
      "one fill pushes Orders, Trades, Positions and Assets in this order",
      async (v) => {
        const wire = await v.user();
        await v.open(BTC, "LONG");
        await wire.some(onChannel("Assets"), "the assets");
        const seen = wire.seen().map((frame) => text(at(frame.json, "channel")));
        const first = (channel: string): number => seen.indexOf(channel, seen.indexOf("Trades") - 1);
        expect(first("Orders")).toBeLessThan(first("Trades"));
        expect(first("Trades")).toBeLessThan(first("Positions"));
        expect(first("Positions")).toBeLessThan(first("Assets"));
      },
    ),
    card("R-11.3-01", "records §11.3", "a Trades push is an execution record", async (v) => {
      const wire = await v.user();
      await v.open(BTC, "LONG");
      const data = at((await wire.some(onChannel("Trades"), "a trade")).json, "data");
      for (const field of ["transactionId", "orderId", "sym", "side", "quantity", "price", "fee", "rpnl", "execType"]) {
        expect(typeof at(data, field), field).toBe("string");
      }
    }),
    card(
      "R-11.3-02",
      "records §11.3",
      "a Positions push states side, quantity, average price and leverage",
      async (v) => {
        const wire = await v.user();
        const order = await v.open(BTC, "SHORT");
        const data = at((await wire.some(onChannel("Positions"), "a position")).json, "data");
        expect(data).toMatchObject({ sym: BTC, positionSide: "SHORT", leverage: "5" });
        expect(num(at(data, "positionQty"))).toBeLessThanOrEqual(num(at(order, "executedQty")));
      },
    ),
    card("R-11.3-03", "records §11.3", "an Assets push states coin, balance, available and frozen", async (v) => {
      const wire = await v.user();
      await v.open(BTC, "LONG");
      const data = at((await wire.some(onChannel("Assets"), "assets")).json, "data");
      expect(at(data, "coin")).toBe("USDT");
      for (const field of ["balance", "available", "frozen"]) expect(text(at(data, field))).toMatch(/^\d+(\.\d+)?$/);
    }),
    card("R-12-01", "records §12", "a cancel gives its reply, then CANCEL_PENDING, then CANCELLED", async (v) => {
      const wire = await v.user();
      const orderId = await resting(v, wire);
      await act(wire, "cancel_order", { orderId }, "c");
      await wire.some(orderIn(orderId, "CANCELLED"), "CANCELLED");
      const place = (match: (frame: Frame) => boolean): number => wire.seen().findIndex(match);
      const reply = place((frame) => at(frame.json, "id") === "c");
      const pending = place(
        (frame) => onChannel("Orders", orderId)(frame) && at(frame.json, "data", "action") === "CANCEL_PENDING",
      );
      expect(pending).toBeGreaterThan(reply);
      expect(place(orderIn(orderId, "CANCELLED"))).toBeGreaterThan(pending);
    }),
    card("T-4.8-05", "1 §4.8, §6.2", "onlyTrade gets replies and no pushes", async (v) => {
      const wire = await v.user({ onlyTrade: true });
      const orderId = await placed(v, wire);
      await v.settled(orderId, ["OPEN"]);
      expect(wire.seen().filter((frame) => at(frame.json, "channel") !== null)).toEqual([]);
    }),
    card("T-6.2-04", "1 §6.2", "nobody gets another portfolio's pushes", async (v) => {
      const other = await v.user({ key: v.another() });
      const own = await v.user();
      await own.some(onChannel("Orders", await placed(v, own)), "own push");
      expect(other.seen().filter((frame) => at(frame.json, "channel") !== null)).toEqual([]);
    }),
    card("R-11.2-05", "1 §5.4; records §16", "a key without Trade may log in and not place orders", async (v) => {
      const wire = await v.user({ key: v.key("read-only") });
      expect(at(await act(wire, "place_order", await v.farOrder()), "code")).toBe(2003);
    }),
  ],
};
