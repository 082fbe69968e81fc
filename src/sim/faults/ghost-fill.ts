/** The venue executes an order, answers nothing in time, and denies for a while that it knows it. Faults R2, R9, V11. */
import { z } from "zod";
import { BoundedMap } from "../../core/bounded.ts";
import { errorEnvelope } from "../../protocol/envelope.ts";
import { jsonReply } from "../servers/http-io.ts";
import { fault, share, spanMs } from "./fault.ts";
import type { RestCall, RestPlan } from "./hooks.ts";

const ORDER = "/api/v1/trading/order";

/** Only `GET /api/v1/trading/order` by client order id denies it, for `deniedMs`; lists and pushes show the order. */
export const ghostFill = fault({
  name: "ghost-fill",
  group: "venue",
  description: "Placed orders take effect, their answers are lost, and the order query answers 401018 for a while.",
  params: z.object({ answerLostAfterMs: spanMs(0), deniedMs: spanMs(10_000), share }).strict(),
  start: (world, params, entropy) => {
    const { clock } = world.env;
    const deniedUntil = new BoundedMap<string, number>(10_000);
    const notFound = jsonReply(200, errorEnvelope(401018, "Order not found"));
    const place = (call: RestCall): RestPlan | null => {
      if (!entropy.chance("fault:order", params.share)) return null;
      const id = call.params.clientOrderId;
      if (typeof id === "string") deniedUntil.set(id, clock.monotonicMs() + params.deniedMs);
      return { dropAfterApply: true, delayAfterMs: params.answerLostAfterMs };
    };
    const query = (call: RestCall): RestPlan | null => {
      const until = deniedUntil.get(String(call.params.clientOrderId));
      return until !== undefined && clock.monotonicMs() < until ? { answerInstead: notFound } : null;
    };
    return {
      hooks: {
        rest: (call) => {
          if (call.path !== ORDER) return null;
          return call.method === "POST" ? place(call) : call.method === "GET" ? query(call) : null;
        },
      },
    };
  },
});
