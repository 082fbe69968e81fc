/** The gateway's own figure lags behind the truth. Faults L12. */
import { z } from "zod";
import { modelSwitch } from "./model-switch.ts";
import { fault, spanMs } from "./fault.ts";

/** The key report alone lags, by `lagMs`; cost headers of completions stay true. */
export const modelSpendLag = fault({
  name: "model-spend-lag",
  group: "model",
  description: "The key report shows the spend of a while ago.",
  params: z.object({ lagMs: spanMs(600_000) }).strict(),
  start: (world, { lagMs }) => modelSwitch(world, { staleSpendMs: lagMs }),
});
