import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { idMaybe } from "../reply-fields.ts";
import { symbol } from "../request-fields.ts";

/** Closes the whole of one position by a market order; 401097 when there is nothing to close. */
export const closePosition = endpoint({
  method: "DELETE",
  path: "/api/v1/trading/position",
  section: "1 §4.4; records §7.3",
  limit: { requests: 10, perMs: 10_000 },
  permission: "trade",
  successStatus: 202,
  normalize: upperCased("sym", "positionSide"),
  request: z.strictObject({
    sym: symbol,
    /** Required in hedge mode; refused in one-way mode. */
    positionSide: z.enum(["LONG", "SHORT"], "LONG or SHORT in hedge mode, absent in one-way mode").optional(),
  }),
  reply: z.looseObject({
    /** Id of the market order that closes. */
    orderId: idMaybe,
  }),
});
