/** The plain order as its sender sees it: accepted at once, in the book when its delay is over. Spec: records §5.1. */
import { ok } from "../../core/result.ts";
import type { Answer } from "./api.ts";
import { dueAfter, isDueNow } from "./delays.ts";
import { arrive } from "./matching.ts";
import { acceptOrder } from "./place.ts";
import type { Place } from "./requests.ts";
import type { Portfolio, World } from "./state.ts";
import { planStep } from "./steps.ts";

/** What the reply to a new order reports. */
export interface PlacedIds {
  readonly orderId: string;
  readonly clientOrderId: string;
}

/** Answers at acceptance; without a place delay the order has met the book by then. A refusal leaves nothing behind. */
export function placeOrder(world: World, portfolio: Portfolio, request: Place): Answer<PlacedIds> {
  const accepted = acceptOrder(world, portfolio, request);
  if (!accepted.ok) return accepted;
  const order = accepted.value;
  const dueMs = dueAfter(world, world.settings.placeDelayMs);
  if (isDueNow(world, dueMs)) arrive(world, order);
  else planStep(world.steps, dueMs, { kind: "arrive", ref: order.ref });
  return ok({ orderId: order.orderId, clientOrderId: order.clientOrderId });
}
