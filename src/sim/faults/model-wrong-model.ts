/** A fallback model answers in the place of the one that was asked. Faults L8. */
import { z } from "zod";
import { isRecord } from "../servers/http-io.ts";
import { fault } from "./fault.ts";

/** Body and header name the other model; the price stays that of the one asked for. */
export const modelWrongModel = fault({
  name: "model-wrong-model",
  group: "model",
  description: "Completions say that another model wrote them.",
  params: z.object({ name: z.string().default("fallback-model-mini") }).strict(),
  start: (_world, { name }) => ({
    hooks: {
      modelReply: (reply) =>
        isRecord(reply.body) && reply.status === 200
          ? { ...reply, headers: { ...reply.headers, "x-proxy-model-id": name }, body: { ...reply.body, model: name } }
          : reply,
    },
  }),
});
