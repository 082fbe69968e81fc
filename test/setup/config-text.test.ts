/** Whatever a person answers, the file says just that. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { inspectConfig } from "../../src/config/read.ts";
import { configText } from "../../src/setup/config-text.ts";
import { interview } from "../../src/setup/interview.ts";
import { type Answers, questionsAbout } from "../../src/setup/questions.ts";

const QUESTIONS = questionsAbout([{ name: "llm-trader", description: "Asks a model." }]);

async function answersWith(given: Partial<Answers>): Promise<Answers> {
  const answered = await interview(QUESTIONS, given, null);
  if (!answered.ok) throw new Error(answered.error.message);
  return answered.value;
}

test("a consent stands in the file as it was written, whatever signs are in it", async () => {
  const answers = await answersWith({});
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (consent) => {
      const { parsed } = inspectConfig(configText({ ...answers, consent }, "my-trader"));
      expect(parsed?.session.consent).toBe(consent);
    }),
    { numRuns: 40 },
  );
});

test.each<[string, Partial<Answers>, RegExp]>([
  ["a venue that is none", { venue: "practise" }, /did you mean practice\?/],
  ["a host that is none", { venue: "service", apiHost: "my host" }, /is not a host .*write its address/],
  ["the practice venue as a host", { venue: "service", apiHost: "embedded" }, /is not a host/],
  ["a strategy that is none", { strategy: "llm-tradr" }, /did you mean llm-trader\?/],
  ["a cap that is no amount", { maxOrder: "400 USDT" }, /quoted plain decimal/],
  ["a cap of nothing", { maxOrder: "0" }, /: must be above "0": /],
  ["a total below one order", { maxOrder: "500", maxTotal: "400" }, /must not be above session\.maxTotalNotional/],
  ["a consent without the caps", { consent: "Trade for me." }, /does not name 400 and 20000/],
  ["a consent that is a refusal", { consent: "I do not allow 400 or 20000 USDT." }, /reads like a refusal/],
  ["prices that are none", { model: "gpt-x", prices: "cheap" }, /quoted plain decimal/],
])("%s is refused with the rule", async (_what, given, rule) => {
  const answered = await interview(QUESTIONS, given, null);
  expect(answered.ok ? "" : answered.error.message).toMatch(rule);
});

test("the example sentence of a shipped file is nobody's consent on the real service", async () => {
  const consent = "I let this agent trade automatically, up to 300 USDT an order and 30000 USDT in all.";
  const service = { venue: "service", apiHost: "https://api.example.com", model: "gpt-x", prices: "1,2,0.5" };
  const answered = await interview(QUESTIONS, { ...service, consent }, null);
  expect(answered.ok ? "" : answered.error.message).toMatch(/write it in your own words/);
});
