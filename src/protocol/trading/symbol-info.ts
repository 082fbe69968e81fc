import { z } from "zod";
import type { SymbolRules } from "../../domain/symbol.ts";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { readSymbolRules, symbolRecord } from "../records/symbol-record.ts";
import { symbol } from "../request-fields.ts";

/** Trading rules, as an object keyed by symbol even when one symbol is requested. */
export const symbolInfo = endpoint({
  method: "GET",
  path: "/api/v1/trading/sym/info",
  section: "1 §2.1, §4.5, §8.1; records §9.1",
  limit: { requests: 3, perMs: 10_000 },
  permission: "read",
  normalize: upperCased("sym"),
  request: z.strictObject({ sym: symbol.optional() }),
  reply: z.union([z.array(symbolRecord), z.record(z.string(), symbolRecord)]),
});

/** Symbols without a price step or quantity step are left out: they cannot be traded. */
export function readSymbolInfo(reply: z.output<typeof symbolInfo.reply>): readonly SymbolRules[] {
  return Object.values(reply)
    .map(readSymbolRules)
    .filter((rules) => rules !== null);
}
