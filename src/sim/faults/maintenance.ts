/** The venue is closed for work, with positions open. Faults V10. */
import { z } from "zod";
import { jsonReply } from "../servers/http-io.ts";
import { fault } from "./fault.ts";
import { restMatch, strikes } from "./rest-match.ts";

/** Writes never reach the venue. `cutStreams` cuts market and user sockets and refuses subscriptions as well. */
export const maintenance = fault({
  name: "maintenance",
  group: "venue",
  description: "Every call is answered HTTP 503 with code 50001; the streams are cut when it begins.",
  params: z.object({ cutStreams: z.boolean().default(true), ...restMatch }).strict(),
  start: (world, params, entropy) => {
    const answerInstead = jsonReply(503, { code: 50001, message: "service temporarily unavailable", data: {} });
    if (params.cutStreams) {
      world.cutMarketSockets(() => true);
      world.cutUserSockets();
    }
    const refuseSubscription = () => ({ code: 11250, msg: "under maintenance" });
    return {
      hooks: {
        rest: (call) => (strikes(params, call, entropy) ? { answerInstead } : null),
        refuseUserLogin: () => "service temporarily unavailable",
        ...(params.cutStreams ? { refuseSubscription } : {}),
      },
    };
  },
});
