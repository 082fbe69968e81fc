/** Steps that cards about algo orders share: a position and the orders that protect it. */
import { at, type Json, text } from "../json.ts";
import type { Params, Reply } from "../rest-client.ts";
import { accepted, BTC, refused, type Venue } from "../venue.ts";

export const ALGO = "/api/v1/algo/order";
export const OPEN = "/api/v1/algo/openOrders";
export const HISTORY = "/api/v1/algo/history/orders";
export const UNKNOWN = "2190999999999999";

/** Stop 5 % below and target 5 % above, for a long that is open. */
export async function pair(v: Venue, overrides: Params = {}, symbol = BTC): Promise<Params> {
  const [{ bid }, rules, order] = await Promise.all([v.touch(symbol), v.rules(symbol), v.farOrder({ sym: symbol })]);
  const price = (factor: number): string =>
    (Math.floor((bid * factor) / rules.tick) * rules.tick).toFixed(rules.decimals);
  return {
    algoOrderType: "TPSL",
    sym: symbol,
    conditionType: "OCO",
    side: "SELL",
    positionSide: "LONG",
    orderQty: order.orderQty ?? "0",
    reduceOnly: true,
    tpTriggerPrice: price(1.05),
    tpTriggerType: "MARK_PRICE",
    tpPrice: "0",
    slTriggerPrice: price(0.95),
    slTriggerType: "MARK_PRICE",
    slPrice: "0",
    ...overrides,
  };
}

export const omit = (params: Params, ...names: readonly string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));

export const idOf = (reply: Reply): string => text(at(accepted(reply), "algoOrderId"));

/** A position and a live pair on it; the algo calls are 3 per 50 s each. */
export async function protectedLong(v: Venue, overrides: Params = {}, symbol = BTC): Promise<string> {
  await v.open(symbol, "LONG");
  return idOf(await v.post(ALGO, await pair(v, overrides, symbol)));
}

export const queryAlgo = async (v: Venue, algoOrderId: string): Promise<Json> =>
  accepted(await v.get(ALGO, { algoOrderId }));

/** The state by push, which costs no rate. */
export async function untilState(
  wire: Awaited<ReturnType<Venue["user"]>>,
  algoOrderId: string,
  state: string,
): Promise<Json> {
  const frame = await wire.some(
    ({ json }) =>
      at(json, "channel") === "ALGO_ORDER" &&
      at(json, "data", "algoOrderId") === algoOrderId &&
      at(json, "data", "orderState") === state,
    `algo ${algoOrderId} in ${state}`,
  );
  return at(frame.json, "data");
}

export const refusedPair = (code: number, change: (params: Params) => Params) => async (v: Venue) => {
  await v.open(BTC, "LONG");
  refused(await v.post(ALGO, change(await pair(v))), code);
};
