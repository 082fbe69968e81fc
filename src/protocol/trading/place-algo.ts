import { z } from "zod";
import { toWire, ZERO } from "../../core/decimal.ts";
import type { PlaceAlgoOrder } from "../../domain/algo-order.ts";
import { endpoint } from "../endpoint.ts";
import { asBoolean, inOrder, triggerTypes, upperCased } from "../normalize.ts";
import { algoIds } from "../records/algo-record.ts";
import {
  clientOrderId,
  decimalOrZero,
  positionSide,
  positiveDecimal,
  side,
  symbol,
  triggerType,
} from "../request-fields.ts";

/** The trigger and price fields that place and amend share. A price of "0" means market. */
export const algoTriggerFields = {
  conditionalTriggerPrice: positiveDecimal.optional(),
  /** MARK_PRICE in the seed; LAST_PRICE is valid too. */
  conditionalTriggerType: triggerType.optional(),
  conditionalPrice: decimalOrZero.optional(),
  tpTriggerPrice: positiveDecimal.optional(),
  /** LAST_PRICE when absent. */
  tpTriggerType: triggerType.optional(),
  tpPrice: decimalOrZero.optional(),
  slTriggerPrice: positiveDecimal.optional(),
  /** LAST_PRICE when absent. */
  slTriggerType: triggerType.optional(),
  slPrice: decimalOrZero.optional(),
};

/** The body of POST algo order; the required fields depend on `conditionType` (records §6.2). */
export const placeAlgoRequest = z
  .strictObject({
    algoOrderType: z.literal("TPSL", "TPSL: no other algo type is open in the competition"),
    sym: symbol,
    clientOrderId: clientOrderId.optional(),
    conditionType: z.enum(
      ["CONDITIONAL", "OCO", "ENTIRE_CLOSE_POSITION", "PARTIAL_CLOSE_POSITION"],
      "CONDITIONAL, OCO, ENTIRE_CLOSE_POSITION or PARTIAL_CLOSE_POSITION",
    ),
    /** Required except for ENTIRE_CLOSE_POSITION. */
    side: side.optional(),
    /** Required except for ENTIRE_CLOSE_POSITION. */
    orderQty: positiveDecimal.optional(),
    positionSide: positionSide.optional(),
    reduceOnly: z.boolean("true or false").optional(),
    ...algoTriggerFields,
  })
  .check((context) => {
    const { conditionType, side: closing, orderQty, ...given } = context.value;
    const require = (present: boolean, field: string, message: string): void => {
      if (!present) context.issues.push({ code: "custom", input: undefined, path: [field], message });
    };
    const takesProfit = given.tpTriggerPrice !== undefined;
    const stopsLoss = given.slTriggerPrice !== undefined;
    if (conditionType !== "ENTIRE_CLOSE_POSITION") {
      require(closing !== undefined, "side", `given for ${conditionType}`);
      require(orderQty !== undefined, "orderQty", `given for ${conditionType}`);
    }
    if (conditionType === "OCO") {
      require(takesProfit, "tpTriggerPrice", "given for OCO");
      require(stopsLoss, "slTriggerPrice", "given for OCO");
    } else if (conditionType === "CONDITIONAL") {
      // The seed's field list also allows a single tp or sl trigger here [guess].
      const triggers = given.conditionalTriggerPrice !== undefined || takesProfit || stopsLoss;
      require(triggers, "conditionalTriggerPrice", "given for CONDITIONAL");
    } else {
      require(takesProfit || stopsLoss, "slTriggerPrice", `given, or else tpTriggerPrice, for ${conditionType}`);
    }
  });
/** The wire form, every figure plain decimal text; `placeAlgoToWire` creates it. */
export type PlaceAlgoRequest = z.output<typeof placeAlgoRequest>;

/** Places a take-profit / stop-loss. When it triggers, one MARKET order closes; no limit price is guaranteed (1 §2.5). */
export const placeAlgo = endpoint({
  method: "POST",
  path: "/api/v1/algo/order",
  section: "1 §2.5, §4.3; records §6.1, §6.2",
  limit: { requests: 3, perMs: 50_000 },
  permission: "trade",
  normalize: inOrder(
    asBoolean("reduceOnly"),
    upperCased("algoOrderType", "sym", "conditionType", "side", "positionSide"),
    triggerTypes("conditionalTriggerType", "tpTriggerType", "slTriggerType"),
  ),
  request: placeAlgoRequest,
  reply: algoIds,
});

/** All triggers of an order use one trigger type; the prices on trigger are market. */
export function placeAlgoToWire(order: PlaceAlgoOrder): PlaceAlgoRequest {
  const entire = order.condition === "ENTIRE_CLOSE_POSITION";
  return {
    algoOrderType: "TPSL",
    sym: order.symbol,
    clientOrderId: order.clientOrderId,
    conditionType: order.condition,
    ...(entire ? {} : { side: order.side, orderQty: toWire(order.qty) }),
    ...(order.positionSide === "NONE" ? {} : { positionSide: order.positionSide }),
    reduceOnly: order.reduceOnly,
    ...(order.triggerPrice
      ? { conditionalTriggerPrice: toWire(order.triggerPrice), conditionalTriggerType: order.triggerType }
      : {}),
    ...(order.takeProfitPrice
      ? {
          tpTriggerPrice: toWire(order.takeProfitPrice),
          tpTriggerType: order.triggerType,
          tpPrice: toWire(order.takeProfitLimitPrice ?? ZERO),
        }
      : {}),
    ...(order.stopLossPrice
      ? {
          slTriggerPrice: toWire(order.stopLossPrice),
          slTriggerType: order.triggerType,
          slPrice: toWire(order.stopLossLimitPrice ?? ZERO),
        }
      : {}),
  };
}
