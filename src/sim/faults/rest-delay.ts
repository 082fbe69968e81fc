/** Answers that come later than the client waits for. Faults R4. */
import { z } from "zod";
import { fault, spanMs } from "./fault.ts";
import { restMatch, strikes } from "./rest-match.ts";

/** `beforeMs` lets the request grow old before the venue sees it; `afterMs` holds the answer back once it has acted. */
export const restDelay = fault({
  name: "rest-delay",
  group: "rest",
  description: "Requests wait before the venue sees them, or answers wait after it has acted.",
  params: z.object({ beforeMs: spanMs(0), afterMs: spanMs(5_000), ...restMatch }).strict(),
  start: (_world, params, entropy) => ({
    hooks: {
      rest: (call) =>
        strikes(params, call, entropy) ? { delayBeforeMs: params.beforeMs, delayAfterMs: params.afterMs } : null,
    },
  }),
});
