/** An order that the book can only serve in part. Spec: 1 §2.4, §3.1; records §5.5, §5.7, §11.4. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, type Json, num, text } from "../json.ts";
import { accepted, listed, ORDER, type Venue } from "../venue.ts";
import type { Wire } from "../wire.ts";
import { EXECUTIONS, OPEN_ORDERS } from "./order-steps.ts";
import { onChannel, orderIn } from "./user-steps.ts";

/** Thinly quoted perpetuals, as many as one may watch without a login: now and then a level is smaller than what an account of 1,000 USDT can buy. */
export const THIN_SYMBOLS: readonly string[] = ["M", "TAO", "STABLE", "LAB", "BEAT"].map(
  (base) => `EXCHANGE_A_PERP_${base}_USDT`,
);

/** What an account can carry at the default leverage of 5, with room for the margin buffer. */
const MOST_USDT = 3_600;
const ATTEMPTS = 60;

interface Offer {
  readonly sym: string;
  readonly price: string;
  readonly qty: number;
  readonly value: number;
}

async function bestOffer(v: Venue, market: Wire, sym: string): Promise<Offer | null> {
  market.say({ event: "subscribe", arg: [{ channel: "ORDER_BOOK", sym }] });
  const book = await market.next(
    ({ json }) => at(json, "arg", "sym") === sym && at(json, "data", "updatetype") === "snapshot",
    `a snapshot of ${sym}`,
  );
  const level = at(book.json, "data", "Asks", 0);
  if (level === null) return null;
  const { contractSize, decimals } = await v.rules(sym);
  const [price, qty] = [num(at(level, 0)), num(at(level, 1))];
  return { sym, price: price.toFixed(decimals), qty, value: price * qty * contractSize };
}

/** Bids half as much again as the smallest best offer has; answers the order, and null when it could not be so. */
async function tryPart(v: Venue, market: Wire, sym: string): Promise<{ order: Json; orderId: string } | null> {
  const offer = await bestOffer(v, market, sym);
  if (offer === null || offer.value * 1.5 > MOST_USDT || offer.value < 20) return null;
  const { lot, qtyDecimals } = await v.rules(sym);
  const orderQty = (Math.ceil((offer.qty * 1.5) / lot) * lot).toFixed(qtyDecimals);
  const asked = { side: "BUY", positionSide: "LONG", orderType: "LIMIT", orderQty, limitPrice: offer.price };
  const placed = await v.post(ORDER, { sym, ...asked });
  if (placed.code !== "200000") return null;
  const orderId = text(at(placed.data, "orderId"));
  const order = await v.settled(orderId, ["OPEN", "PARTIALLY_FILLED", "FILLED", "CANCELLED", "REJECTED"]);
  if (at(order, "orderState") === "PARTIALLY_FILLED") return { order, orderId };
  await v.del(ORDER, { orderId });
  await v.del("/api/v1/trading/position", { sym, positionSide: "LONG" });
  return null;
}

/** The market moves by itself, so it takes a few attempts until an order is seen while it is filled in part. */
async function partlyFilled(v: Venue, wire?: Wire): Promise<{ order: Json; orderId: string }> {
  const market = await v.market();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Both streams close on silence.
    market.say({ ping: 1 });
    wire?.sayText("ping");
    const found = await tryPart(v, market, THIN_SYMBOLS[attempt % THIN_SYMBOLS.length] ?? "");
    if (found !== null) return found;
    // Order requests are counted.
    await v.wait(1_000);
  }
  throw new Error("no order was seen while it was filled in part");
}

export const partialFill: Surface = {
  name: "partial-fill",
  cards: [
    card("T-3.1-12", "1 §3.1; records §5.5", "PARTIALLY_FILLED: executed in part, and still open", async (v) => {
      const { order, orderId } = await partlyFilled(v);
      const executed = num(at(order, "executedQty"));
      expect(executed).toBeGreaterThan(0);
      expect(executed).toBeLessThan(num(at(order, "orderQty")));
      expect(num(at(order, "executedAmount"))).toBeGreaterThan(0);
      expect(num(at(order, "fee"))).toBeGreaterThan(0);
      const open = listed(await v.get(OPEN_ORDERS)).find((row) => at(row, "orderId") === orderId);
      // It may have been filled meanwhile; while it is open, it is open as what it is.
      if (open !== undefined) expect(at(open, "orderState")).toBe("PARTIALLY_FILLED");
      const fills = listed(await v.get(EXECUTIONS, { orderId }));
      expect(fills.map((fill) => num(at(fill, "quantity"))).reduce((sum, qty) => sum + qty, 0)).toBeGreaterThanOrEqual(
        executed * 0.999999,
      );
    }),
    card("T-3.1-13", "1 §2.4, §3.1; records §11.4", "PARTIALLY_FILLED is pushed with its execution", async (v) => {
      const wire = await v.user();
      const { orderId } = await partlyFilled(v, wire);
      const push = at((await wire.some(orderIn(orderId, "PARTIALLY_FILLED"), "the push")).json, "data");
      expect(num(at(push, "executedQty"))).toBeGreaterThan(0);
      expect(num(at(push, "executedQty"))).toBeLessThan(num(at(push, "orderQty")));
      expect(num(at(push, "lastExecutedQty"))).toBeGreaterThan(0);
      const trade = at((await wire.some(onChannel("Trades", orderId), "its execution")).json, "data");
      expect(num(at(trade, "quantity"))).toBeLessThan(num(at(push, "orderQty")));
      const states = wire
        .seen()
        .filter(onChannel("Orders", orderId))
        .map(({ json }) => at(json, "data", "orderState"));
      expect(states[0]).toBe("NEW");
      expect(states[1]).toBe("PARTIALLY_FILLED");
    }),
    card("T-3.1-14", "1 §3.1; records §5.7", "a cancel keeps what was executed of a partial fill", async (v) => {
      const { orderId } = await partlyFilled(v);
      const reply = await v.until(
        () => v.del(ORDER, { orderId }),
        ({ code }) => code !== "429",
        "a cancel within the rate",
      );
      // The rest may have been quicker: then it is completed, which is reported as 401117.
      if (reply.code === "200000") accepted(reply);
      else expect(reply.code).toBe("401117");
      const ended = await v.settled(orderId, ["CANCELLED", "FILLED"]);
      expect(num(at(ended, "executedQty"))).toBeGreaterThan(0);
      if (at(ended, "orderState") === "CANCELLED") {
        expect(num(at(ended, "executedQty"))).toBeLessThan(num(at(ended, "orderQty")));
      }
    }),
  ],
};
