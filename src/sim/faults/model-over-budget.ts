/** The gateway says that the money is spent. Faults L2. */
import { z } from "zod";
import { modelSwitch } from "./model-switch.ts";
import { fault } from "./fault.ts";

/** 429 `budget_exceeded`, whatever was spent; uncharged. */
export const modelOverBudget = fault({
  name: "model-over-budget",
  group: "model",
  description: "Every completion is refused as over budget.",
  params: z.object({}).strict(),
  start: (world) => modelSwitch(world, { overBudget: true }),
});
