/** A lost answer: it happened, and the client cannot know it. Faults R2. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { writeMatch, strikes } from "./rest-match.ts";

/** Writes, unless `methods` says otherwise. The client must look the order up instead of sending it again. */
export const dropAfterApply = fault({
  name: "drop-after-apply",
  group: "rest",
  description: "The venue has acted, and the connection is cut before the answer.",
  params: z.object({ ...writeMatch }).strict(),
  start: (_world, params, entropy) => ({
    hooks: { rest: (call) => (strikes(params, call, entropy) ? { dropAfterApply: true } : null) },
  }),
});
