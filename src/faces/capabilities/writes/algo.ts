/** algo.place, algo.replace and algo.cancel. Spec: 3 §4.5; records §6, §17.4. */
import { type Decimal, maxDecimal, ZERO } from "../../../core/decimal.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { PlaceAlgoOrder, TriggerType } from "../../../domain/algo-order.ts";
import type { SymbolRules } from "../../../domain/symbol.ts";
import { blocked, type Failure, readFailure } from "../../contract/statuses.ts";
import * as fields from "../fields.ts";
import { recordOf, recordsOf, rowsIn } from "../read.ts";
import { exchangeOf, positionProblem, positionModeOf } from "./account.ts";
import { heldPosition, positionValue } from "./close.ts";
import { aboveCeiling, rulesOf, rulesView } from "./rules.ts";
import { type DoneAt, type PlanAt, type Planned, type ReadBack, type WriteTarget } from "./target.ts";
import { fieldProblem, LIMIT_PRICES, orderOf, PRICES, stepProblem } from "./algo-request.ts";
/** The names in document 1. */
const DOCUMENT_NAME = {
  triggerPrice: "conditionalTriggerPrice",
  takeProfitPrice: "tpTriggerPrice",
  stopLossPrice: "slTriggerPrice",
} as const;

/** Upper bound of the order's value when it fires. */
async function valueOf(at: PlanAt, order: PlaceAlgoOrder, rules: SymbolRules): Promise<Result<Decimal, Failure>> {
  if (order.condition === "ENTIRE_CLOSE_POSITION") {
    const held = await heldPosition(at, order.symbol, order.positionSide === "NONE" ? null : order.positionSide);
    return held.ok ? positionValue(at, held.value.position) : held;
  }
  const prices = PRICES.map((field) => order[field] ?? ZERO);
  return ok(order.qty.mul(rules.contractSize).mul(maxDecimal(ZERO, ...prices)));
}

async function planPlace(at: PlanAt): Promise<Result<Planned, Failure>> {
  const { call, service, input, previewing } = at;
  const order = orderOf(input);
  const wrong = fieldProblem(input, order);
  if (wrong) return err(wrong);
  if (previewing && call.client.documents.get("sent", order.clientOrderId)) {
    return err(blocked("24004", `DUPLICATE_CLIENT_ORDER_ID: ${order.clientOrderId} was already sent`));
  }
  const mode = await positionModeOf(call, service, exchangeOf(order.symbol));
  if (!mode.ok) return mode;
  const sideProblem = positionProblem(mode.value, input.text("positionSide"));
  if (sideProblem) return err(sideProblem);
  const known = await rulesOf({ client: call.client, service, symbol: order.symbol });
  if (!known.ok) return known;
  const { rules, cache } = known.value;
  const steps = stepProblem(input, rules);
  if (steps) return err(steps);
  const value = await valueOf(at, order, rules);
  if (!value.ok) return value;
  const maxNotional = input.decimal("maxNotional") ?? ZERO;
  const ceiling = aboveCeiling(value.value, maxNotional);
  if (ceiling) return err(ceiling);
  return ok({
    action: { kind: "algo.place", order, maxNotional, also: input.params },
    notes: { marketRules: rulesView(rules), marketRulesCache: cache },
  });
}

/** The service's id of the order in the input. */
async function algoIdOf({ input, service }: PlanAt): Promise<Result<string, Failure>> {
  const algoOrderId = input.text("algoOrderId");
  if (algoOrderId !== null) return ok(algoOrderId);
  const found = await service.venue.algo({ clientOrderId: input.text("clientOrderId") ?? "" });
  return found.kind === "done" ? ok(found.value.algoOrderId) : err(readFailure(found));
}

async function planReplace(at: PlanAt): Promise<Result<Planned, Failure>> {
  const id = await algoIdOf(at);
  if (!id.ok) return id;
  const { input } = at;
  const change: Record<string, Decimal | TriggerType> = {};
  const qty = input.decimal("quantity");
  if (qty) change["qty"] = qty;
  for (const field of [...PRICES, ...LIMIT_PRICES]) {
    const price = input.decimal(field);
    if (price) change[field] = price;
  }
  const triggerType = input.text("triggerType");
  if (triggerType !== null) change["triggerType"] = triggerType as TriggerType;
  return ok({ action: { kind: "algo.replace", algoOrderId: id.value, change, also: input.params }, notes: {} });
}

async function planCancel(at: PlanAt): Promise<Result<Planned, Failure>> {
  const id = await algoIdOf(at);
  if (!id.ok) return id;
  return ok({ action: { kind: "algo.cancel", algoOrderId: id.value, also: at.input.params }, notes: {} });
}

/** By query, or from the list of open orders if the query's rate limit is exhausted. */
async function algoNow({ service }: DoneAt, algoOrderId: string): Promise<Readonly<Record<string, unknown>>> {
  const algo = await service.venue.algo({ algoOrderId });
  if (algo.kind === "done") return recordsOf({ algo });
  const open = await service.read("openAlgos", { pageSize: "1000" });
  if (open.kind !== "done") return recordsOf({ algo });
  return { openAlgos: rowsIn(recordOf(open)).filter((row) => String(row["algoOrderId"]) === algoOrderId) };
}

async function afterAlgo(at: DoneAt): Promise<ReadBack> {
  const { action, reply, answer } = at;
  const algoOrderId = "algoOrderId" in action ? action.algoOrderId : (reply as { algoOrderId: string }).algoOrderId;
  return { data: { ...answer, readback: await algoNow(at, algoOrderId) } };
}

async function lookUp({ action, service }: DoneAt): Promise<unknown> {
  if (action.kind === "algo.place") {
    return {
      by: "clientOrderId",
      ...recordsOf({ algo: await service.venue.algo({ clientOrderId: action.order.clientOrderId }) }),
    };
  }
  return "algoOrderId" in action
    ? recordsOf({ algo: await service.venue.algo({ algoOrderId: action.algoOrderId }) })
    : null;
}

const same = (name: string): string => `Another name of ${name}.`;
const prices = {
  triggerPrice: fields.decimalText("Price that triggers a CONDITIONAL order.").optional(),
  triggerType: fields.triggerType.optional(),
  takeProfitPrice: fields.decimalText("Take-profit trigger price.").optional(),
  takeProfitLimitPrice: fields.decimalOrZero("Limit after the take-profit; 0 or absent means market.").optional(),
  stopLossPrice: fields.decimalText("Stop-loss trigger price.").optional(),
  stopLossLimitPrice: fields.decimalOrZero("Limit after the stop; 0 or absent means market.").optional(),
  conditionalTriggerPrice: fields.decimalText(same("triggerPrice")).optional(),
  conditionalTriggerType: fields.triggerType.optional(),
  tpTriggerPrice: fields.decimalText(same("takeProfitPrice")).optional(),
  tpTriggerType: fields.triggerType.optional(),
  tpPrice: fields.decimalOrZero(same("takeProfitLimitPrice")).optional(),
  slTriggerPrice: fields.decimalText(same("stopLossPrice")).optional(),
  slTriggerType: fields.triggerType.optional(),
  slPrice: fields.decimalOrZero(same("stopLossLimitPrice")).optional(),
};
/** An order without one of these would never fire. */
const TRIGGERS = PRICES.flatMap((field) => [field, DOCUMENT_NAME[field]]);
const ENTIRE = { field: "conditionType", is: "ENTIRE_CLOSE_POSITION" };
const keyFields = { algoOrderId: fields.algoOrderId.optional(), clientOrderId: fields.clientOrderId.optional() };
const keyNeeded = [["algoOrderId", "clientOrderId"]] as const;

/** Document 1's names of the prices (`tpTriggerPrice`, ...) are accepted as well: see `businessOf`. */
export const algoPlaceTarget: WriteTarget = {
  id: "algo.place",
  shape: {
    symbol: fields.symbol.optional(),
    sym: fields.symbol.optional().describe(same("symbol")),
    side: fields.side.optional(),
    positionSide: fields.positionSide.optional(),
    orderType: fields.orderType.optional(),
    price: fields.price.optional(),
    quantity: fields.quantity.optional(),
    orderQty: fields.quantity.optional().describe(same("quantity")),
    notional: fields.decimalText("Value in quote currency.").optional(),
    timeInForce: fields.timeInForce.optional(),
    postOnly: fields.flag("Not used by algo orders.").optional(),
    reduceOnly: fields.flag("Only reduce a position.").optional(),
    maxNotional: fields.maxNotional,
    clientOrderId: fields.clientOrderId,
    algoType: fields.text("TPSL, the only kind.").optional(),
    algoOrderType: fields.text(same("algoType")).optional(),
    conditionType: fields.conditionType.optional(),
    ...prices,
  },
  needsOneOf: [["symbol", "sym"], TRIGGERS],
  needsUnless: [
    { oneOf: ["side"], unless: ENTIRE },
    { oneOf: ["quantity", "orderQty"], unless: ENTIRE },
  ],
  plan: planPlace,
  readBack: afterAlgo,
  lookUp,
};

/** Sends only the given fields. A client order id costs a look-up first. */
export const algoReplaceTarget: WriteTarget = {
  id: "algo.replace",
  shape: {
    ...keyFields,
    quantity: fields.quantity.optional(),
    orderQty: fields.quantity.optional().describe(same("quantity")),
    ...prices,
  },
  needsOneOf: [...keyNeeded, ["quantity", "orderQty", ...Object.keys(prices)]],
  plan: planReplace,
  readBack: afterAlgo,
  lookUp,
};

/** By either id; a client order id costs a look-up first. */
export const algoCancelTarget: WriteTarget = {
  id: "algo.cancel",
  shape: keyFields,
  needsOneOf: keyNeeded,
  plan: planCancel,
  readBack: afterAlgo,
  lookUp,
};
