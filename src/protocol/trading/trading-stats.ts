import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, listSpellings, renamed } from "../normalize.ts";
import { money, moneyMaybe, textMaybe, timeMaybe } from "../reply-fields.ts";
import { businessType, epochSec, exchange } from "../request-fields.ts";

/** Executed amounts in USDT over a window given in epoch **seconds**, alone among the endpoints. */
export const tradingStats = endpoint({
  method: "GET",
  path: "/api/v1/trading/user/tradingStats",
  section: "1 §4.1; records §1.4, §4.5",
  limit: { requests: 4, perMs: 1_000 },
  permission: "read",
  normalize: inOrder(renamed({ endTime: "end" }), listSpellings),
  request: z.strictObject({
    begin: epochSec,
    end: epochSec,
    exchange: exchange.optional(),
    businessType: businessType.optional(),
  }),
  reply: z.looseObject({
    /** Echoed. */
    begin: timeMaybe,
    end: timeMaybe,
    /** Executed spot amount, USDT. */
    allSpot: moneyMaybe,
    /** Executed perpetual amount, USDT. */
    allPerp: moneyMaybe,
    details: z.array(z.looseObject({ exchange: textMaybe, businessType: textMaybe, executedAmount: money })).nullish(),
  }),
});
