/**
 * Asks one strong model for target positions, once or in several samples that vote, and converts its stances to
 * targets. The model has opinions; code decides sizes, stops and order. While the day's spend plan has money, further
 * answers are bought where they can change the decision.
 */
import { nothingToAsk } from "../src/strategy/deciding.ts";
import { firstQuestions, withFurtherAnswers } from "../src/strategy/further-answers.ts";
import { defineStrategy, type StrategyAnswer } from "../src/strategy/strategy.ts";
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
    return firstQuestions(snapshot, settings) ?? { kind: "abstain", note: "no symbol has a fresh quote and mark" };
  },
  interpret: (given, snapshot, settings) => withFurtherAnswers(given, { strategy: NAME, snapshot, settings }),
});
