/** Questions rendered as the gateway renders them, answered by the practice model or by hand. */
import { join } from "node:path";
import type { Snapshot, SymbolView } from "../../src/context/snapshot.ts";
import { loadPrompts } from "../../src/llm/prompts/prompts.ts";
import { strictJsonSchema } from "../../src/llm/replies/schema.ts";
import { answer as practiceAnswer } from "../../src/sim/model/answer.ts";
import type { ModelQuestion, Reply } from "../../src/strategy/strategy.ts";
import { accountOf, BTC, ETH, heldOf, snapshotOf, viewOf } from "../strategy/snapshots.ts";
import { said } from "./asking.ts";

export const rising: Partial<SymbolView> = { returns: { "5m": 0.004, "1h": 0.015, "4h": 0.03, "24h": 0.05 } };
export const market = (btc: Partial<SymbolView>, change: Partial<Snapshot> = {}): Snapshot =>
  snapshotOf({ symbols: [viewOf(BTC, btc), viewOf(ETH)], ...change });
export const holding = (positionSide: "LONG" | "SHORT", minutes: number): Partial<Snapshot> => ({
  account: accountOf([heldOf(BTC, positionSide, minutes)]),
});

export const stance = (change: object = {}) => ({
  symbol: BTC,
  stance: "LONG",
  conviction: 0.5,
  horizon: "hours",
  stopVolatilities: 2,
  targetVolatilities: 6,
  urgency: "take",
  invalidation: "",
  reason: "Why.",
  evidence: ["ret1h"],
  ...change,
});
export const reply = (...stances: readonly object[]) => said({ echo: "e", summary: "S.", stances });
export const rendered = (question: ModelQuestion): { system: string; user: string } => {
  const prompts = loadPrompts(join(import.meta.dirname, "../../prompts"));
  if (!prompts.ok) throw new Error(prompts.error);
  const text = prompts.value.render(question.prompt, question.variables, { fence: "fence-1", echo: "echo-1" });
  if (!text.ok) throw new Error(text.error);
  return text.value;
};
/** What the practice model says to a question, checked against the question's own schema. */
export const practised = (question: ModelQuestion): Reply => {
  const { system, user } = rendered(question);
  const schema = strictJsonSchema(question.replySchema);
  if (!schema.ok) throw new Error(schema.error);
  const made = practiceAnswer(
    {
      model: "ballast-sim-1",
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
      response_format: { type: "json_schema", json_schema: { name: "x", schema: schema.value } },
    },
    false,
  );
  return said(question.replySchema.parse(JSON.parse(made.text ?? "")));
};
