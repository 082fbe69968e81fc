import { z } from "zod";
import { parseSymbol } from "../../domain/symbol.ts";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { idMaybe, moneyMaybe, moneyNeeded, textMaybe } from "../reply-fields.ts";
import { SYMBOL_RULE } from "../request-fields.ts";

/** One tier: position values in USDT, leverage as a multiple, the rate as a fraction. */
export const bracketRecord = z.looseObject({
  sym: textMaybe,
  /** Position value from which the tier applies, USDT, inclusive [guess]. */
  minNotionalValue: moneyMaybe,
  /** Exclusive [guess]. */
  maxNotionalValue: moneyMaybe,
  maxLeverage: moneyNeeded,
  /** Maintenance rate on the whole position value [guess]. */
  mmRate: moneyNeeded,
  /** "1", "2", … */
  riskLevel: idMaybe,
});

/** Tiers of maximum leverage and maintenance margin, as an object keyed by symbol. */
export const positionBracket = endpoint({
  method: "GET",
  path: "/api/v1/trading/positionBracket",
  section: "1 §4.5; records §9.4",
  limit: { requests: 1, perMs: 20_000 },
  permission: "read",
  aliases: ["/api/v1/trading/broker/positionBracket"],
  normalize: upperCased("sym"),
  request: z.strictObject({
    /** One symbol or a comma list; all when absent [guess]. */
    sym: z
      .string(SYMBOL_RULE)
      .refine((list) => list.split(",").every((text) => parseSymbol(text.trim()).ok), { error: SYMBOL_RULE })
      .optional(),
  }),
  reply: z.record(z.string(), z.array(bracketRecord)),
});
