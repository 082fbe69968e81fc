/** The provider behind the gateway is overloaded or down. Faults L7. */
import { z } from "zod";
import { modelSwitch } from "./model-switch.ts";
import { fault } from "./fault.ts";

/** `status` is any from 400 to 599; the answer comes after the usual latency. */
export const model529 = fault({
  name: "model-529",
  group: "model",
  description: "Completions fail with a status of overload, uncharged.",
  params: z.object({ status: z.number().int().min(400).max(599).default(529) }).strict(),
  start: (world, { status }) => modelSwitch(world, { failStatus: status }),
});
