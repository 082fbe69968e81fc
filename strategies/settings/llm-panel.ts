/** What can be set of the llm-panel strategy, with units and bounds. */
import { z } from "zod";
import { barsInOrder, stopsInOrder, TRADER_FIELDS } from "../../src/strategy/trader-settings.ts";

/** Each has a prompt of its own, `prompts/llm-panel-NAME.md`. */
export const ANALYSTS = ["market", "news", "risk"] as const;

/** What all traders by model share, with who is heard before the decision. */
export const Settings = z
  .strictObject({
    ...TRADER_FIELDS,
    analysts: z
      .array(z.enum(ANALYSTS))
      .min(1)
      .max(ANALYSTS.length)
      .default([...ANALYSTS])
      .describe("Which analysts are heard: market, news, risk. Each is one call a decision."),
    analystModel: z
      .enum(["cheap", "strong"])
      .default("cheap")
      .describe("Which of the configured models the analysts use; the decision is always the strong one's."),
    analystOutputTokens: z
      .number()
      .int()
      .min(200)
      .max(4_000)
      .default(900)
      .describe("Output cap of each analyst's question, tokens."),
  })
  .refine(stopsInOrder.holds, stopsInOrder.problem)
  .refine(barsInOrder.holds, barsInOrder.problem)
  .refine((settings) => new Set(settings.analysts).size === settings.analysts.length, {
    path: ["analysts"],
    message: "must name each analyst once",
  });

export type Settings = z.infer<typeof Settings>;
