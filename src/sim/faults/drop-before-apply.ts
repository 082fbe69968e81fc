/** A request that is lost on its way: nothing happened, and the client cannot know it. Faults R1. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { writeMatch, strikes } from "./rest-match.ts";

/** Writes, unless `methods` says otherwise. To the client it looks the same as `drop-after-apply`. */
export const dropBeforeApply = fault({
  name: "drop-before-apply",
  group: "rest",
  description: "The connection is cut and the request never reaches the venue.",
  params: z.object({ ...writeMatch }).strict(),
  start: (_world, params, entropy) => ({
    hooks: { rest: (call) => (strikes(params, call, entropy) ? { dropBeforeApply: true } : null) },
  }),
});
