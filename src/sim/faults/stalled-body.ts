/** An answer that begins and never ends. Faults R8. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { restMatch, strikes } from "./rest-match.ts";

/** The request has taken effect. The client's own deadline has to end the wait. */
export const stalledBody = fault({
  name: "stalled-body",
  group: "rest",
  description: "Head and half of the body arrive, and then nothing more.",
  params: z.object({ ...restMatch }).strict(),
  start: (_world, params, entropy) => ({
    hooks: { rest: (call) => (strikes(params, call, entropy) ? { stall: true } : null) },
  }),
});
