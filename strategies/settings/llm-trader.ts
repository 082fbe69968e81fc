/** What can be set of the llm-trader strategy, with units and bounds. */
import { z } from "zod";
import {
  barsInOrder,
  NEWER_PROMPT,
  PLAN_FIELDS,
  stopsInOrder,
  TRADER_FIELDS,
} from "../../src/strategy/trader-settings.ts";

/** What all traders by model share, and what is bought beyond the deciding question. */
export const Settings = z
  .strictObject({ ...TRADER_FIELDS, ...PLAN_FIELDS, prompt: NEWER_PROMPT })
  .refine(stopsInOrder.holds, stopsInOrder.problem)
  .refine(barsInOrder.holds, barsInOrder.problem);

export type Settings = z.infer<typeof Settings>;
