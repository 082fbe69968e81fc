/** Answers that come when their question is stale. Faults L11. */
import { z } from "zod";
import { modelSwitch } from "./model-switch.ts";
import { fault, spanMs } from "./fault.ts";

/** `extraMs` is added to the usual latency, on the service's clock. */
export const modelSlow = fault({
  name: "model-slow",
  group: "model",
  description: "Answers take longer by a span.",
  params: z.object({ extraMs: spanMs(30_000) }).strict(),
  start: (world, { extraMs }) => modelSwitch(world, { extraLatencyMs: extraMs }),
});
