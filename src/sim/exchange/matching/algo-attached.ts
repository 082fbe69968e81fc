/**
 * Protection sent with a plain order: its first fill creates an algo order, which grows with every further fill. Spec:
 * records §6.5, last line.
 */
import { dec } from "../../../core/decimal.ts";
import type { TriggerType } from "../../../domain/algo-order.ts";
import { bearAlgo, isAlgoEnded, setAlgoState } from "./algo-life.ts";
import { pushAlgo } from "../records/push.ts";
import type { Trigger } from "../state/algo-terms.ts";
import type { Order, World } from "../state/state.ts";

function attachedTrigger(price: string, type: string, orderPrice: string, above: boolean): Trigger | null {
  if (price === "") return null;
  return { price: dec(price), type: type === "" ? "LAST_PRICE" : (type as TriggerType), orderPrice, above };
}

/** Creates or enlarges the protection of an order that was just filled in part or whole. */
export function protectFill(world: World, order: Order): void {
  const { protection } = order;
  if (protection === null) return;
  const existing = order.exposure.wallet.portfolio.algos.find((algo) => algo.attachedOrderId === order.orderId);
  if (existing !== undefined) {
    if (isAlgoEnded(existing)) return;
    existing.lots = order.filledLots;
    existing.updatedAtMs = world.nowMs;
    return pushAlgo(world, existing);
  }
  const long = order.side === "BUY";
  const { tpTriggerPrice, tpTriggerType, tpPrice, slTriggerPrice, slTriggerType, slPrice } = protection;
  const algo = bearAlgo(world, {
    exposure: order.exposure,
    clientOrderId: null,
    side: long ? "SELL" : "BUY",
    positionSide: order.positionSide,
    condition: tpTriggerPrice !== "" && slTriggerPrice !== "" ? "OCO" : "PARTIAL_CLOSE_POSITION",
    reduceOnly: true,
    attachedOrderId: order.orderId,
    lots: order.filledLots,
    conditional: null,
    takeProfit: attachedTrigger(tpTriggerPrice, tpTriggerType, tpPrice, long),
    stopLoss: attachedTrigger(slTriggerPrice, slTriggerType, slPrice, !long),
  });
  setAlgoState(world, algo, "NEW");
}
