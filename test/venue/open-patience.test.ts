/** What was judged a moment ago leaves soon or not at all, whichever way it goes. Invariant I15. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import type { VenueCall } from "../../src/venue/call.ts";
import { orderCalls } from "../../src/venue/orders.ts";
import type { UserActions } from "../../src/venue/user-actions.ts";
import { userOrderCalls } from "../../src/venue/user-orders.ts";

const order = (reduceOnly: boolean): PlaceOrder => ({
  symbol: "EXCHANGE_A_PERP_BTC_USDT",
  side: "BUY",
  positionSide: "NONE",
  orderType: "LIMIT",
  qty: dec("0.01"),
  limitPrice: dec("60000"),
  timeInForce: "GTC",
  reduceOnly,
  clientOrderId: "i-1",
});
const key = { orderId: "2190000000000001" };
const unanswered = { kind: "unknown", message: "nobody answers" } as const;

async function patienceOf(openPatienceMs: number | undefined): Promise<Record<string, (number | undefined)[]>> {
  const rest: (number | undefined)[] = [];
  const call: VenueCall = async (_endpoint, _params, options) => {
    rest.push(options?.patienceMs);
    return unanswered;
  };
  const stream: (number | undefined)[] = [];
  const act: UserActions["act"] = async (_action, _args, _priority, patienceMs) => {
    stream.push(patienceMs);
    return unanswered;
  };
  const byRest = orderCalls(call, openPatienceMs);
  const byStream = userOrderCalls({ act }, openPatienceMs);
  for (const { placeOrder, amend, cancelOrder } of [
    { ...byRest, amend: byRest.amendOrder },
    { ...byStream, amend: byStream.replaceOrder },
  ]) {
    await placeOrder(order(false));
    await placeOrder(order(true));
    await amend(key, { price: dec("60001") });
    await cancelOrder(key);
  }
  return { rest, stream };
}

test("openings and changes of orders wait as long as reported; closing orders and cancels wait as ever", async () => {
  const asReported = [1_000, undefined, 1_000, undefined];
  expect(await patienceOf(1_000)).toEqual({ rest: asReported, stream: asReported });
});

test("where nothing is reported, all wait as their urgency says", async () => {
  const byUrgency = [undefined, undefined, undefined, undefined];
  expect(await patienceOf(undefined)).toEqual({ rest: byUrgency, stream: byUrgency });
});
