/** Nothing in the answer says what it cost. Faults L4. */
import { z } from "zod";
import { isRecord } from "../servers/http-io.ts";
import { modelSwitch } from "./model-switch.ts";
import { fault } from "./fault.ts";

/** The call is charged: the client has to estimate, and may ask the key report. */
export const modelMissingUsage = fault({
  name: "model-missing-usage",
  group: "model",
  description: "Completions carry neither usage nor cost headers.",
  params: z.object({}).strict(),
  start: (world) => {
    const hidden = modelSwitch(world, { hideCost: true });
    return {
      ...hidden,
      hooks: {
        modelReply: (reply) => {
          if (!isRecord(reply.body)) return reply;
          const body = Object.fromEntries(Object.entries(reply.body).filter(([name]) => name !== "usage"));
          return { ...reply, body };
        },
      },
    };
  },
});
