import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { idMaybe, moneyMaybe, textMaybe, timeMaybe, wholeMaybe } from "../reply-fields.ts";

/** Own place in track A, refreshed daily at 00:00 UTC. Success is code 200. Errors 30015, 30016. */
export const trackARanking = endpoint({
  method: "GET",
  path: "/api/v1/tracka/ranking/self",
  section: "1 §4.6; records §8.1",
  limit: { requests: 10, perMs: 60_000 },
  permission: "read",
  successCode: 200,
  normalize: upperCased("phase"),
  request: z.strictObject({
    /** Any other word is answered 30015, which is the service's to say. */
    phase: z.string("PHASE_I or PHASE_II").regex(/^\w{1,40}$/, "PHASE_I or PHASE_II"),
  }),
  reply: z.looseObject({
    /** A JSON number here. */
    portfolioId: idMaybe,
    rankNo: wholeMaybe,
    teamName: textMaybe,
    compositeScore: moneyMaybe,
    sharpeRatio: moneyMaybe,
    /** Percentile scores; the live wire spells them in lower case. */
    sSharpe: moneyMaybe,
    ssharpe: moneyMaybe,
    pnlUsdt: moneyMaybe,
    sPnl: moneyMaybe,
    spnl: moneyMaybe,
    roi: moneyMaybe,
    sRoi: moneyMaybe,
    sroi: moneyMaybe,
    /** Largest drawdown, fraction. */
    mdd: moneyMaybe,
    mddTierScore: moneyMaybe,
    turnoverRate: moneyMaybe,
    totalTrades: wholeMaybe,
    quoteVolume: moneyMaybe,
    equity: moneyMaybe,
    nav: moneyMaybe,
    calcTime: timeMaybe,
    phase: textMaybe,
    /** yyyy-MM-dd. */
    dt: textMaybe,
    /** ACTIVE, PENDING or DISQUALIFIED. */
    status: textMaybe,
    isEliminated: z.boolean().nullish(),
    aiCost: z
      .looseObject({ dt: textMaybe, cumulativeAiCostUsdt: moneyMaybe, source: textMaybe, sourceUpdatedAt: timeMaybe })
      .nullish(),
    aiTokens: z
      .looseObject({
        usageDate: textMaybe,
        promptTokens: wholeMaybe,
        completionTokens: wholeMaybe,
        totalTokens: wholeMaybe,
        source: textMaybe,
        sourceUpdatedAt: timeMaybe,
      })
      .nullish(),
  }),
});
