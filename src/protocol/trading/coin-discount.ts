import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { moneyNeeded, textMaybe } from "../reply-fields.ts";

/** The share of its value that counts as collateral, keyed by coin. */
export const coinDiscount = endpoint({
  method: "GET",
  path: "/api/v1/trading/coin/discount",
  section: "1 §4.5; records §9.5",
  limit: { requests: 1, perMs: 20_000 },
  permission: "read",
  aliases: ["/api/v1/trading/coin/discount_detail"],
  normalize: upperCased("coin"),
  request: z.strictObject({ coin: z.string().min(1, "a coin").optional() }),
  reply: z.record(z.string(), z.looseObject({ coin: textMaybe, discount: moneyNeeded })),
});
