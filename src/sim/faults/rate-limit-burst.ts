/** A ban by a limiter in front of the service. Faults R6. */
import { z } from "zod";
import { jsonReply } from "../servers/http-io.ts";
import { fault } from "./fault.ts";
import { restMatch, strikes } from "./rest-match.ts";

/** The call never reaches the venue. `retryAfterSec` is told in the header. */
export const rateLimitBurst = fault({
  name: "rate-limit-burst",
  group: "rest",
  description: "Every matching call is answered HTTP 429, whatever the caller did.",
  params: z.object({ retryAfterSec: z.number().int().min(0).max(86_400).default(10), ...restMatch }).strict(),
  start: (_world, params, entropy) => {
    const headers = { "retry-after": String(params.retryAfterSec) };
    const answerInstead = jsonReply(429, { code: 429, message: "too many requests", data: null }, headers);
    return { hooks: { rest: (call) => (strikes(params, call, entropy) ? { answerInstead } : null) } };
  },
});
