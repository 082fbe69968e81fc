/** The capabilities that write, with their previews, derived from the write targets. Spec: 3 §4.3 to §4.7. */
import { z } from "zod";
import { nearestWord } from "../../core/nearest.ts";
import { err } from "../../core/result.ts";
import { blocked, failure } from "../contract/statuses.ts";
import { validInput } from "../contract/validate.ts";
import { type Capability, capability } from "../contract/capability.ts";
import * as fields from "./fields.ts";
import { isWriteTarget, WRITE_TARGETS } from "./writes/targets.ts";
import { type WriteInput, previewWrite } from "./writes/preview.ts";
import type { WriteTarget } from "./writes/target.ts";
import { previewExtras, previewOf, previewOutput, submit } from "./write-capability.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const placeExample = {
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  price: "60000",
  quantity: "0.001",
  maxNotional: "100",
  clientOrderId: "agent-003",
};

/** Every business field of every target, all optional: the handler applies the target's own schema. */
const genericShape = Object.fromEntries(
  Object.values(WRITE_TARGETS)
    .flatMap(({ shape }) => Object.entries(shape))
    .map(([name, field]) => [name, z.optional(field as z.ZodType).describe((field as z.ZodType).description ?? "")]),
);

/** Previews any write, also those without a preview capability of their own. */
const genericPreview = capability({
  id: "trade.preview",
  command: ["trade", "preview"],
  summary: "Preview of any write, named by targetCapabilityId.",
  operationType: "TRADE_WRITE",
  riskLevel: "trade-write",
  inputName: "TradePreviewInput",
  input: z.strictObject({
    ...genericShape,
    ...previewExtras,
    targetCapabilityId: fields.text("Capability to preview, for example position.close."),
  }),
  outputName: "TradePreviewResult",
  output: previewOutput,
  example: { targetCapabilityId: "position.set-leverage", symbol: BTC, leverage: 2 },
  run: async (call, input) => {
    const id = input.targetCapabilityId;
    const known = Object.keys(WRITE_TARGETS);
    if (!isWriteTarget(id)) {
      const isPreview = /-preview$|^trade\.preview$/.test(id);
      const isRead =
        /^(market|transaction|config|schema|automation)\.|\.(query|history|open-orders|overview|assets)$/.test(id);
      if (isPreview || isRead) return err(blocked("20002", `${id} is not a write that can be previewed`));
      const near = nearestWord(id, known);
      const remedy = near === null ? `one of ${known.join(", ")}` : `did you mean ${near}?`;
      return err(failure("INVALID_INPUT", "12001", `unknown targetCapabilityId ${id}; ${remedy}`));
    }
    const target = WRITE_TARGETS[id];
    const checked = targetInput(target, input);
    return checked.ok ? previewWrite(call, target, checked.value) : checked;
  },
});

/** Validates the input by the target's own schema. */
function targetInput(target: WriteTarget, given: WriteInput) {
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => name !== "targetCapabilityId"));
  const asCapability = previewOf({ target, summary: "", inputName: "", outputName: "", example: {} });
  return validInput({ ...asCapability, id: target.id, command: ["trade", "preview"] }, input);
}

export const writeCapabilities: readonly Capability[] = [
  genericPreview,
  previewOf({
    target: WRITE_TARGETS["order.place"],
    summary: "Check an order and get a token to place it.",
    inputName: "PreviewOrderInput",
    outputName: "PreviewOrderResult",
    example: placeExample,
  }),
  previewOf({
    target: WRITE_TARGETS["order.replace"],
    summary: "Read an order back and get a token to change it.",
    inputName: "ReplaceOrderPreviewInput",
    outputName: "TradePreviewResult",
    example: { orderId: "2188000000000001", price: "60100" },
  }),
  previewOf({
    target: WRITE_TARGETS["order.cancel"],
    summary: "Read an order back and get a token to cancel it.",
    inputName: "CancelOrderPreviewInput",
    outputName: "TradePreviewResult",
    example: { orderId: "2188000000000001" },
  }),
  submit({
    target: WRITE_TARGETS["order.place"],
    summary: "Place a previewed order.",
    inputName: "PlaceOrderInput",
    outputName: "OrderStatusResult",
    example: placeExample,
  }),
  submit({
    target: WRITE_TARGETS["order.replace"],
    summary: "Change price or quantity of a previewed order.",
    inputName: "ReplaceOrderInput",
    outputName: "OrderStatusResult",
    example: { orderId: "2188000000000001", price: "60100" },
  }),
  submit({
    target: WRITE_TARGETS["order.cancel"],
    summary: "Cancel a previewed order and confirm that it ended.",
    inputName: "CancelOrderInput",
    outputName: "OrderStatusResult",
    output: z.looseObject({ cancelAccepted: z.boolean(), terminalStateConfirmed: z.boolean() }),
    example: { orderId: "2188000000000001" },
  }),
  submit({
    target: WRITE_TARGETS["order.cancel-all"],
    summary: "Cancel all open orders, or those of a symbol.",
    inputName: "CancelAllOrdersInput",
    outputName: "CancelAllOrdersResult",
    example: { symbol: BTC },
  }),
  submit({
    target: WRITE_TARGETS["position.close"],
    summary: "Close a whole position at the market.",
    inputName: "ClosePositionInput",
    outputName: "ClosePositionResult",
    output: z.looseObject({ closePosition: z.literal(true) }),
    example: { symbol: BTC, positionSide: "LONG", reduceOnly: true, maxNotional: "500" },
  }),
  submit({
    target: WRITE_TARGETS["position.close-all"],
    summary: "Close every position of an exchange.",
    inputName: "CloseAllPositionsInput",
    outputName: "CloseAllPositionsResult",
    example: { exchange: "EXCHANGE_A" },
  }),
  submit({
    target: WRITE_TARGETS["position.set-leverage"],
    summary: "Set the leverage of a symbol.",
    inputName: "SetLeverageInput",
    outputName: "SetLeverageResult",
    example: { symbol: BTC, leverage: 2 },
  }),
  submit({
    target: WRITE_TARGETS["portfolio.set-position-mode"],
    summary: "Switch an exchange account between hedge and one-way mode.",
    inputName: "SetPositionModeInput",
    outputName: "SetPositionModeResult",
    risk: "critical-trade-write",
    example: { exchange: "EXCHANGE_A", mode: "BOTH" },
  }),
  submit({
    target: WRITE_TARGETS["algo.place"],
    summary: "Place a take-profit or stop-loss order.",
    inputName: "AlgoPlaceInput",
    outputName: "AlgoOrderStatus",
    example: {
      symbol: BTC,
      side: "SELL",
      positionSide: "LONG",
      quantity: "0.001",
      conditionType: "CONDITIONAL",
      triggerPrice: "58000",
      maxNotional: "100",
      clientOrderId: "stop-003",
      algoType: "TPSL",
    },
  }),
  submit({
    target: WRITE_TARGETS["algo.replace"],
    summary: "Change a take-profit or stop-loss order.",
    inputName: "AlgoReplaceInput",
    outputName: "AlgoOrderStatus",
    example: { algoOrderId: "2188000000000001", triggerPrice: "58500" },
  }),
  submit({
    target: WRITE_TARGETS["algo.cancel"],
    summary: "Cancel a take-profit or stop-loss order.",
    inputName: "AlgoCancelInput",
    outputName: "AlgoOrderStatus",
    example: { algoOrderId: "2188000000000001" },
  }),
];
