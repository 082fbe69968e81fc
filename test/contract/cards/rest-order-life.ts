/** Amending and cancelling. Spec: 1 §3.1, §4.2, §7.1; records §5.2 to §5.4. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, num, text } from "../json.ts";
import { accepted, BTC, ETH, ORDER, refused } from "../venue.ts";
import { UNKNOWN, resting, cancelled, lowerPrice } from "./order-steps.ts";

export const restOrderLife: Surface = {
  name: "rest-order-life",
  cards: [
    card("T-4.2-01", "1 §4.2; records §5.2", "PUT amends the price; the id stays", async (v) => {
      const orderId = await resting(v);
      const replacePrice = await lowerPrice(v, orderId);
      const data = accepted(await v.put(ORDER, { orderId, replacePrice }));
      expect(at(data, "orderId")).toBe(orderId);
      const amended = await v.until(
        () => v.order(orderId),
        (row) => num(at(row, "limitPrice")) === num(replacePrice),
        "the amend",
      );
      expect(at(amended, "orderState")).toBe("OPEN");
    }),
    card("R-5.2-01", "records §5.2", "PUT amends the total quantity", async (v) => {
      const orderId = await resting(v);
      const replaceQty = (num(at(await v.order(orderId), "orderQty")) + 0.001).toFixed(3);
      accepted(await v.put(ORDER, { orderId, replaceQty }));
      await v.until(
        () => v.order(orderId),
        (row) => num(at(row, "orderQty")) === num(replaceQty),
        "the amend",
      );
    }),
    card("R-5.2-02", "records §5.2", "an order is amended by its clientOrderId too", async (v) => {
      const orderId = await resting(v, { clientOrderId: "amend-me" });
      const replacePrice = await lowerPrice(v, orderId);
      accepted(await v.put(ORDER, { clientOrderId: "amend-me", replacePrice }));
      await v.until(
        () => v.order(orderId),
        (row) => num(at(row, "limitPrice")) === num(replacePrice),
        "the amend",
      );
    }),
    card("R-5.2-03", "records §5.2", "an amend that changes nothing is refused with 400001", async (v) =>
      refused(await v.put(ORDER, { orderId: await resting(v) }), 400001),
    ),
    card("R-5.2-04", "records §5.2", "an amend that names no order is refused with 400001", async (v) =>
      refused(await v.put(ORDER, { replacePrice: "1" }), 400001),
    ),
    card("R-5.2-05", "records §5.2", "an amended price off the tick is refused with 401015", async (v) => {
      const orderId = await resting(v);
      refused(await v.put(ORDER, { orderId, replacePrice: `${await lowerPrice(v, orderId)}7` }), 401015);
    }),
    card("R-5.2-06", "records §5.2", "an amend of an unknown order is 401018", async (v) =>
      refused(await v.put(ORDER, { orderId: UNKNOWN, replacePrice: "50000" }), 401018),
    ),
    card("R-2-401058", "records §2, §5.2", "code 401058: an amend of a terminal order", async (v) => {
      const orderId = await cancelled(v);
      refused(await v.put(ORDER, { orderId, replacePrice: "50000" }), 401058);
    }),
    card("T-3.1-03", "1 §3.1; records §5.3", "a cancel is accepted while the order is still OPEN", async (v) => {
      const orderId = await resting(v);
      const data = accepted(await v.del(ORDER, { orderId }));
      expect(data).toMatchObject({ orderId, orderState: "OPEN", action: "CANCEL_PENDING" });
      await v.settled(orderId, ["CANCELLED"]);
    }),
    card("T-4.2-02", "1 §4.2", "an order is cancelled by its clientOrderId", async (v) => {
      const orderId = await resting(v, { clientOrderId: "by-client-id" });
      accepted(await v.del(ORDER, { clientOrderId: "by-client-id" }));
      await v.settled(orderId, ["CANCELLED"]);
    }),
    card("T-7.1-401117", "1 §3.1, §7.1", "code 401117: a cancel of a FILLED order", async (v) => {
      const record = await v.open(BTC, "LONG");
      refused(await v.del(ORDER, { orderId: text(at(record, "orderId")) }), 401117);
    }),
    card("R-5.3-01", "records §5.3", "a second cancel, after CANCELLED, is 401117", async (v) => {
      const orderId = await cancelled(v);
      await v.wait(5_300);
      refused(await v.del(ORDER, { orderId }), 401117);
    }),
    card("T-7.1-401018", "1 §3.1, §7.1", "code 401018: a cancel of an unknown order", async (v) =>
      refused(await v.del(ORDER, { orderId: UNKNOWN }), 401018),
    ),
    card("T-4.2-03", "1 §4.2", "a cancel that names no order is refused with 400001", async (v) =>
      refused(await v.del(ORDER), 400001),
    ),
    card("T-4.2-04", "1 §4.2; records §5.4", "cancelAll by sym leaves other symbols", async (v) => {
      const btc = await resting(v);
      await v.wait(5_300);
      const eth = await resting(v, { sym: ETH });
      expect(accepted(await v.del("/api/v1/trading/cancelAll", { sym: BTC }), 202)).toEqual({});
      await v.settled(btc, ["CANCELLED"]);
      expect(at(await v.order(eth), "orderState")).toBe("OPEN");
    }),
    card("T-4.2-05", "1 §4.2", "cancelAll by exchangeType", async (v) => {
      const orderId = await resting(v);
      accepted(await v.del("/api/v1/trading/cancelAll", { exchangeType: "EXCHANGE_B" }), 202);
      expect(at(await v.order(orderId), "orderState")).toBe("OPEN");
      accepted(await v.del("/api/v1/trading/cancelAll", { exchangeType: "EXCHANGE_A" }), 202);
      await v.settled(orderId, ["CANCELLED"]);
    }),
    card("R-5.4-01", "records §5.4", "cancelAll without parameters cancels everything", async (v) => {
      const orderId = await resting(v);
      accepted(await v.del("/api/v1/trading/cancelAll"), 202);
      await v.settled(orderId, ["CANCELLED"]);
    }),
    card("R-5.4-02", "records §5.4", "cancelAll with nothing to cancel succeeds", async (v) =>
      expect(accepted(await v.del("/api/v1/trading/cancelAll"), 202)).toEqual({}),
    ),
  ],
};
