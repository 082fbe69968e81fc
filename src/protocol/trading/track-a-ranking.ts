import { z } from "zod";
import type { Phase } from "../../domain/competition.ts";
import type { Ranking } from "../../domain/live-score.ts";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import {
  idMaybe,
  type MoneyField,
  moneyMaybe,
  moneyOrNull,
  textMaybe,
  timeMaybe,
  timeOrNull,
  wholeMaybe,
} from "../reply-fields.ts";

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
    /** Any other value is answered with 30015 by the service. */
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

export const phaseWord = (phase: Phase): string => (phase === 1 ? "PHASE_I" : "PHASE_II");

const figure = (...given: readonly (MoneyField | undefined)[]): number | null => {
  const [first] = given.flatMap((value) => moneyOrNull(value)?.toNumber() ?? []);
  return first ?? null;
};

/** Either spelling of the percentile scores is read. */
export function readRanking(reply: z.output<typeof trackARanking.reply>): Ranking {
  const rank = timeOrNull(reply.rankNo);
  return {
    computedAtMs: timeOrNull(reply.calcTime),
    day: reply.dt ?? null,
    rank,
    composite: figure(reply.compositeScore),
    sharpe: figure(reply.sharpeRatio),
    roi: figure(reply.roi),
    pnlUsdt: figure(reply.pnlUsdt),
    maxDrawdown: figure(reply.mdd),
    scores: {
      sharpe: figure(reply.sSharpe, reply.ssharpe),
      pnl: figure(reply.sPnl, reply.spnl),
      roi: figure(reply.sRoi, reply.sroi),
      drawdown: figure(reply.mddTierScore),
    },
    status: reply.status ?? null,
    eliminated: reply.isEliminated === true,
  };
}
