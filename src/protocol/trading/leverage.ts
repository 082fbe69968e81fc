import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, renamed, upperCased } from "../normalize.ts";
import { wholeMaybe } from "../reply-fields.ts";
import { exchange, symbol } from "../request-fields.ts";

/** One row of the reply; `readLeverage` converts its text to a number. */
export const leverageRecord = z.looseObject({
  sym: z.string().min(1),
  /** Text of a whole number; empty or null where the venue gives none. */
  leverage: wholeMaybe,
});

/** The leverage set for each symbol. One figure per symbol, shared by both positions [guess]. */
export const leverage = endpoint({
  method: "GET",
  path: "/api/v1/trading/perp/leverage",
  section: "1 §4.4; records §7.5",
  limit: { requests: 6, perMs: 1_000 },
  permission: "read",
  normalize: inOrder(renamed({ exchangeType: "exchange" }), upperCased("sym", "exchange")),
  request: z.strictObject({ sym: symbol.optional(), exchange: exchange.optional() }),
  reply: z.union([z.array(leverageRecord), leverageRecord]),
});

/** From a list or a single row; 2 means 2x. A symbol without a figure is left out and hides no other. */
export function readLeverage(
  reply: z.output<typeof leverage.reply>,
): readonly { readonly symbol: string; readonly leverage: number }[] {
  const rows = Array.isArray(reply) ? reply : [reply];
  return rows.flatMap(({ sym, leverage: figure }) =>
    figure === undefined || figure === null || figure === "" ? [] : [{ symbol: sym, leverage: Number(figure) }],
  );
}
