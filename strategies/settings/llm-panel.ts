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
      .describe("The analysts to ask: market, news, risk. Each costs one model call per decision."),
    analystModel: z
      .enum(["cheap", "strong"])
      .default("cheap")
      .describe("The configured model that the analysts use. The strong model always makes the decision."),
    analystOutputTokens: z
      .number()
      .int()
      .min(200)
      .max(4_000)
      .default(900)
      .describe("Most output tokens of each analyst's answer."),
  })
  .refine(stopsInOrder.holds, stopsInOrder.problem)
  .refine(barsInOrder.holds, barsInOrder.problem)
  .refine((settings) => new Set(settings.analysts).size === settings.analysts.length, {
    path: ["analysts"],
    message: "must name each analyst once",
  });

export type Settings = z.infer<typeof Settings>;
