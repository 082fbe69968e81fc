/** Steps that cards about orders share: place, rest, cancel. */
import { at, num, text } from "../json.ts";
import type { Params, Reply } from "../rest-client.ts";
import { accepted, BTC, listed, ORDER, type Venue } from "../venue.ts";

export const OPEN_ORDERS = "/api/v1/trading/orders";
export const HISTORY = "/api/v1/trading/history/orders";
export const ARCHIVE = "/api/v1/trading/archive/history/orders";
export const EXECUTIONS = "/api/v1/trading/executions";
export const PAGEABLE = "/api/v1/trading/executions/pageable";
export const UNKNOWN = "2190999999999999";

export const place = async (v: Venue, overrides: Params = {}): Promise<string> => {
  const reply = await v.post(ORDER, await v.farOrder(overrides));
  return text(at(accepted(reply), "orderId"));
};
/** An order that rests. */
export const resting = async (v: Venue, overrides: Params = {}): Promise<string> => {
  const orderId = await place(v, overrides);
  await v.settled(orderId, ["OPEN"]);
  return orderId;
};
export const cancelled = async (v: Venue, overrides: Params = {}): Promise<string> => {
  const orderId = await resting(v, overrides);
  accepted(await v.del(ORDER, { orderId }));
  await v.settled(orderId, ["CANCELLED"]);
  return orderId;
};
export const lowerPrice = async (v: Venue, orderId: string): Promise<string> => {
  const { tick, decimals } = await v.rules(BTC);
  return (num(at(await v.order(orderId), "limitPrice")) - 10 * tick).toFixed(decimals);
};
export const ids = (reply: Reply): readonly string[] => listed(reply).map((row) => text(at(row, "orderId")));
