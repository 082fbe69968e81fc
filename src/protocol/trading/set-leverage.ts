import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { asInteger, inOrder, upperCased } from "../normalize.ts";
import { symbol } from "../request-fields.ts";

/** Sets a symbol's leverage. Asynchronous: read it again to confirm. */
export const setLeverage = endpoint({
  method: "POST",
  path: "/api/v1/trading/position/leverage",
  section: "1 §4.4; records §7.5",
  limit: { requests: 6, perMs: 1_000 },
  permission: "trade",
  successStatus: 202,
  normalize: inOrder(asInteger("leverage"), upperCased("sym")),
  request: z.strictObject({
    sym: symbol,
    /** 1 to the first bracket's maximum [guess]. */
    leverage: z
      .int("a whole number from 1 to 125")
      .min(1, "a whole number from 1 to 125")
      .max(125, "a whole number from 1 to 125"),
  }),
  reply: z.looseObject({}),
});
