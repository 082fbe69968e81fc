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
      .describe("Output cap of the triage question, tokens."),
    triageNews: z
      .number()
      .int()
      .min(0)
      .max(50)
      .default(12)
      .describe("Headlines that the triage is shown; their texts are not."),
    triageSymbols: z
      .number()
      .int()
      .min(1)
      .max(50)
      .default(16)
      .describe("Symbols that the triage is shown, the ones that moved most; held ones always."),
    alarmVolatilities: z
      .number()
      .min(0.5)
      .max(20)
      .default(3)
      .describe(
        "A held symbol that moved so many standard deviations in five minutes or an hour goes to the strong model at once, without triage.",
      ),
    focus: z
      .boolean()
      .default(true)
      .describe("The strong model is shown the symbols that the triage named, and the held ones; false shows all."),
  })
  .refine(stopsInOrder.holds, stopsInOrder.problem)
  .refine(barsInOrder.holds, barsInOrder.problem);

export type Settings = z.infer<typeof Settings>;
