/** What can be set of the llm-trader strategy, with units and bounds. */
import { z } from "zod";
import { barsInOrder, NEWER_PROMPT, stopsInOrder, TRADER_FIELDS } from "../../src/strategy/trader-settings.ts";

/** No more than what all traders by model share. */
export const Settings = z
  .strictObject({ ...TRADER_FIELDS, prompt: NEWER_PROMPT })
  .refine(stopsInOrder.holds, stopsInOrder.problem)
  .refine(barsInOrder.holds, barsInOrder.problem);

export type Settings = z.infer<typeof Settings>;
