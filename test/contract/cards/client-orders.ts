/** Orders through the client layer. Spec: 3 §4.4. */
import { expect } from "vitest";
import { dataAt, previewOf, tokenOf, write } from "../../faces/svc-rig.ts";
import { card, type Surface } from "../harness.ts";
import { at, text } from "../json.ts";
import { failed, passed } from "../svc-client.ts";
import { farOrder, marketOrder } from "./client-steps.ts";

/** Sixteen digits that no order has. */
const NOBODY = "1111111111111111";

export const clientOrders: Surface = {
  name: "client-orders",
  cards: [
    card(
      "C-4.4-01",
      "3 §4.4",
      "place-preview takes the order's fields, and place the same with the preview's ids",
      async (v) => {
        const order = await farOrder(v, "c-4401", { postOnly: true });
        const preview = await v.svc.command("order.place-preview", order);
        expect(passed(preview)["businessParams"]).toMatchObject(order);
        const placed = await v.svc.command("order.place", { ...order, ...tokenOf(preview) });
        passed(placed);
        const record = await v.order(String(dataAt(placed, "data.orderId")));
        expect(record).toMatchObject({ sym: order["symbol"], side: "BUY", positionSide: "LONG", timeInForce: "GTX" });
        expect(Number(at(record, "limitPrice"))).toBe(Number(order["price"]));
      },
    ),
    card(
      "C-4.4-02",
      "3 §4.4",
      "replace-preview and replace take orderId and price, and change the price",
      async (v) => {
        const order = await farOrder(v, "c-4402");
        const placed = await write(v.svc.command, "order.place", order);
        const orderId = String(dataAt(placed, "data.orderId"));
        const price = String(Number(order["price"]) - 10);
        passed(await write(v.svc.command, "order.replace", { orderId, price }));
        const record = await v.until(
          () => v.order(orderId),
          (found) => Number(at(found, "limitPrice")) === Number(price),
          "the new price",
        );
        expect(text(at(record, "orderState"))).toBe("OPEN");
      },
    ),
    card("C-4.4-03", "3 §4.4", "cancel-preview and cancel take orderId, and end the order", async (v) => {
      const placed = await write(v.svc.command, "order.place", await farOrder(v, "c-4403"));
      const orderId = String(dataAt(placed, "data.orderId"));
      passed(await write(v.svc.command, "order.cancel", { orderId }));
      await v.settled(orderId, ["CANCELLED"]);
    }),
    card(
      "C-4.4-04",
      "3 §4.4",
      "query takes orderId or clientOrderId, open-orders nothing, history symbol",
      async (v) => {
        const order = await farOrder(v, "c-4404");
        const orderId = String(dataAt(await write(v.svc.command, "order.place", order), "data.orderId"));
        for (const key of [{ orderId }, { clientOrderId: "c-4404" }])
          expect(dataAt(await v.svc.command("order.query", key), "data")).toMatchObject({ orderId });
        const open = dataAt(await v.svc.command("order.open-orders"), "data.list");
        expect(open).toEqual([expect.objectContaining({ orderId })]);
        passed(await write(v.svc.command, "order.cancel", { orderId }));
        const past = dataAt(await v.svc.command("order.history", { symbol: order["symbol"] }), "data.list");
        expect(past).toEqual([expect.objectContaining({ orderId })]);
      },
    ),
    card("C-4.4-05", "3 §4.4", "cancel-all takes symbol, and leaves no open order of it", async (v) => {
      const order = await farOrder(v, "c-4405");
      passed(await write(v.svc.command, "order.place", order));
      passed(await write(v.svc.command, "order.cancel-all", { symbol: order["symbol"] }));
      await v.until(
        () => v.svc.command("order.open-orders"),
        (answer) => (dataAt(answer, "data.list") as readonly unknown[]).length === 0,
        "no open order",
      );
    }),
    card(
      "C-4.4-06",
      "3 §4.4 rule 1",
      "positionSide is required in hedge mode and omitted in one-way mode",
      async (v) => {
        const { positionSide, ...order } = await farOrder(v, "c-4406");
        failed(await v.svc.command("order.place-preview", order), "BLOCKED");
        passed(await write(v.svc.command, "portfolio.set-position-mode", { exchange: "EXCHANGE_A", mode: "NET" }));
        passed(await v.svc.command("order.place-preview", order));
        failed(await v.svc.command("order.place-preview", { ...order, positionSide }), "BLOCKED");
      },
    ),
    card("C-4.4-07", "3 §4.4 rule 2", "an orderId that has not 16 digits gives RCORE00002", async (v) => {
      for (const orderId of ["123", "21880000000000017", "218800000000000x"]) {
        failed(await v.svc.command("order.query", { orderId }), "INVALID_INPUT", "RCORE00002");
        failed(await v.svc.command("order.cancel-preview", { orderId }), "INVALID_INPUT", "RCORE00002");
        failed(await v.svc.tool("order.replace-preview", { orderId, price: "1" }), "INVALID_INPUT", "RCORE00002");
      }
    }),
    card("C-4.4-08", "3 §4.4 rule 2", "a well-formed orderId that does not exist gives NOT_FOUND", async (v) => {
      failed(await v.svc.command("order.query", { orderId: NOBODY }), "NOT_FOUND", "RCORE22004");
      failed(await v.svc.command("order.cancel-preview", { orderId: NOBODY }), "NOT_FOUND", "RCORE22004");
      failed(await v.svc.tool("order.cancel-preview", { clientOrderId: "nobody" }), "NOT_FOUND", "RCORE22004");
      const change = { orderId: NOBODY, price: "1000" };
      failed(await v.svc.command("order.replace-preview", change), "NOT_FOUND", "RCORE22004");
      failed(await previewOf(v.svc.tool, "order.replace", change), "NOT_FOUND", "RCORE22004");
      const algo = { targetCapabilityId: "algo.cancel", clientOrderId: "nobody" };
      failed(await v.svc.command("trade.preview", algo), "NOT_FOUND", "RCORE22004");
    }),
    card("C-4.4-09", "3 §4.4 rule 3", "place-preview validates tick, lot, least value and the ceiling", async (v) => {
      const order = await farOrder(v, "c-4409");
      const wrong: readonly Record<string, unknown>[] = [
        { price: `${String(order["price"])}1`.replace(/^(\d+)(\d)$/, "$1.00000001") },
        { quantity: "0.00000001" },
        { price: "1" },
        { maxNotional: "1" },
        { symbol: "EXCHANGE_A_PERP_NOSUCH_USDT" },
      ];
      for (const change of wrong)
        failed(await v.svc.command("order.place-preview", { ...order, ...change }), "BLOCKED");
      passed(await v.svc.command("order.place-preview", order));
    }),
    card(
      "C-4.4-10",
      "3 §4.4 rule 3",
      "replace-preview and cancel-preview read the order back before a token",
      async (v) => {
        const placed = await write(v.svc.command, "order.place", await farOrder(v, "c-4410"));
        const orderId = String(dataAt(placed, "data.orderId"));
        const record = await v.order(orderId);
        expect(passed(await v.svc.command("order.cancel-preview", { orderId }))["orderReadback"]).toEqual(record);
        const replaced = await v.svc.command("order.replace-preview", { orderId, quantity: at(record, "orderQty") });
        expect(passed(replaced)["orderReadback"]).toEqual(record);
        passed(await write(v.svc.command, "order.cancel", { orderId }));
        failed(await v.svc.command("order.cancel-preview", { orderId }), "BLOCKED");
      },
    ),
    card("C-4.4-11", "3 §4.4 rule 4", "cancel carries cancelAccepted and terminalStateConfirmed", async (v) => {
      const placed = await write(v.svc.tool, "order.place", await farOrder(v, "c-4411"));
      const orderId = String(dataAt(placed, "data.orderId"));
      const data = passed(await write(v.svc.tool, "order.cancel", { orderId }));
      expect(data).toMatchObject({
        cancelAccepted: true,
        terminalStateConfirmed: true,
        lastObservedOrderState: "CANCELLED",
      });
    }),
    card("C-4.4-12", "3 §4.4", "a MARKET order takes a price without using it, and says so", async (v) => {
      const order = await marketOrder(v, "c-4412", { price: "1000" });
      const preview = await v.svc.command("order.place-preview", order);
      const data = passed(preview) as { riskNotes: string[]; requestSummary: { estimatedNotional: string } };
      expect(data.riskNotes.join(" ")).toMatch(/price is ignored/);
      const { ask } = await v.touch(String(order["symbol"]));
      expect(Number(data.requestSummary.estimatedNotional)).toBeGreaterThan(ask * Number(order["quantity"]) * 0.9);
      const placed = await v.svc.command("order.place", { ...order, ...tokenOf(preview) });
      passed(placed);
      const record = await v.settled(String(dataAt(placed, "data.orderId")), ["FILLED"]);
      expect(text(at(record, "exchangeOrderType"))).toBe("MARKET");
    }),
  ],
};
