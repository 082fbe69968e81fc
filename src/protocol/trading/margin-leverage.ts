import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, listSpellings, upperCased } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { moneyNeeded, textMaybe } from "../reply-fields.ts";
import { exchange, pageFields } from "../request-fields.ts";

/** Leverage of borrowed coins. Not used by competition strategies. */
export const marginLeverage = endpoint({
  method: "GET",
  path: "/api/v1/trading/margin/leverage",
  section: "1 §4.5; records §9.5",
  limit: { requests: 20, perMs: 10_000 },
  permission: "read",
  paging: { defaultSize: 1000, maxSize: 1000 },
  normalize: inOrder(listSpellings, upperCased("coin")),
  request: z.strictObject({
    exchangeType: exchange.optional(),
    coin: z.string().min(1, "a coin").optional(),
    ...pageFields,
  }),
  reply: pageOf(z.looseObject({ coin: z.string().min(1), exchangeType: textMaybe, leverage: moneyNeeded })),
});
