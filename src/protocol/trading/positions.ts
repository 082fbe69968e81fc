import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, renamed, upperCased } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { positionRecord } from "../records/position-record.ts";
import { exchange, symbol } from "../request-fields.ts";

/** Open positions. A flat symbol may still be listed with quantity zero. */
export const positions = endpoint({
  method: "GET",
  path: "/api/v1/trading/position",
  section: "1 §4.4; records §7.1",
  limit: { requests: 60, perMs: 60_000 },
  permission: "read",
  normalize: inOrder(renamed({ exchangeType: "exchange" }), upperCased("sym", "exchange")),
  request: z.strictObject({ sym: symbol.optional(), exchange: exchange.optional() }),
  reply: pageOf(positionRecord),
});
