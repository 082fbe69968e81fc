/**
 * Asks one strong model for target positions, once or in several samples that vote, and converts its stances to
 * targets. The model has opinions; code decides sizes, stops and order.
 */
import { nothingToAsk } from "../src/strategy/deciding.ts";
import { withSecondOpinions } from "../src/strategy/second-opinion.ts";
import { defineStrategy, type StrategyAnswer } from "../src/strategy/strategy.ts";
import { deciding } from "../src/strategy/trader-question.ts";
import { Settings } from "./settings/llm-trader.ts";

const NAME = "llm-trader";

export default defineStrategy<Settings>({
  name: NAME,
  description:
    "Shows a language model the market, the news and the account, and turns its stances into bounded targets; several samples vote.",
  settings: Settings,
  needsModel: true,
  decide: (snapshot, settings): StrategyAnswer => {
    const settled = nothingToAsk(snapshot);
    if (settled) return settled;
    const questions = deciding(snapshot, settings);
    return questions ? { kind: "ask", questions } : { kind: "abstain", note: "no symbol has a fresh quote and mark" };
  },
  interpret: (given, snapshot, settings) => withSecondOpinions(given, { strategy: NAME, snapshot, settings }),
});
