/** Resting orders and who is served before whom. Spec: 1 §2.3, §3.1; records §5.1, §5.8, §15. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, type Json, num, text } from "../json.ts";
import type { Key } from "../rest-client.ts";
import { DOGE, listed, type Venue } from "../venue.ts";
import type { Wire } from "../wire.ts";
import { EXECUTIONS } from "./order-steps.ts";
import { act } from "./user-steps.ts";

/** Each card that pushes a price has a symbol of its own: a fall meanwhile would have its bid refused as a taker. */
const SOL = "EXCHANGE_A_PERP_SOL_USDT";
const XRP = "EXCHANGE_A_PERP_XRP_USDT";

/** The visible bids of now, best first. */
async function bids(v: Venue, market: Wire, sym = DOGE): Promise<readonly { price: number; qty: number }[]> {
  // What a bid asks for besides is fetched before: the first time it takes long, and the market would have moved on.
  await v.farOrder({ sym });
  market.say({ event: "subscribe", arg: [{ channel: "ORDER_BOOK", sym }] });
  const book = (await market.next((frame) => at(frame.json, "data", "updatetype") === "snapshot", "a snapshot")).json;
  const levels = at(book, "data", "Bids");
  expect(Array.isArray(levels)).toBe(true);
  return (levels as readonly Json[]).map((level) => ({ price: num(at(level, 0)), qty: num(at(level, 1)) }));
}

/** A post-only bid over the user stream, which has room for many. Answers its id. */
async function bid(v: Venue, wire: Wire, price: number, sym = DOGE): Promise<string> {
  const { decimals } = await v.rules(sym);
  const order = await v.farOrder({ sym, timeInForce: "GTX", limitPrice: price.toFixed(decimals) });
  const reply = await act(wire, "place_order", order, `bid-${price}-${Math.floor(v.clock.nowMs())}`);
  expect(at(reply, "code"), JSON.stringify(reply)).toBe(200000);
  return text(at(reply, "data", "orderId"));
}

const fillsOf = async (v: Venue, sym: string, orderId: string, key: Key): Promise<readonly Json[]> =>
  listed(await v.get(EXECUTIONS, { sym, orderId }, key));

/** One try: a bid joins the best level and an outsider sells into it. True when both met at one price. */
async function heldBehind(v: Venue, wires: { market: Wire; own: Wire; other: Wire }): Promise<boolean> {
  const best = (await bids(v, wires.market))[0]?.price ?? 0;
  const orderId = await bid(v, wires.own, best);
  const order = await v.farOrder({ sym: DOGE });
  const sale = {
    sym: DOGE,
    side: "SELL",
    positionSide: "SHORT",
    orderType: "MARKET",
    orderQty: order.orderQty ?? "",
  };
  const sold = await act(wires.other, "place_order", sale, `sale-${orderId}`);
  expect(at(sold, "code"), JSON.stringify(sold)).toBe(200000);
  const taken = text(at(sold, "data", "orderId"));
  const fill = (
    await wires.other.some(
      (frame) => at(frame.json, "channel") === "Trades" && at(frame.json, "data", "orderId") === taken,
      "the sale's fill",
    )
  ).json;
  const met = num(at(fill, "data", "price")) === best;
  const own = await v.order(orderId);
  await act(wires.own, "cancel_order", { orderId }, `cancel-${orderId}`);
  return met && at(own, "orderState") === "OPEN" && num(at(own, "executedQty")) === 0;
}

export const orderQueue: Surface = {
  name: "order-queue",
  cards: [
    card("T-3.1-10", "1 §3.1; 3 §8", "a bid behind the queue stays while a sale trades at its price", async (v) => {
      const wires = { market: await v.market(), own: await v.user(), other: await v.user({ key: v.another() }) };
      // The market moves by itself: only a try in which both met at one price proves anything.
      let proven = false;
      for (let attempt = 0; attempt < 20 && !proven; attempt++) proven = await heldBehind(v, wires);
      expect(proven).toBe(true);
    }),
    card("T-3.1-11", "1 §3.1; records §5.8", "of two bids at one price the earlier one is filled first", async (v) => {
      const second = v.another();
      const [own, other] = [await v.user(), await v.user({ key: second })];
      const price = (await bids(v, await v.market(), SOL))[8]?.price ?? 0;
      const first = await bid(v, own, price, SOL);
      const later = await bid(v, other, price, SOL);
      await v.push(SOL, -0.03);
      await v.settled(later, ["FILLED"], second);
      await v.settled(first, ["FILLED"]);
      const numbers = (fills: readonly Json[]) =>
        fills.map((fill) => Number(text(at(fill, "transactionId")).slice(-9)));
      const [own1, own2] = [await fillsOf(v, SOL, first, v.account), await fillsOf(v, SOL, later, second)];
      expect(Math.max(...numbers(own1))).toBeLessThan(Math.min(...numbers(own2)));
    }),
    card("R-5.8-05", "records §4.6, §5.8", "a resting order pays the maker rate at its own price", async (v) => {
      const own = await v.user();
      const price = (await bids(v, await v.market(), XRP))[8]?.price ?? 0;
      const orderId = await bid(v, own, price, XRP);
      await v.push(XRP, -0.03);
      await v.settled(orderId, ["FILLED"]);
      for (const fill of await fillsOf(v, XRP, orderId, v.account)) {
        expect(fill).toMatchObject({ execType: "MAKER" });
        expect(num(at(fill, "price"))).toBe(price);
        const value = num(at(fill, "quantity")) * price;
        expect(num(at(fill, "tradingFee"))).toBeCloseTo(value * 0.00008, 6);
      }
    }),
  ],
};
