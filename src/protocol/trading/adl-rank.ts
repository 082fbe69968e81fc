import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { idMaybe, textMaybe } from "../reply-fields.ts";
import { symbol } from "../request-fields.ts";

/** How near each position is to automatic deleveraging, "1" (safest [guess]) to "5". */
export const adlRank = endpoint({
  method: "GET",
  path: "/api/v1/adl/rank",
  section: "1 §4.4; records §7.6",
  limit: { requests: 2, perMs: 60_000 },
  permission: "read",
  normalize: upperCased("sym"),
  request: z.strictObject({ sym: symbol.optional() }),
  reply: z.looseObject({
    adlRanks: z
      .array(z.looseObject({ sym: z.string().min(1), adlRank: idMaybe, positionId: idMaybe, positionSide: textMaybe }))
      .nullish(),
  }),
});
