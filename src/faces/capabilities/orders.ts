/** Reads of orders, algo orders and executions. Spec: 3 §4.4, §4.5, §4.7. */
import { z } from "zod";
import { capability } from "../contract/capability.ts";
import * as fields from "./fields.ts";
import { readRest, wireParams } from "./read.ts";

const shared = { operationType: "TRADE_READ", riskLevel: "trade-read", output: fields.restEnvelope } as const;
const TIMES = { startTime: "begin", endTime: "end" };
const times = { startTime: fields.begin.optional(), endTime: fields.end.optional() };
const spans = { begin: fields.begin.optional(), end: fields.end.optional() };
/** Adds the default page size. Records §17.8. */
const sized = (input: Record<string, string>): Record<string, string> => ({ pageSize: "1000", ...input });

/** Each returns the service's REST envelope unchanged. Of two given ids the service's own takes precedence. */
export const orderReads = [
  capability({
    ...shared,
    id: "order.query",
    command: ["order", "query"],
    summary: "One order by the service's id or your own.",
    inputName: "OrderLookupInput",
    input: z.strictObject({
      orderId: fields.orderId.optional(),
      clientOrderId: fields.clientOrderId.optional(),
      symbol: fields.symbol.optional(),
    }),
    needsOneOf: [["orderId", "clientOrderId"]],
    outputName: "OrderStatusResult",
    example: { clientOrderId: "agent-003" },
    // One id is enough; the service needs no symbol.
    run: (call, { orderId, clientOrderId }) =>
      readRest(call, "queryOrder", wireParams(orderId ? { orderId } : { clientOrderId })),
  }),
  capability({
    ...shared,
    id: "order.open-orders",
    command: ["order", "open-orders"],
    summary: "Orders that are open now.",
    inputName: "OrderListInput",
    input: z.strictObject({ ...fields.listFields, ...times, filterExecuted: fields.flag("Ignored here.").optional() }),
    outputName: "OrderList",
    run: (call, input) =>
      readRest(call, "openOrders", sized(wireParams({ ...input, filterExecuted: undefined }, TIMES))),
  }),
  capability({
    ...shared,
    id: "order.history",
    command: ["order", "history"],
    summary: "Orders of the past days.",
    inputName: "OrderHistoryInput",
    input: z.strictObject({
      ...fields.listFields,
      ...spans,
      filterExecuted: fields.flag("Only orders with a fill.").optional(),
    }),
    outputName: "OrderHistory",
    example: { symbol: "EXCHANGE_A_PERP_BTC_USDT" },
    run: (call, input) => readRest(call, "orderHistory", sized(wireParams(input))),
  }),
  capability({
    ...shared,
    id: "transaction.executions",
    command: ["transaction", "executions"],
    summary: "Fills, newest first.",
    inputName: "ExecutionListInput",
    input: z.strictObject({
      orderId: fields.orderId.optional(),
      symbol: fields.symbol.optional(),
      exchange: fields.exchange.optional(),
      businessType: fields.listFields.businessType,
      limit: fields.whole(1, 1_000, "Most fills to return.").optional(),
      ...spans,
    }),
    outputName: "ExecutionList",
    example: { symbol: "EXCHANGE_A_PERP_BTC_USDT" },
    run: (call, input) => readRest(call, "executions", wireParams(input)),
  }),
  capability({
    ...shared,
    id: "algo.open-orders",
    command: ["algo", "open-orders"],
    summary: "Resting take-profit and stop-loss orders.",
    inputName: "AlgoListInput",
    input: z.strictObject({ ...fields.listFields, ...times, sym: fields.symbol.optional() }),
    outputName: "AlgoList",
    run: (call, input) => readRest(call, "openAlgos", sized(wireParams(input, TIMES))),
  }),
  capability({
    ...shared,
    id: "algo.history",
    command: ["algo", "history"],
    summary: "Take-profit and stop-loss orders of the past days.",
    inputName: "AlgoHistoryInput",
    input: z.strictObject({
      ...fields.listFields,
      ...spans,
      algoOrderType: fields.words(["TPSL"], "The only kind.").optional(),
      sym: fields.symbol.optional(),
    }),
    outputName: "AlgoHistory",
    run: (call, input) => readRest(call, "algoHistory", wireParams(input)),
  }),
  capability({
    ...shared,
    id: "algo.query",
    command: ["algo", "query"],
    summary: "One take-profit or stop-loss order.",
    inputName: "AlgoLookupInput",
    input: z.strictObject({
      algoOrderId: fields.algoOrderId.optional(),
      clientOrderId: fields.clientOrderId.optional(),
      attachedOrderId: fields.orderId.optional(),
    }),
    needsOneOf: [["algoOrderId", "clientOrderId", "attachedOrderId"]],
    outputName: "AlgoOrderStatus",
    example: { clientOrderId: "stop-003" },
    run: (call, input) => readRest(call, "queryAlgo", wireParams(input)),
  }),
];
