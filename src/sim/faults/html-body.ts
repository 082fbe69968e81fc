/** A proxy answers in the place of the service. Faults R7. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { restMatch, strikes } from "./rest-match.ts";

/** `status` may be any from 200 to 599: with 200 only body and content type tell that something is wrong. */
export const htmlBody = fault({
  name: "html-body",
  group: "rest",
  description: "The request takes effect, and the answer is a page of HTML with status 200.",
  params: z.object({ status: z.number().int().min(200).max(599).default(200), ...restMatch }).strict(),
  start: (_world, params, entropy) => {
    const page =
      "<!doctype html><html><head><title>Just a moment</title></head><body>Checking your browser</body></html>";
    const change = () => ({ status: params.status, headers: { "content-type": "text/html" }, body: page });
    return { hooks: { rest: (call) => (strikes(params, call, entropy) ? { change } : null) } };
  },
});
