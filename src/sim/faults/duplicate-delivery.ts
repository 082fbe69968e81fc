/** One signed request delivered twice, as a retrying proxy does. Faults R3. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { writeMatch, strikes } from "./rest-match.ts";

/** Writes, unless `methods` says otherwise. Both deliveries stand in the wire log, with the same hash. */
export const duplicateDelivery = fault({
  name: "duplicate-delivery",
  group: "rest",
  description: "The venue sees the same signed request twice; the client gets the first answer.",
  params: z.object({ ...writeMatch }).strict(),
  start: (_world, params, entropy) => ({
    hooks: { rest: (call) => (strikes(params, call, entropy) ? { deliverTwice: true } : null) },
  }),
});
