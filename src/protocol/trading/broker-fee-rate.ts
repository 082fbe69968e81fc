import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, lowerCased, upperCased } from "../normalize.ts";
import { idMaybe, moneyNeeded, textMaybe } from "../reply-fields.ts";
import { exchange } from "../request-fields.ts";

/** Fee tiers as a main key with READ sees them; a portfolio key gets code 2002. */
export const brokerFeeRate = endpoint({
  method: "GET",
  path: "/api/v1/broker/feeRate",
  section: "1 §4.1; records §4.7",
  // [guess]
  limit: { requests: 1, perMs: 20_000 },
  permission: "read",
  normalize: inOrder(upperCased("exchange"), lowerCased("instType")),
  request: z.strictObject({
    exchange: exchange.optional(),
    instType: z.enum(["spot", "perp"], "spot or perp").optional(),
    /** Comma list. */
    portfolioIds: z
      .string()
      .regex(/^\d+(,\d+)*$/, "portfolio ids separated by commas")
      .optional(),
  }),
  reply: z.array(
    z.looseObject({
      portfolioId: idMaybe,
      exchange: textMaybe,
      instType: textMaybe,
      /** yyyy-MM-dd [guess]. */
      effDate: textMaybe,
      maker: moneyNeeded,
      taker: moneyNeeded,
    }),
  ),
});
