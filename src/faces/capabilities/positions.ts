/** Reads of positions and leverage. Spec: 3 §4.6. */
import { z } from "zod";
import { ok } from "../../core/result.ts";
import { capability } from "../contract/capability.ts";
import * as fields from "./fields.ts";
import { readRest, wireParams } from "./read.ts";

const shared = { operationType: "TRADE_READ", riskLevel: "trade-read", output: fields.restEnvelope } as const;

/** The rows of one symbol, from an array or from a page. */
function ofSymbol(data: unknown, symbol: string): unknown {
  const wanted = (row: unknown): boolean => (row as { sym?: unknown }).sym === symbol;
  if (Array.isArray(data)) return data.filter(wanted);
  const { list } = data as { list?: unknown };
  return Array.isArray(list) ? { ...(data as object), list: list.filter(wanted) } : data;
}

/** `position.query` also filters by symbol locally, and says so in `filterApplied`. */
export const positionReads = [
  capability({
    ...shared,
    id: "position.query",
    command: ["position", "query"],
    summary: "Open positions with entry, mark, profit and liquidation price.",
    inputName: "PositionListInput",
    input: z.strictObject({
      ...fields.listFields,
      startTime: fields.begin.optional(),
      endTime: fields.end.optional(),
    }),
    outputName: "PositionList",
    run: async (call, { symbol }) => {
      const answer = await readRest(call, "positions", wireParams({ symbol }));
      if (!answer.ok || symbol === undefined) return answer;
      const envelope = answer.value as { data: unknown };
      return ok({
        ...envelope,
        data: ofSymbol(envelope.data, symbol),
        requestedSymbol: symbol,
        filterApplied: "client",
      });
    },
  }),
  capability({
    ...shared,
    id: "position.history",
    command: ["position", "history"],
    summary: "Closed positions with their profit.",
    inputName: "PositionHistoryInput",
    input: z.strictObject({
      symbol: fields.symbol.optional(),
      pageSize: fields.pageSize.optional(),
      startTime: fields.begin.optional(),
      endTime: fields.end.optional(),
    }),
    outputName: "PositionHistory",
    example: { symbol: "EXCHANGE_A_PERP_BTC_USDT" },
    run: (call, input) =>
      readRest(call, "positionHistory", {
        pageSize: "100",
        ...wireParams(input, { startTime: "begin", endTime: "end" }),
      }),
  }),
  capability({
    ...shared,
    id: "position.get-leverage",
    command: ["position", "get-leverage"],
    summary: "Leverage set for a symbol.",
    inputName: "SymbolInput",
    input: z.strictObject({ symbol: fields.symbol }),
    outputName: "PositionLeverage",
    example: { symbol: "EXCHANGE_A_PERP_BTC_USDT" },
    run: (call, input) => readRest(call, "leverage", wireParams(input)),
  }),
];
