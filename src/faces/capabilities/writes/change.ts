/** order.replace, order.cancel and order.cancel-all. Spec: 3 §4.4; records §17.5, §17.8. */
import { ONE } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { checkOrderShape } from "../../../domain/symbol.ts";
import type { OrderKey } from "../../../domain/venue-calls.ts";
import { replacedValue } from "../../../desk/preflight.ts";
import { readBackCancel } from "../../../desk/readback.ts";
import { type Failure, readFailure } from "../../contract/statuses.ts";
import * as fields from "../fields.ts";
import { recordOf, recordsOf } from "../read.ts";
import type { Business } from "./business.ts";
import { aboveOwnCap, breachFailure, rulesOf } from "./rules.ts";
import { type DoneAt, type PlanAt, type Planned, type ReadBack, remembering, type WriteTarget } from "./target.ts";

const keyOf = (input: Business): OrderKey => {
  const orderId = input.text("orderId");
  return orderId === null ? { clientOrderId: input.text("clientOrderId") ?? "" } : { orderId };
};
const keyFields = { orderId: fields.orderId.optional(), clientOrderId: fields.clientOrderId.optional() };
const keyNeeded = [["orderId", "clientOrderId"]] as const;

/** Checks the new order by the symbol's rules. Fields that the change omits come from the order as read. */
async function planReplace(at: PlanAt): Promise<Result<Planned, Failure>> {
  const { input, service, call, previewing } = at;
  const key = keyOf(input);
  const shared = { kind: "order.replace", key, price: input.decimal("price"), qty: input.decimal("quantity") } as const;
  if (!previewing) return ok({ action: { ...shared, contractSize: ONE, known: null, also: input.params }, notes: {} });
  const found = await service.venue.order(key);
  if (found.kind === "done" || found.kind === "rejected") call.seen.real = true;
  if (found.kind !== "done") return err(readFailure(found));
  const known = found.value;
  const rules = await rulesOf({ client: call.client, service, symbol: known.symbol });
  if (!rules.ok) return rules;
  const price = shared.price ?? known.limitPrice ?? known.avgPrice;
  const shape = { qty: shared.qty ?? known.qty, price, referencePrice: price, reduceOnly: known.reduceOnly };
  const breach = checkOrderShape(rules.value.rules, shape);
  if (breach) return err(breachFailure(breach));
  const { contractSize } = rules.value.rules;
  const action = { ...shared, contractSize, known, also: input.params };
  const cap = aboveOwnCap(call.client, replacedValue(action, known));
  if (cap) return err(cap);
  return ok({
    action,
    notes: { orderReadback: recordOf(found) },
  });
}

/** The preview reads the order back; the desk decides whether it is still open. */
async function planCancel({ input, service, call, previewing }: PlanAt): Promise<Result<Planned, Failure>> {
  const shared = { kind: "order.cancel", key: keyOf(input), also: input.params } as const;
  if (!previewing) return ok({ action: { ...shared, known: null }, notes: {} });
  const found = await service.venue.order(shared.key);
  if (found.kind === "done" || found.kind === "rejected") call.seen.real = true;
  if (found.kind !== "done") return err(readFailure(found));
  return ok({ action: { ...shared, known: found.value }, notes: { orderReadback: recordOf(found) } });
}

async function afterReplace({ action, service, reply, answer }: DoneAt): Promise<ReadBack> {
  if (action.kind !== "order.replace") return { data: {} };
  const { state } = reply as { state: string };
  const order = await service.venue.order(action.key);
  const data = { ...answer, readback: recordsOf({ order }) };
  // With this state the service reports that the amend failed and ended the original order (1 §4.2).
  if (!/^(CANCEL|REJECT)/i.test(state)) return { data };
  const message = `the replace failed and the original order is gone (${state})`;
  return { data, failure: { status: "BUSINESS_ERROR", digits: "22001", message, details: { upstreamMessage: state } } };
}

async function afterCancel({ action, call, service, answer }: DoneAt): Promise<ReadBack> {
  if (action.kind !== "order.cancel") return { data: {} };
  const order = remembering((key: OrderKey) => service.venue.order(key));
  const seen = await readBackCancel(call.client.env.clock, { order: order.ask }, action.key);
  const { cancelAccepted, terminalStateConfirmed, lastObservedOrderState } = seen;
  const recommendedAction = terminalStateConfirmed
    ? "none: the order has ended"
    : "repeat order query until the state is CANCELLED; an open order can still fill";
  return {
    data: {
      cancelAccepted,
      terminalStateConfirmed,
      ...(lastObservedOrderState === null ? {} : { lastObservedOrderState }),
      recommendedAction,
      response: answer,
      readback: recordsOf({ order: order.last() }),
    },
  };
}

const openOrders = async ({ action, service }: DoneAt): Promise<Readonly<Record<string, unknown>>> => {
  const symbol = action.kind === "order.cancel-all" ? action.symbol : undefined;
  const filter = symbol === undefined ? {} : { sym: symbol };
  return recordsOf({ openOrders: await service.read("openOrders", { pageSize: "1000", ...filter }) });
};

const lookUpOrder = async ({ action, service }: DoneAt): Promise<unknown> =>
  action.kind === "order.replace" || action.kind === "order.cancel"
    ? recordsOf({ order: await service.venue.order(action.key) })
    : null;

/** Only the preview reads the order and checks its new shape; the submit sends only the change. */
export const replaceTarget: WriteTarget = {
  id: "order.replace",
  shape: { ...keyFields, price: fields.price.optional(), quantity: fields.quantity.optional() },
  needsOneOf: [...keyNeeded, ["price", "quantity"]],
  plan: planReplace,
  readBack: afterReplace,
  lookUp: lookUpOrder,
};

/** Its answer says whether the order was seen to end, not only that the cancel was accepted. */
export const cancelTarget: WriteTarget = {
  id: "order.cancel",
  shape: keyFields,
  needsOneOf: keyNeeded,
  plan: planCancel,
  readBack: afterCancel,
  lookUp: lookUpOrder,
};

/** By symbol or by exchange; without either, every open order of the account. */
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
  readBack: async (at) => ({ data: { ...at.answer, readback: await openOrders(at) } }),
  lookUp: openOrders,
};
