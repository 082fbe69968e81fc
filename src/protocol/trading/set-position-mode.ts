import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, renamed, upperCased } from "../normalize.ts";
import { exchange, positionMode } from "../request-fields.ts";

/**
 * Switches an exchange account between hedge (BOTH) and one-way (NET) mode. Refused with 406012 while positions or
 * orders are open; setting the current mode succeeds [guess]. Read the account again to confirm.
 */
export const setPositionMode = endpoint({
  method: "POST",
  path: "/api/v1/trading/account",
  section: "1 §3.2, §4.1; records §4.3",
  // [guess]
  limit: { requests: 1, perMs: 3_000 },
  permission: "trade",
  normalize: inOrder(renamed({ exchangeType: "exchange", positionMode: "mode" }), upperCased("exchange", "mode")),
  request: z.strictObject({
    exchange,
    /** BOTH or NET. */
    mode: positionMode,
  }),
  reply: z.looseObject({}),
});
