/** A body that was cut on its way but ends as if it were whole. Faults R7. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { restMatch, strikes } from "./rest-match.ts";

/** The first six tenths of the body, under a length that fits them: only parsing shows it. Reads and writes alike. */
export const cutJson = fault({
  name: "cut-json",
  group: "rest",
  description: "The request takes effect, and the answer breaks off in the middle.",
  params: z.object({ ...restMatch }).strict(),
  start: (_world, params, entropy) => ({
    hooks: {
      rest: (call) =>
        strikes(params, call, entropy)
          ? { change: (reply) => ({ ...reply, body: reply.body.slice(0, Math.floor(reply.body.length * 0.6)) }) }
          : null,
    },
  }),
});
