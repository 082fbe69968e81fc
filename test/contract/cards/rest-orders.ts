/** Placing orders: fields, rules, codes and what becomes of them. Spec: 1 §2.3, §3.1, §4.2, §8.4; records §5.1, §5.7. */
import { expect } from "vitest";
import { card, type Surface } from "../harness.ts";
import { at, num, rows, text } from "../json.ts";
import type { Params, Reply } from "../rest-client.ts";
import { accepted, BTC, BTC_B, ETH, ORDER, refused, type Venue } from "../venue.ts";

const place = async (v: Venue, overrides: Params = {}): Promise<Reply> => v.post(ORDER, await v.farOrder(overrides));

const idOf = (reply: Reply): string => text(at(accepted(reply), "orderId"));

/** A card for one refused field: the order would be sound but for these overrides. */
const refusedWith = (code: number, overrides: Params) => async (v: Venue) => refused(await place(v, overrides), code);

const omitted = (params: Params, field: string): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => name !== field));

const without = (field: string) => async (v: Venue) => {
  const order = await v.farOrder();
  refused(await v.post(ORDER, Object.fromEntries(Object.entries(order).filter(([name]) => name !== field))), 400001);
};

const netMode = async (v: Venue): Promise<void> => {
  accepted(await v.post("/api/v1/trading/account", { exchange: "EXCHANGE_A", mode: "NET" }));
};

/** A buy order that meets the book at once. */
const crossing = async (v: Venue, overrides: Params = {}): Promise<Params> => {
  const [{ ask }, rules] = await Promise.all([v.touch(BTC), v.rules(BTC)]);
  return v.farOrder({
    limitPrice: (Math.ceil((ask * 1.02) / rules.tick) * rules.tick).toFixed(rules.decimals),
    ...overrides,
  });
};

export const restOrders: Surface = {
  name: "rest-orders",
  cards: [
    card("T-2.3-01", "1 §2.3", "a LIMIT order with all required fields is accepted", async (v) =>
      accepted(await place(v)),
    ),
    card("T-2.3-02", "1 §2.3", "sym is required", without("sym")),
    card("T-2.3-03", "1 §2.3", "side is required", without("side")),
    card("T-2.3-04", "1 §2.3", "orderType is required", without("orderType")),
    card("T-2.3-05", "1 §2.3", "orderQty is required", without("orderQty")),
    card("T-2.3-06", "1 §2.3", "limitPrice is required when orderType is LIMIT", without("limitPrice")),
    card("T-2.3-07", "1 §2.3", "positionSide is required in hedge mode", without("positionSide")),
    card("T-2.3-08", "1 §2.3", "positionSide is omitted in one-way mode", async (v) => {
      await netMode(v);
      accepted(await v.post(ORDER, omitted(await v.farOrder(), "positionSide")));
    }),
    card("T-2.3-09", "1 §2.3", "side is BUY or SELL", refusedWith(400001, { side: "HOLD" })),
    card("T-2.3-10", "1 §2.3", "positionSide is LONG or SHORT", refusedWith(400001, { positionSide: "SIDEWAYS" })),
    card("T-2.3-11", "1 §2.3", "orderType is LIMIT or MARKET", refusedWith(400001, { orderType: "STOP" })),
    card("T-2.3-12", "1 §2.3", "timeInForce is GTC, IOC, FOK or GTX", refusedWith(400001, { timeInForce: "DAY" })),
    card("T-2.3-13", "1 §2.3", "timeInForce is GTC by default", async (v) => {
      const record = await v.settled(idOf(await place(v)), ["OPEN"]);
      expect(at(record, "timeInForce")).toBe("GTC");
    }),
    card(
      "T-2.3-14",
      "1 §2.3",
      "orderQty is a decimal as text: exponents are refused",
      refusedWith(400001, { orderQty: "1e-3" }),
    ),
    card("T-2.3-15", "1 §2.3", "orderQty must be positive", refusedWith(400001, { orderQty: "-0.001" })),
    card(
      "T-2.3-16",
      "1 §2.3",
      "limitPrice is a plain decimal: NaN is refused",
      refusedWith(400001, { limitPrice: "NaN" }),
    ),
    card("T-2.3-17", "1 §2.3", "limitPrice must be positive", refusedWith(400001, { limitPrice: "0" })),
    card("T-2.3-18", "1 §2.3", "orderId is a text of 16 digits", async (v) =>
      expect(idOf(await place(v))).toMatch(/^\d{16}$/),
    ),
    card("T-8.4-01", "1 §2.3, §8.4", "a clientOrderId of 40 characters is accepted and echoed", async (v) => {
      const clientOrderId = "a".repeat(40);
      expect(at(accepted(await place(v, { clientOrderId })), "clientOrderId")).toBe(clientOrderId);
    }),
    card(
      "T-8.4-02",
      "1 §8.4",
      "a clientOrderId of 41 characters is refused",
      refusedWith(400001, { clientOrderId: "a".repeat(41) }),
    ),
    card("R-5.1-01", "records §5.1 rule 1", "clientOrderId takes dash and underscore", async (v) =>
      accepted(await place(v, { clientOrderId: "Agent_1-a" })),
    ),
    card(
      "R-5.1-02",
      "records §5.1 rule 1",
      "clientOrderId takes no other signs",
      refusedWith(400001, { clientOrderId: "a b!" }),
    ),
    card("R-5.1-03", "records §5.1 rule 1", "without clientOrderId the order id stands in its place", async (v) => {
      const data = accepted(await place(v));
      expect(at(data, "clientOrderId")).toBe(at(data, "orderId"));
    }),
    card("R-2-406010", "records §2", "code 406010: a clientOrderId in use is refused", async (v) => {
      accepted(await place(v, { clientOrderId: "twice" }));
      await v.wait(5_300);
      refused(await place(v, { clientOrderId: "twice" }), 406010);
    }),
    card("R-0.2-02", "records §0.2", "order ids grow", async (v) => {
      const first = idOf(await place(v));
      await v.wait(5_300);
      expect(idOf(await place(v)) > first).toBe(true);
    }),
    card("R-2-400009", "records §2, §5.1 rule 7", "code 400009: a malformed symbol", async (v) =>
      refused(await v.post(ORDER, { ...(await v.farOrder()), sym: "BTCUSDT" }), 400009),
    ),
    card("R-5.1-04", "records §5.1 rule 7", "a malformed symbol is reported before bad words", async (v) =>
      refused(await v.post(ORDER, { ...(await v.farOrder()), sym: "BTCUSDT", side: "HOLD" }), 400009),
    ),
    card("R-2-401011", "records §2", "code 401011: a well-formed symbol that is not carried", async (v) =>
      refused(await v.post(ORDER, { ...(await v.farOrder()), sym: "EXCHANGE_A_PERP_NOPE_USDT" }), 401011),
    ),
    card("R-2-401015", "records §2", "code 401015: a price off the tick", async (v) => {
      const order = await v.farOrder();
      refused(await v.post(ORDER, { ...order, limitPrice: `${String(order.limitPrice)}5` }), 401015);
    }),
    card(
      "R-2-401015b",
      "records §2",
      "code 401015: a quantity off the lot",
      refusedWith(401015, { orderQty: "0.0015" }),
    ),
    card(
      "R-2-401015c",
      "records §2",
      "code 401015: a quantity below the smallest",
      refusedWith(401015, { orderQty: "0.0001" }),
    ),
    card(
      "R-2-400001b",
      "records §2",
      "code 400001: a quantity above the largest",
      refusedWith(400001, { orderQty: "99999999" }),
    ),
    card("R-2-401017", "records §2", "code 401017: a value below the minimum notional", async (v) => {
      const { bid } = await v.touch(ETH);
      const rules = await v.rules(ETH);
      expect(rules.lot * bid).toBeLessThan(rules.minNotional);
      refused(await place(v, { sym: ETH, orderQty: String(rules.lot) }), 401017);
    }),
    card("R-5.1-05", "records §5.1 rule 7", "a MARKET order's notional is judged at the mark", async (v) => {
      const rules = await v.rules(ETH);
      const order = { sym: ETH, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: String(rules.lot) };
      refused(await v.post(ORDER, order), 401017);
    }),
    card("R-2-401023", "records §2", "code 401023: insufficient margin", async (v) => {
      const { bid } = await v.touch(BTC);
      refused(await place(v, { orderQty: ((1000 * 5 * 1.5) / bid).toFixed(3) }), 401023);
    }),
    card("R-5.1-06", "records §5.1 rule 2", "a MARKET order needs no price and behaves as IOC", async (v) => {
      const record = await v.open(BTC, "LONG");
      expect(record).toMatchObject({ exchangeOrderType: "MARKET", timeInForce: "IOC", orderState: "FILLED" });
    }),
    card("R-5.1-07", "records §5.1 rule 2", "limitPrice is ignored on a MARKET order", async (v) => {
      const order = await v.farOrder({ orderType: "MARKET", limitPrice: "1" });
      await v.settled(idOf(await v.post(ORDER, order)), ["FILLED"]);
    }),
    card(
      "R-5.1-08",
      "records §5.1 rule 3",
      "GTX that would take is accepted, then REJECTED with a reason",
      async (v) => {
        const record = await v.settled(idOf(await v.post(ORDER, await crossing(v, { timeInForce: "GTX" }))), [
          "REJECTED",
        ]);
        expect(text(at(record, "reason")).length).toBeGreaterThan(0);
        expect(num(at(record, "executedQty"))).toBe(0);
      },
    ),
    card("R-5.1-09", "records §5.1 rule 3", "GTX that would rest rests", async (v) => {
      await v.settled(idOf(await place(v, { timeInForce: "GTX" })), ["OPEN"]);
    }),
    card("R-5.1-10", "records §5.1 rule 3", "IOC that finds nothing ends CANCELLED by the SYSTEM", async (v) => {
      const record = await v.settled(idOf(await place(v, { timeInForce: "IOC" })), ["CANCELLED"]);
      expect(at(record, "cancelType")).toBe("SYSTEM");
    }),
    card(
      "R-5.1-11",
      "records §5.1 rule 3",
      "FOK that cannot fill whole ends CANCELLED, nothing executed",
      async (v) => {
        const record = await v.settled(idOf(await place(v, { timeInForce: "FOK" })), ["CANCELLED"]);
        expect(num(at(record, "executedQty"))).toBe(0);
      },
    ),
    card("R-5.1-12", "records §5.1 rule 3", "FOK that can fill whole is FILLED", async (v) => {
      await v.settled(idOf(await v.post(ORDER, await crossing(v, { timeInForce: "FOK" }))), ["FILLED"]);
    }),
    card("R-5.1-13", "records §5.1 rule 6", "SELL with LONG reduces: with nothing to reduce it is refused", async (v) =>
      refused(await place(v, { side: "SELL", positionSide: "LONG" }), 401097, 400001),
    ),
    card("R-5.1-14", "records §5.1 rule 6", "a reducing order larger than the position is refused", async (v) => {
      const opened = await v.open(BTC, "LONG");
      await v.wait(5_300);
      const orderQty = (num(at(opened, "executedQty")) * 2).toFixed(3);
      refused(await place(v, { side: "SELL", positionSide: "LONG", orderQty }), 400001);
    }),
    card(
      "R-5.1-15",
      "records §5.1",
      "reduceOnly that would open is refused",
      refusedWith(401097, { reduceOnly: "TRUE" }),
    ),
    card("R-5.1-16", "records §5.1", "reduceOnly is accepted as text of either case and as boolean", async (v) => {
      await v.open(BTC, "LONG");
      const user = await v.user();
      for (const [index, reduceOnly] of ["TRUE", "true", true].entries()) {
        const args = await v.farOrder({ side: "SELL", positionSide: "LONG", reduceOnly, orderQty: "0.001" });
        user.say({ id: String(index), action: "place_order", args });
        const reply = await user.next((frame) => at(frame.json, "id") === String(index), "a reply");
        expect(reply.json).toMatchObject({ code: 200000 });
        const orderId = text(at(reply.json, "data", "orderId"));
        user.say({ id: `c${index}`, action: "cancel_order", args: { orderId } });
        await user.some(
          (frame) =>
            at(frame.json, "data", "orderId") === orderId &&
            at(frame.json, "data", "orderState") === "CANCELLED" &&
            at(frame.json, "channel") === "Orders",
        );
      }
    }),
    card("R-5.1-17", "records §5.1, §18.29", "in one-way mode LONG is accepted and ignored", async (v) => {
      await netMode(v);
      const record = await v.settled(idOf(await place(v)), ["OPEN"]);
      expect(at(record, "positionSide")).toBe("NONE");
    }),
    card("R-5.1-18", "records §5.1", "in one-way mode NONE is accepted", async (v) => {
      await netMode(v);
      accepted(await place(v, { positionSide: "NONE" }));
    }),
    card("R-0.2-03", "records §0.2", "enum words are accepted in lower case", async (v) => {
      accepted(await place(v, { side: "buy", orderType: "limit", positionSide: "long" }));
    }),
    card("R-5.1-19", "records §0.3, §5.1 rule 4", "EXCHANGE_B takes its quantity in contracts", async (v) => {
      const transfer = { accountId: v.account.id, from: "EXCHANGE_A", to: "EXCHANGE_B", amount: "500" };
      await v.control("POST", "/control/transfer", transfer);
      const order = await v.farOrder({ sym: BTC_B, orderQty: "2" });
      const record = await v.settled(idOf(await v.post(ORDER, order)), ["OPEN"]);
      expect(at(record, "orderQty")).toBe("2");
      // Two contracts of 0.01: the margin of 0.02 base units at five times.
      const account = accepted(await v.get("/api/v1/trading/account"));
      const onB = rows(account).find((row) => at(row, "exchangeType") === "EXCHANGE_B") ?? null;
      expect(num(at(onB, "perpMargin"))).toBeCloseTo((0.02 * num(order.limitPrice ?? 0)) / 5, 2);
    }),
    card("T-3.1-01", "1 §3.1", "a resting order goes NEW, then OPEN", async (v) => {
      const user = await v.user();
      const orderId = idOf(await place(v));
      const states = [];
      for (const state of ["NEW", "OPEN"]) {
        await user.some(
          (f) => at(f.json, "data", "orderId") === orderId && at(f.json, "data", "orderState") === state,
          state,
        );
        states.push(state);
      }
      expect(states).toEqual(["NEW", "OPEN"]);
    }),
    card("T-3.1-02", "1 §3.1", "an order that fills whole ends FILLED", async (v) => {
      const record = await v.open(BTC, "SHORT");
      expect(at(record, "executedQty")).toBe(at(record, "orderQty"));
    }),
    card("R-15-01", "records §15", "a market order pays the taker fee on its value", async (v) => {
      const record = await v.open(BTC, "LONG");
      const value = num(at(record, "executedQty")) * num(at(record, "executedAvgPrice"));
      expect(num(at(record, "executedAmount"))).toBeCloseTo(value, 4);
      expect(num(at(record, "fee"))).toBeCloseTo(value * 0.000175, 6);
      expect(at(record, "feeCoin")).toBe("USDT");
    }),
    card("R-15-02", "records §15", "a market order fills near the touch", async (v) => {
      const { ask } = await v.touch(BTC);
      const record = await v.open(BTC, "LONG");
      expect(Math.abs(num(at(record, "executedAvgPrice")) / ask - 1)).toBeLessThan(0.02);
    }),
    card("R-5.1-20", "records §5.1", "attached triggers stand in the record", async (v) => {
      const { bid } = await v.touch(BTC);
      const order = await v.farOrder({ limitPrice: Math.floor(bid * 0.97).toFixed(1) });
      const slTriggerPrice = Math.floor(bid * 0.92).toFixed(1);
      const reply = await v.post(ORDER, { ...order, slTriggerPrice, slTriggerType: "MARK_PRICE", slPrice: "0" });
      const record = await v.settled(idOf(reply), ["OPEN"]);
      expect(num(at(record, "slTriggerPrice"))).toBe(num(slTriggerPrice));
      expect(at(record, "slTriggerType")).toBe("MARK_PRICE");
    }),
    card("R-6.5-01", "records §6.5", "attached protection becomes an algo order at the first fill", async (v) => {
      const { bid } = await v.touch(BTC);
      const slTriggerPrice = Math.floor(bid * 0.93).toFixed(1);
      const order = await crossing(v, { slTriggerPrice, slTriggerType: "MARK_PRICE" });
      const orderId = idOf(await v.post(ORDER, order));
      await v.settled(orderId, ["FILLED"]);
      const algo = await v.get("/api/v1/algo/order", { attachedOrderId: orderId });
      expect(accepted(algo)).toMatchObject({ attachedOrderId: orderId, conditionType: "PARTIAL_CLOSE_POSITION" });
    }),
  ],
};
