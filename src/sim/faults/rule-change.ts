/** Tick, lot and minimum value of a symbol change after clients have read them. Faults V8. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import { dec, isMultipleOf } from "../../core/decimal.ts";
import { errorEnvelope } from "../../protocol/envelope.ts";
import type { RawReply } from "../wire/http-call.ts";
import { jsonReply, parseJson } from "../wire/http-io.ts";
import { fault } from "./fault.ts";
import { namedSymbol } from "./match.ts";
import type { RestCall } from "./hooks.ts";

const step = z.string().regex(/^\d{1,12}(\.\d{1,12})?$/, "a plain decimal as text");

/** Shown in symbol info and enforced on REST orders; the exchange keeps its finer rules. */
export const ruleChange = fault({
  name: "rule-change",
  group: "venue",
  description: "A symbol shows and enforces coarser rules on REST while it lasts.",
  params: {
    symbol: z.string(),
    tickSize: step.optional(),
    lotSize: step.optional(),
    minNotional: step.optional(),
  },
  start: (world, { symbol: name, ...rules }) => {
    const symbol = namedSymbol(world, name);
    const shown = (reply: RawReply): RawReply => {
      const body = parseJson(reply.body);
      const data = isRecord(body) && isRecord(body.data) ? body.data : null;
      const record = data?.[symbol];
      if (!isRecord(body) || !data || !isRecord(record)) return reply;
      const changed = { ...record, ...rules, ...(rules.lotSize ? { minSize: rules.lotSize } : {}) };
      return { ...reply, body: JSON.stringify({ ...body, data: { ...data, [symbol]: changed } }) };
    };
    return {
      hooks: {
        rest: (call) => {
          if (call.path === "/api/v1/trading/sym/info") return { change: shown };
          const isOrder = call.path === "/api/v1/trading/order" && call.method === "POST";
          const breach = isOrder && call.params.sym === symbol ? breachOf(call, rules) : null;
          return breach === null ? null : { answerInstead: jsonReply(200, errorEnvelope(...breach)) };
        },
      },
    };
  },
});

interface Rules {
  readonly tickSize?: string | undefined;
  readonly lotSize?: string | undefined;
  readonly minNotional?: string | undefined;
}

function breachOf({ params }: RestCall, rules: Rules): [code: number, message: string] | null {
  const price = step.safeParse(params.limitPrice);
  const qty = step.safeParse(params.orderQty);
  if (price.success && rules.tickSize && !isMultipleOf(dec(price.data), dec(rules.tickSize))) {
    return [401015, `price must be a multiple of ${rules.tickSize}`];
  }
  if (qty.success && rules.lotSize && !isMultipleOf(dec(qty.data), dec(rules.lotSize))) {
    return [401015, `quantity must be a multiple of ${rules.lotSize}`];
  }
  if (price.success && qty.success && rules.minNotional && dec(price.data).mul(qty.data).lt(rules.minNotional)) {
    return [401017, `notional must be at least ${rules.minNotional}`];
  }
  return null;
}
