import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { moneyMaybe, textMaybe, timeMaybe, wholeMaybe } from "../reply-fields.ts";

/** Own place in track B. Success is code 200. Errors 2000, 100018, 1100004, 1100005. */
export const trackBRanking = endpoint({
  method: "GET",
  path: "/api/v1/trackb/ranking/self",
  section: "1 §4.6; records §8.2",
  // [guess]
  limit: { requests: 10, perMs: 60_000 },
  permission: "read",
  successCode: 200,
  request: z.strictObject({ participantId: z.string("a participant id").min(1, "a participant id").max(64) }),
  reply: z.looseObject({
    fundName: textMaybe,
    rankNo: wholeMaybe,
    teamName: textMaybe,
    compositeScore: moneyMaybe,
    sharpeRatio: moneyMaybe,
    sSharpe: moneyMaybe,
    roi: moneyMaybe,
    sRoi: moneyMaybe,
    mdd: moneyMaybe,
    mddTierScore: moneyMaybe,
    avgNetAssets: moneyMaybe,
    scalingScore: moneyMaybe,
    accumNav: moneyMaybe,
    netAssets: moneyMaybe,
    calcTime: timeMaybe,
    phase: textMaybe,
    dt: textMaybe,
    status: textMaybe,
    isEliminated: z.boolean().nullish(),
  }),
});
