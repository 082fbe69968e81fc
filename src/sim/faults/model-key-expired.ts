/** The key dies in the middle of the day. */
import { z } from "zod";
import { modelSwitch } from "./model-switch.ts";
import { fault } from "./fault.ts";

/** Completions and the key report answer 401 `expired_key`; keys live again at its end. */
export const modelKeyExpired = fault({
  name: "model-key-expired",
  group: "model",
  description: "Every key of the gateway counts as expired.",
  params: z.object({}).strict(),
  start: (world) => modelSwitch(world, { expireKey: true }),
});
