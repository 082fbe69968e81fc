/** Answers that are no decision. Faults L9, L10. */
import { z } from "zod";
import { modelSwitch } from "./model-switch.ts";
import { fault } from "./fault.ts";

/** The call is charged as ever. Where a tool was called, its arguments are spoilt. */
export const modelGarbage = fault({
  name: "model-garbage",
  group: "model",
  description: "The model answers with prose, noise, a cut text, nothing, or a wrong shape.",
  params: z
    .object({ reply: z.enum(["prose", "garbage", "cut", "empty", "wrong-shape", "fenced"]).default("prose") })
    .strict(),
  start: (world, { reply }) => modelSwitch(world, { reply }),
});
