/** An algo order as the input describes it, and what is wrong with it before the service is asked. */
import { isMultipleOf, ZERO } from "../../../core/decimal.ts";
import type { AlgoCondition, PlaceAlgoOrder, TriggerType } from "../../../domain/algo-order.ts";
import type { PositionSide, Side } from "../../../domain/order.ts";
import type { SymbolRules } from "../../../domain/symbol.ts";
import { blocked, type Failure } from "../../contract/statuses.ts";
import type { Business } from "./business.ts";

/** Each of them can fire the order. */
export const PRICES = ["triggerPrice", "takeProfitPrice", "stopLossPrice"] as const;
/** Limits of the orders that follow. */
export const LIMIT_PRICES = ["takeProfitLimitPrice", "stopLossLimitPrice"] as const;

/** The default condition follows from the given prices. */
function conditionOf(input: Business): AlgoCondition {
  const given = input.text("conditionType");
  if (given !== null) return given as AlgoCondition;
  const both = input.text("takeProfitPrice") !== null && input.text("stopLossPrice") !== null;
  return both ? "OCO" : "CONDITIONAL";
}

/** A missing field reads as its default; `fieldProblem` says what may not be missing. */
export function orderOf(input: Business): PlaceAlgoOrder {
  const limits = Object.fromEntries(LIMIT_PRICES.map((field) => [field, input.decimal(field)]));
  return {
    symbol: input.text("symbol") ?? "",
    condition: conditionOf(input),
    side: (input.text("side") ?? "SELL") as Side,
    positionSide: (input.text("positionSide") ?? "NONE") as PositionSide,
    qty: input.decimal("quantity") ?? ZERO,
    reduceOnly: input.flag("reduceOnly"),
    triggerPrice: input.decimal("triggerPrice"),
    triggerType: (input.text("triggerType") ?? "MARK_PRICE") as TriggerType,
    takeProfitPrice: input.decimal("takeProfitPrice"),
    stopLossPrice: input.decimal("stopLossPrice"),
    ...limits,
    clientOrderId: input.text("clientOrderId") ?? "",
  };
}

/** What the order's condition needs and the input lacks; null if nothing. */
export function fieldProblem(input: Business, order: PlaceAlgoOrder): Failure | null {
  const need = (what: string): Failure => blocked("00001", `${order.condition} needs ${what}`);
  if ((input.text("algoType") ?? "TPSL") !== "TPSL")
    return blocked("00001", "algoType must be TPSL: no other kind is available");
  const entire = order.condition === "ENTIRE_CLOSE_POSITION";
  if (!entire && input.text("side") === null) return need("side");
  if (!entire && order.qty.isZero()) return need("quantity");
  const takes = order.takeProfitPrice !== null;
  const stops = order.stopLossPrice !== null;
  if (order.condition === "OCO") return takes && stops ? null : need("takeProfitPrice and stopLossPrice");
  if (takes || stops) return null;
  if (order.condition === "CONDITIONAL") return order.triggerPrice ? null : need("triggerPrice");
  return need("stopLossPrice or takeProfitPrice");
}

/** Checks the ticks and lots of the given figures. */
export function stepProblem(input: Business, rules: SymbolRules): Failure | null {
  for (const field of [...PRICES, ...LIMIT_PRICES]) {
    const price = input.decimal(field);
    if (!price || isMultipleOf(price, rules.tickSize)) continue;
    return blocked(
      "24007",
      `INVALID_PRICE_TICK: ${field} ${price.toFixed()} must be a multiple of ${rules.tickSize.toFixed()}`,
    );
  }
  const qty = input.decimal("quantity");
  if (!qty || (isMultipleOf(qty, rules.lotSize) && qty.gte(rules.minSize))) return null;
  const rule = `a multiple of ${rules.lotSize.toFixed()}, at least ${rules.minSize.toFixed()}`;
  return blocked("24006", `INVALID_QUANTITY: quantity ${qty.toFixed()} must be ${rule}`);
}
