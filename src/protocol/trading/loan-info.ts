import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { idMaybe, moneyMaybe, textMaybe } from "../reply-fields.ts";
import { exchange } from "../request-fields.ts";

/** Borrowing tiers, keyed by the MARGIN symbol. Not used by competition strategies. */
export const loanInfo = endpoint({
  method: "GET",
  path: "/api/v1/trading/loan/info",
  section: "1 §4.5; records §9.5",
  limit: { requests: 1, perMs: 20_000 },
  permission: "read",
  aliases: ["/api/v1/trading/loan/info_detail"],
  normalize: upperCased("exchangeType", "coin"),
  request: z.strictObject({ exchangeType: exchange.optional(), coin: z.string().min(1, "a coin").optional() }),
  reply: z.record(
    z.string(),
    z.looseObject({
      exchangeType: textMaybe,
      coin: textMaybe,
      tiers: z
        .array(
          z.looseObject({
            tier: idMaybe,
            minSize: moneyMaybe,
            maxSize: moneyMaybe,
            mmRate: moneyMaybe,
            maxLeverage: moneyMaybe,
          }),
        )
        .nullish(),
    }),
  ),
});
