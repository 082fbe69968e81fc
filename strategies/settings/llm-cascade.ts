/** What can be set of the llm-cascade strategy, with units and bounds. */
import { z } from "zod";
import { barsInOrder, stopsInOrder, TRADER_FIELDS } from "../../src/strategy/trader-settings.ts";

/** What all traders by model share, with what triage and alarm add. */
export const Settings = z
  .strictObject({
    ...TRADER_FIELDS,
    triageOutputTokens: z
      .number()
      .int()
      .min(100)
      .max(2_000)
      .default(400)
      .describe("Most output tokens of the triage answer."),
    triageNews: z
      .number()
      .int()
      .min(0)
      .max(50)
      .default(12)
      .describe("Number of headlines in the triage prompt, without their texts."),
    triageSymbols: z
      .number()
      .int()
      .min(1)
      .max(50)
      .default(16)
      .describe("Number of symbols in the triage prompt: those that moved most. Held symbols are always included."),
    alarmVolatilities: z
      .number()
      .min(0.5)
      .max(20)
      .default(3)
      .describe(
        "Asks the strong model at once, without triage, when a held symbol moves this many standard deviations in five minutes or an hour.",
      ),
    focus: z
      .boolean()
      .default(true)
      .describe(
        "Shows the strong model only the symbols that the triage named and those held; false shows it all symbols.",
      ),
  })
  .refine(stopsInOrder.holds, stopsInOrder.problem)
  .refine(barsInOrder.holds, barsInOrder.problem);

export type Settings = z.infer<typeof Settings>;
