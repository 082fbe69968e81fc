/** Positions, algo orders and the live verification through the client layer. Spec: 3 §4.5, §4.6, §4.7. */
import { expect } from "vitest";
import { dataAt, previewOf, tokenOf, write } from "../../faces/svc-rig.ts";
import { card, type Surface } from "../harness.ts";
import { at } from "../json.ts";
import { failed, passed } from "../svc-client.ts";
import { BTC, listed, type Venue } from "../venue.ts";

const symbol = BTC;
const CLOSE = { symbol, positionSide: "LONG", reduceOnly: true, maxNotional: "400" };

/** Document 1's own field names, as 3 §4.5 wants them. */
async function stopOf(v: Venue, clientOrderId: string): Promise<Record<string, unknown>> {
  const [{ bid }, { orderQty }] = await Promise.all([v.touch(BTC), v.farOrder()]);
  return {
    ...{ algoOrderType: "TPSL", sym: BTC, side: "SELL", positionSide: "LONG", orderQty, reduceOnly: true },
    ...{ conditionType: "CONDITIONAL", conditionalTriggerType: "MARK_PRICE" },
    ...{ conditionalTriggerPrice: String(Math.floor(bid * 0.9)), maxNotional: "400", clientOrderId },
  };
}

export const clientPositions: Surface = {
  name: "client-positions",
  cards: [
    card(
      "C-4.5-01",
      "3 §4.5",
      "algo.place takes document 1's fields and maxNotional through the generic preview",
      async (v) => {
        await v.open(BTC, "LONG");
        const stop = await stopOf(v, "c-4501");
        const preview = await v.svc.command("trade.preview", { targetCapabilityId: "algo.place", ...stop });
        passed(preview);
        const placed = await v.svc.command("algo.place", { ...stop, ...tokenOf(preview) });
        const algoOrderId = String((passed(placed)["data"] as { algoOrderId: unknown }).algoOrderId);
        const record = await v.get("/api/v1/algo/order", { algoOrderId });
        expect(record.data).toMatchObject({ sym: BTC, side: "SELL", clientOrderId: "c-4501" });
        expect(JSON.stringify(dataAt(placed, "readback"))).toContain(algoOrderId);
      },
    ),
    card(
      "C-4.5-02",
      "3 §4.5",
      "algo.replace and algo.cancel are previewed, and change and end the order",
      async (v) => {
        await v.open(BTC, "LONG");
        const stop = await stopOf(v, "c-4502");
        const placed = await write(v.svc.command, "algo.place", stop);
        const algoOrderId = String(dataAt(placed, "data.algoOrderId"));
        const triggerPrice = String(Number(stop["conditionalTriggerPrice"]) - 100);
        passed(await write(v.svc.command, "algo.replace", { algoOrderId, triggerPrice }));
        expect(JSON.stringify((await v.get("/api/v1/algo/openOrders")).data)).toContain(triggerPrice);
        passed(await write(v.svc.command, "algo.cancel", { algoOrderId }));
        expect(JSON.stringify((await v.get("/api/v1/algo/openOrders")).data)).not.toContain(algoOrderId);
      },
    ),
    card("C-4.5-03", "3 §4.5", "algo reads take algoOrderId or sym", async (v) => {
      await v.open(BTC, "LONG");
      const placed = await write(v.svc.tool, "algo.place", await stopOf(v, "c-4503"));
      const algoOrderId = String(dataAt(placed, "data.algoOrderId"));
      const open = passed(await v.svc.tool("algo.open-orders", { sym: BTC }));
      expect(JSON.stringify(open)).toContain(algoOrderId);
      passed(await v.svc.tool("algo.history", { sym: BTC }));
      failed(await v.svc.tool("algo.query", { algoOrderId: "12" }), "INVALID_INPUT", "RCORE00002");
    }),
    card("C-4.5-04", "3 §4.5", "an algo.place without side, quantity or trigger is INVALID_INPUT", async (v) => {
      const stop = await stopOf(v, "c-4504");
      for (const field of ["side", "orderQty", "conditionalTriggerPrice", "sym", "maxNotional"]) {
        const lacking = Object.fromEntries(Object.entries(stop).filter(([name]) => name !== field));
        failed(await previewOf(v.svc.command, "algo.place", lacking), "INVALID_INPUT", "RCLI30001");
      }
    }),
    card("C-4.6-01", "3 §4.6, §8", "set-leverage takes symbol and leverage; get-leverage shows it", async (v) => {
      const done = await write(v.svc.command, "position.set-leverage", { symbol, leverage: 3 });
      expect(passed(done)).toMatchObject({ confirmed: true });
      const shown = passed(await v.svc.command("position.get-leverage", { symbol }));
      expect(JSON.stringify(shown)).toMatch(/"leverage":"?3"?/);
      const half = { targetCapabilityId: "position.set-leverage", symbol, leverage: 2.5 };
      failed(await v.svc.command("trade.preview", half), "INVALID_INPUT", "RCLI30001");
    }),
    card("C-4.6-02", "3 §4.6", "close is previewed, ends the position, and reads it back", async (v) => {
      await v.open(BTC, "LONG");
      const record = listed(await v.get("/api/v1/trading/position"))[0] ?? null;
      const preview = await previewOf(v.svc.command, "position.close", CLOSE);
      expect(passed(preview)["positionReadback"]).toMatchObject({
        sym: BTC,
        positionSide: "LONG",
        positionQty: at(record, "positionQty"),
      });
      const done = await v.svc.command("position.close", { ...CLOSE, ...tokenOf(preview) });
      expect(passed(done)).toMatchObject({ flat: true, response: { code: 200000 }, readback: { positions: [] } });
      expect(listed(await v.get("/api/v1/trading/position"))).toEqual([]);
      expect(JSON.stringify(passed(await v.svc.command("position.history", { symbol })))).toContain(BTC);
    }),
    card("C-4.6-03", "3 §4.6", "close accepts no side and no quantity, and in net mode no positionSide", async (v) => {
      for (const extra of [{ side: "SELL" }, { quantity: "0.001" }])
        failed(await previewOf(v.svc.command, "position.close", { ...CLOSE, ...extra }), "INVALID_INPUT", "RCLI30001");
      failed(await previewOf(v.svc.command, "position.close", { ...CLOSE, positionSide: undefined }), "BLOCKED");
      passed(await write(v.svc.command, "portfolio.set-position-mode", { exchange: "EXCHANGE_A", mode: "NET" }));
      const answer = failed(await previewOf(v.svc.command, "position.close", CLOSE), "BLOCKED");
      expect(answer.message).toMatch(/^POSITION_SIDE_NOT_ALLOWED/);
    }),
    card("C-4.6-04", "3 §4.6", "query takes nothing and shows every open position", async (v) => {
      expect(dataAt(await v.svc.command("position.query"), "data")).toEqual([]);
      await v.open(BTC, "LONG");
      const rows = dataAt(await v.svc.command("position.query"), "data");
      expect(rows).toEqual([expect.objectContaining({ sym: BTC, positionSide: "LONG" })]);
    }),
    card(
      "C-4.6-05",
      "3 §4.6",
      "close-all takes exchange, closes all, and holds the service's row of each",
      async (v) => {
        await v.open(BTC, "LONG");
        const done = await write(v.svc.command, "position.close-all", { exchange: "EXCHANGE_A" });
        expect(passed(done)["data"]).toEqual([expect.objectContaining({ sym: BTC, success: "true" })]);
        await v.until(
          () => v.get("/api/v1/trading/position"),
          (reply) => listed(reply).length === 0,
          "no position",
        );
      },
    ),
    card("C-4.7-02", "3 §4.7", "trade preview takes any write by targetCapabilityId, and nothing else", async (v) => {
      passed(await previewOf(v.svc.command, "position.set-leverage", { symbol, leverage: 2 }));
      failed(await v.svc.command("trade.preview", { symbol }), "INVALID_INPUT", "RCLI30001");
      failed(await v.svc.command("trade.preview", { targetCapabilityId: "order.plaice" }), "INVALID_INPUT");
      failed(await v.svc.command("trade.preview", { targetCapabilityId: "position.query" }), "BLOCKED");
    }),
    card(
      "C-4.7-03",
      "3 §4.7",
      "verify-live places a small post-only order and cancels it, with consent alone",
      async (v) => {
        const asked = { symbol, side: "BUY", positionSide: "LONG", maxNotional: "400", clientOrderId: "c-4703" };
        const words = `Place a real BUY LONG order in ${BTC} up to 400 USDT and cancel it.`;
        const silent = { ...asked, explicitUserConsent: false, acceptedRiskText: words };
        failed(await v.svc.command("trading.verify-live", silent), "BLOCKED");
        const consent = { explicitUserConsent: true, acceptedRiskText: words };
        const report = passed(await v.svc.command("trading.verify-live", { ...asked, ...consent }));
        expect(report).toMatchObject({ submittedRealOrder: true, cleanupStatus: "CONFIRMED" });
        const orders = listed(await v.get("/api/v1/trading/history/orders", { sym: BTC }));
        expect(orders).toEqual([
          expect.objectContaining({ clientOrderId: "c-4703", orderState: "CANCELLED", timeInForce: "GTX" }),
        ]);
      },
    ),
    card("C-4.7-05", "3 §4.7", "verify-live takes the documented fields alone, in hedge mode too", async (v) => {
      const asked = { symbol, side: "SELL", maxNotional: "400", clientOrderId: "c-4705", explicitUserConsent: true };
      const acceptedRiskText = `Place a real SELL order in ${BTC} up to 400 USDT and cancel it.`;
      const answer = await v.svc.command("trading.verify-live", { ...asked, acceptedRiskText });
      expect(passed(answer)).toMatchObject({ submittedRealOrder: true, cleanupStatus: "CONFIRMED" });
      const orders = listed(await v.get("/api/v1/trading/history/orders", { sym: BTC }));
      expect(orders).toEqual([expect.objectContaining({ clientOrderId: "c-4705", positionSide: "SHORT" })]);
    }),
    card("C-4.7-04", "3 §4.7", "after a write the client reads back: order, executions, position", async (v) => {
      const { orderQty } = await v.farOrder();
      const order = { symbol, side: "BUY", positionSide: "LONG", orderType: "MARKET", quantity: orderQty };
      const placed = await write(v.svc.command, "order.place", {
        ...order,
        maxNotional: "400",
        clientOrderId: "c-4704",
      });
      const orderId = String(dataAt(placed, "data.orderId"));
      expect(dataAt(placed, "readback.order")).toMatchObject({ orderId, sym: BTC });
      if (dataAt(placed, "readback.order.orderState") === "FILLED")
        expect(JSON.stringify(dataAt(placed, "readback.executions"))).toContain(orderId);
      await v.settled(orderId, ["FILLED"]);
      const all = await write(v.svc.command, "order.cancel-all", { symbol });
      expect(dataAt(all, "readback.openOrders.list")).toEqual([]);
    }),
  ],
};
