/** order.replace, order.cancel and order.cancel-all. Spec: 3 §4.4; records §17.5, §17.8. */
import { ONE } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { checkOrderShape } from "../../../domain/symbol.ts";
import type { OrderKey } from "../../../domain/venue-calls.ts";
import { readBackCancel, readBackCancelAll } from "../../../desk/readback.ts";
import { type Failure, readFailure } from "../../contract/statuses.ts";
import * as fields from "../fields.ts";
import { envelopeOf } from "../read.ts";
import type { Business } from "./business.ts";
import { breachFailure, rulesOf } from "./rules.ts";
import { type DoneAt, type PlanAt, type Planned, type ReadBack, seenOf, type WriteTarget } from "./target.ts";

const keyOf = (input: Business): OrderKey => {
  const orderId = input.text("orderId");
  return orderId === null ? { clientOrderId: input.text("clientOrderId") ?? "" } : { orderId };
};
const keyFields = { orderId: fields.orderId.optional(), clientOrderId: fields.clientOrderId.optional() };
const keyNeeded = [["orderId", "clientOrderId"]] as const;

/** The new order's shape by the symbol's rules; what the change leaves out is taken from the order as read. */
async function planReplace(at: PlanAt): Promise<Result<Planned, Failure>> {
  const { input, service, call, previewing } = at;
  const key = keyOf(input);
  const shared = { kind: "order.replace", key, price: input.decimal("price"), qty: input.decimal("quantity") } as const;
  if (!previewing) return ok({ action: { ...shared, contractSize: ONE, known: null, also: input.params }, notes: {} });
  const found = await service.venue.order(key);
  if (found.kind !== "done") return err(readFailure(found));
  call.seen.real = true;
  const known = found.value;
  const rules = await rulesOf({ client: call.client, service, symbol: known.symbol });
  if (!rules.ok) return rules;
  const price = shared.price ?? known.limitPrice ?? known.avgPrice;
  const shape = { qty: shared.qty ?? known.qty, price, referencePrice: price, reduceOnly: known.reduceOnly };
  const breach = checkOrderShape(rules.value.rules, shape);
  if (breach) return err(breachFailure(breach));
  const { contractSize } = rules.value.rules;
  return ok({ action: { ...shared, contractSize, known, also: input.params }, notes: {} });
}

async function afterReplace({ action, service, reply }: DoneAt): Promise<ReadBack> {
  if (action.kind !== "order.replace") return { data: {} };
  const { state } = reply as { state: string };
  const order = await service.venue.order(action.key);
  const data = { ...envelopeOf({ ...action.key, orderState: state }), readback: { order: seenOf(order) } };
  // The service's way to say that the amend failed and took the original with it (1 §4.2).
  if (!/^(CANCEL|REJECT)/i.test(state)) return { data };
  const message = `the replace failed and the original order is gone (${state})`;
  return { data, failure: { status: "BUSINESS_ERROR", digits: "22001", message, details: { upstreamMessage: state } } };
}

async function afterCancel({ action, call, service }: DoneAt): Promise<ReadBack> {
  if (action.kind !== "order.cancel") return { data: {} };
  const seen = await readBackCancel(call.client.env.clock, service.venue, action.key);
  const { cancelAccepted, terminalStateConfirmed, lastObservedOrderState, order } = seen;
  const recommendedAction = terminalStateConfirmed
    ? "none: the order has ended"
    : "ask order query until the state is CANCELLED; what is open can still fill";
  return {
    data: {
      cancelAccepted,
      terminalStateConfirmed,
      ...(lastObservedOrderState === null ? {} : { lastObservedOrderState }),
      recommendedAction,
      response: envelopeOf({ ...action.key }),
      readback: { order },
    },
  };
}

async function afterCancelAll({ action, service }: DoneAt): Promise<ReadBack> {
  if (action.kind !== "order.cancel-all") return { data: {} };
  const open = await readBackCancelAll(service.venue, action.symbol);
  return { data: { ...envelopeOf({}), readback: { openOrders: seenOf(open) } } };
}

const lookUpOrder = async ({ action, service }: DoneAt): Promise<unknown> =>
  action.kind === "order.replace" || action.kind === "order.cancel"
    ? { order: seenOf(await service.venue.order(action.key)) }
    : null;

/** Only the preview reads the order and checks its new shape; the submit sends the change alone. */
export const replaceTarget: WriteTarget = {
  id: "order.replace",
  shape: { ...keyFields, price: fields.price.optional(), quantity: fields.quantity.optional() },
  needsOneOf: [...keyNeeded, ["price", "quantity"]],
  plan: planReplace,
  readBack: afterReplace,
  lookUp: lookUpOrder,
};

/** Its answer says whether the end of the order was seen, not only that the cancel was accepted. */
export const cancelTarget: WriteTarget = {
  id: "order.cancel",
  shape: keyFields,
  needsOneOf: keyNeeded,
  // The desk reads the order back by itself before it gives a token.
  plan: async ({ input }) =>
    ok({ action: { kind: "order.cancel", key: keyOf(input), known: null, also: input.params }, notes: {} }),
  readBack: afterCancel,
  lookUp: lookUpOrder,
};

/** By symbol, by exchange, or by neither: then every open order of the account. */
export const cancelAllTarget: WriteTarget = {
  id: "order.cancel-all",
  shape: {
    symbol: fields.symbol.optional(),
    exchange: fields.exchange.optional(),
    exchangeType: fields.exchange.optional(),
  },
  plan: async ({ input }) => {
    const symbol = input.text("symbol");
    const exchange = input.text("exchange");
    const filter = { ...(symbol === null ? {} : { symbol }), ...(exchange === null ? {} : { exchange }) };
    return ok({ action: { kind: "order.cancel-all", ...filter, also: input.params }, notes: {} });
  },
  readBack: afterCancelAll,
  lookUp: async ({ service, action }) =>
    action.kind === "order.cancel-all" ? { openOrders: seenOf(await service.venue.openOrders(action.symbol)) } : null,
};
