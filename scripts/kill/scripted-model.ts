/** The script of `scripted.ts` driven by a model: the model is really asked, and its answer ignored. */
import llmTrader from "../../strategies/llm-trader.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { Script, targetsOf } from "./scripted.ts";

const asking = llmTrader.settings.parse({});
let answers = 0;

export default defineStrategy<ReturnType<typeof Script.parse>>({
  name: "scripted-model",
  description: "Plays a script once the model has answered.",
  settings: Script,
  needsModel: true,
  decide: (snapshot) => llmTrader.decide(snapshot, asking),
  interpret: (_replies, _snapshot, script) => {
    answers += 1;
    return { kind: "targets", targets: targetsOf(script, answers), note: `step ${answers}` };
  },
});
