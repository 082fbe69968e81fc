/** A server error that tells nothing about what happened. Faults R5. */
import { z } from "zod";
import { jsonReply } from "../servers/http-io.ts";
import { fault } from "./fault.ts";
import type { RestPlan } from "./hooks.ts";
import { restMatch, strikes } from "./rest-match.ts";

/** `applied` says whether the venue has acted; the client cannot tell from the answer. */
export const serverError = fault({
  name: "server-error",
  group: "rest",
  description: "An HTTP 5xx answer, with or without the request having taken effect.",
  params: z
    .object({
      status: z.number().int().min(500).max(599).default(502),
      applied: z.boolean().default(false).describe("whether the venue acted before the error"),
      ...restMatch,
    })
    .strict(),
  start: (_world, params, entropy) => {
    const reply = jsonReply(params.status, { code: 40000, message: "internal system error", data: {} });
    const plan: RestPlan = params.applied ? { change: () => reply } : { answerInstead: reply };
    return { hooks: { rest: (call) => (strikes(params, call, entropy) ? plan : null) } };
  },
});
