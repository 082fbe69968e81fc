/** Orders over the user stream: the same bodies as REST, in an envelope of their own. Spec: 1 §4.8, §8.3; records §11.2. */
import type { z } from "zod";
import { USER_STREAM_LIMITS } from "../limits.ts";
import { amendOrderReply, amendOrderRequest } from "../trading/amend-order.ts";
import { cancelAllOrders, cancelAllRequest, cancelAllSpellings } from "../trading/cancel-all-orders.ts";
import { cancelOrderReply, cancelOrderRequest } from "../trading/cancel-order.ts";
import { placeOrderReply, placeOrderRequest, placeOrderSpellings } from "../trading/place-order.ts";
import type { Normalize } from "../endpoint.ts";

/** An action as a value that `parseRequest` accepts. */
export interface UserAction<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly section: string;
  readonly limit: { readonly requests: number; readonly perMs: number };
  readonly request: Request;
  readonly reply: Reply;
  readonly normalize: Normalize;
}

const asGiven: Normalize = (params) => ({ ...params });

/** Action name to action. `cancel_orders` is the batch cancel, whose name document 1 leaves open (records §11.2). */
export const USER_ACTIONS = {
  place_order: {
    section: "1 §4.8; records §11.2",
    limit: USER_STREAM_LIMITS.actions.place_order,
    request: placeOrderRequest,
    reply: placeOrderReply,
    normalize: placeOrderSpellings,
  },
  replace_order: {
    section: "1 §4.8; records §11.2",
    limit: USER_STREAM_LIMITS.actions.replace_order,
    request: amendOrderRequest,
    reply: amendOrderReply,
    normalize: asGiven,
  },
  cancel_order: {
    section: "1 §4.8; records §11.2",
    limit: USER_STREAM_LIMITS.actions.cancel_order,
    request: cancelOrderRequest,
    reply: cancelOrderReply,
    normalize: asGiven,
  },
  cancel_orders: {
    section: "records §11.2",
    limit: USER_STREAM_LIMITS.actions.cancel_orders,
    request: cancelAllRequest,
    reply: cancelAllOrders.reply,
    normalize: cancelAllSpellings,
  },
} as const satisfies Readonly<Record<string, UserAction>>;

/** The `action` of a frame; a login is not one of these. */
export type UserActionName = keyof typeof USER_ACTIONS;
/** False for `login`, which is not an order action. */
export const isUserAction = (word: string): word is UserActionName => Object.hasOwn(USER_ACTIONS, word);

/** One frame; the reply echoes `id`, which matches the two. */
export const actionMessage = <Name extends UserActionName>(
  id: string,
  action: Name,
  args: z.input<(typeof USER_ACTIONS)[Name]["request"]>,
): string => JSON.stringify({ id, action, args });
