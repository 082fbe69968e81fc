/** The algo (take-profit / stop-loss) record of REST and of the ALGO_ORDER push. Spec: 1 §2.5; records §6.4, §6.5. */
import { z } from "zod";
import { type AlgoOrder, readAlgoState } from "../../domain/algo-order.ts";
import {
  flagMaybe,
  idMaybe,
  idNeeded,
  isTrue,
  moneyMaybe,
  moneyOf,
  priceOrNull,
  textMaybe,
  textOf,
  timeMaybe,
  timeOf,
  unread,
} from "../reply-fields.ts";
import { readPositionSide, readSide } from "./order-record.ts";

/** Only id, symbol and state are required; which other fields are filled depends on `conditionType`. */
export const algoRecord = z.looseObject({
  portfolioId: idMaybe,
  algoOrderId: idNeeded,
  clientOrderId: textMaybe,
  /** TPSL. */
  algoOrderType: unread,
  sym: z.string().min(1),
  exchangeType: textMaybe,
  businessType: unread,
  /** May be empty for ENTIRE_CLOSE_POSITION. */
  side: textMaybe,
  positionSide: textMaybe,
  orderQty: moneyMaybe,
  limitPrice: unread,
  /** "true" or "false" as text. */
  reduceOnly: flagMaybe.catch(null),
  /** Records §6.5. */
  orderState: z.string().min(1),
  reason: textMaybe,
  /** Of the child market order. */
  executedQty: unread,
  executedAmount: unread,
  executedAvgPrice: unread,
  conditionType: textMaybe,
  conditionalTriggerPrice: moneyMaybe,
  /** The record says …PriceType where the request says …TriggerType. */
  conditionalTriggerPriceType: unread,
  conditionalPrice: unread,
  /** Parent order, when this was attached at placement. */
  attachedOrderId: unread,
  tpTriggerPrice: moneyMaybe,
  tpTriggerType: unread,
  tpPrice: unread,
  slTriggerPrice: moneyMaybe,
  slTriggerType: unread,
  slPrice: unread,
  createAt: unread,
  updateAt: timeMaybe,
});
/** The wire form; `readAlgoOrder` converts it. */
export type AlgoRecord = z.output<typeof algoRecord>;

/** Unset triggers and an empty side become null, a missing quantity becomes zero. */
export function readAlgoOrder(wire: AlgoRecord): AlgoOrder {
  return {
    algoOrderId: wire.algoOrderId,
    clientOrderId: textOf(wire.clientOrderId) || wire.algoOrderId,
    symbol: wire.sym,
    side: wire.side ? readSide(wire.side) : null,
    positionSide: readPositionSide(wire.positionSide),
    qty: moneyOf(wire.orderQty),
    condition: textOf(wire.conditionType),
    triggerPrice: priceOrNull(wire.conditionalTriggerPrice),
    takeProfitPrice: priceOrNull(wire.tpTriggerPrice),
    stopLossPrice: priceOrNull(wire.slTriggerPrice),
    reduceOnly: isTrue(wire.reduceOnly),
    state: readAlgoState(wire.orderState),
    reason: textOf(wire.reason),
    updatedAtMs: timeOf(wire.updateAt),
  };
}

/** The reply of every algo write. Some deployments send it without an envelope (records §6.1). */
export const algoIds = z.looseObject({ algoOrderId: idNeeded, clientOrderId: textMaybe });
