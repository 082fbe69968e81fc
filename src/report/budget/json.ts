/** The budget day as plain data: money as decimal text, so that nothing is lost on the way to a file or a script. */
import { type Decimal, toWire } from "../../core/decimal.ts";
import { isoTime } from "../../core/time.ts";
import type { BudgetFacts, TallyFacts } from "./text.ts";
import type { QuestionTally } from "../models/questions.ts";
import type { BudgetDay } from "./day.ts";

const usd = (amount: Decimal): string => toWire(amount.toDecimalPlaces(8));

/** USD to eight places; means to whole tokens. */
export function budgetJson(day: BudgetDay): BudgetFacts {
  const { total } = day;
  const answered = total.calls + total.cached;
  return {
    from: isoTime(day.fromMs),
    to: isoTime(day.toMs),
    limitUsd: usd(day.limitUsd),
    spentUsd: usd(day.spentUsd),
    reservedUsd: usd(day.reservedUsd),
    leftUsd: usd(day.leftUsd),
    last24hUsd: usd(day.last24hUsd),
    adoptedUsd: usd(day.adoptedUsd),
    unknown: { calls: day.unknown.calls, usd: usd(day.unknown.usd) },
    estimated: { calls: day.estimated.calls, usd: usd(day.estimated.usd) },
    correctedUsd: usd(day.correctedUsd),
    forecastUsd: day.forecastUsd && usd(day.forecastUsd),
    floorUsd: day.floorUsd && usd(day.floorUsd),
    outcomes: day.outcomes,
    byUse: day.byUse.map((use) => ({
      ...use,
      costUsd: usd(use.costUsd),
      worthPercent: use.worthPercent === null ? null : Number(use.worthPercent.toFixed(4)),
    })),
    perDecision: {
      decisions: total.decisions,
      promptTokens: per(total.promptTokens, total.decisions),
      completionTokens: per(total.completionTokens, total.decisions),
      usd: total.decisions === 0 ? "0" : usd(total.costUsd.div(total.decisions)),
      perDay: total.costUsd.gt(0) ? day.limitUsd.mul(total.decisions).div(total.costUsd).floor().toNumber() : null,
    },
    cache: {
      hits: total.cached,
      share: answered === 0 ? 0 : total.cached / answered,
      savedUsd: usd(total.savedUsd),
      prefixTokens: total.cachedTokens,
      prefixShare: total.promptTokens === 0 ? 0 : total.cachedTokens / total.promptTokens,
      prefixSavedUsd: usd(day.prefixSavedUsd),
    },
    total: tallyFacts(total),
    byStrategy: day.byStrategy.map(tallyFacts),
    byModel: day.byModel.map(tallyFacts),
    byDecision: day.byDecision.map(tallyFacts),
    buys: day.buys.map((buys) => ({
      ...buys,
      prices: buys.prices.map(usd),
      usdPerCall: usd(buys.usdPerCall),
      usdPerCallUncached: usd(buys.usdPerCallUncached),
    })),
  };
}

const per = (sum: number, count: number): number => (count === 0 ? 0 : Math.round(sum / count));

const tallyFacts = (tally: QuestionTally): TallyFacts => ({
  ...tally,
  costUsd: usd(tally.costUsd),
  savedUsd: usd(tally.savedUsd),
});
