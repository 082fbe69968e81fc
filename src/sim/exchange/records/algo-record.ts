/** Algo orders as the wire shows them. Spec: records §6.4. */
import type { Trigger } from "../state/algo-terms.ts";
import type { AlgoOrder } from "../state/state.ts";
import { toWire } from "../../../core/decimal.ts";
import type { WireRecord } from "../contract/api.ts";
import { averageOf, qtyOf, valueOf } from "../state/figures.ts";

const priceText = (trigger: Trigger | null): string => (trigger === null ? "" : toWire(trigger.price));
const typeText = (trigger: Trigger | null): string => trigger?.type ?? "";
const orderPriceText = (trigger: Trigger | null): string => trigger?.orderPrice ?? "";

/** For queries and for the ALGO_ORDER push. The executed quantity is that of the order it fired. */
export function algoRecord(algo: AlgoOrder): WireRecord {
  const { instrument, wallet } = algo.exposure;
  const { child } = algo;
  const units = child?.filledUnits ?? 0;
  const lots = child?.filledLots ?? 0;
  return {
    portfolioId: wallet.portfolio.accountId,
    algoOrderId: algo.algoOrderId,
    clientOrderId: algo.clientOrderId,
    algoOrderType: "TPSL",
    sym: instrument.symbol,
    exchangeType: instrument.parts.exchange,
    businessType: instrument.parts.type,
    side: algo.side ?? "",
    positionSide: algo.positionSide,
    orderQty: algo.lots === 0 ? "" : toWire(qtyOf(instrument, algo.lots)),
    limitPrice: "",
    reduceOnly: algo.reduceOnly ? "true" : "false",
    orderState: algo.state,
    reason: algo.reason,
    executedQty: toWire(qtyOf(instrument, lots)),
    executedAmount: toWire(valueOf(instrument, units)),
    executedAvgPrice: toWire(averageOf(instrument, units, lots)),
    conditionType: algo.condition,
    conditionalTriggerPrice: priceText(algo.conditional),
    conditionalTriggerPriceType: typeText(algo.conditional),
    conditionalPrice: orderPriceText(algo.conditional),
    attachedOrderId: algo.attachedOrderId,
    tpTriggerPrice: priceText(algo.takeProfit),
    tpTriggerType: typeText(algo.takeProfit),
    tpPrice: orderPriceText(algo.takeProfit),
    slTriggerPrice: priceText(algo.stopLoss),
    slTriggerType: typeText(algo.stopLoss),
    slPrice: orderPriceText(algo.stopLoss),
    createAt: String(algo.createdAtMs),
    updateAt: String(algo.updatedAtMs),
  };
}
