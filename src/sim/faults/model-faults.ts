/** Faults of the model gateway: refusals, answers lost after billing, unusable answers. Faults L1 to L12. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { Behaviour } from "../model/behaviour.ts";
import { type AnyFault, fault, share, spanMs } from "./fault.ts";

interface Switch<Own extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly params: Own;
  change(params: z.output<z.ZodObject<Own>>): Partial<Behaviour>;
}

/** A switch of the gateway that is on while the fault lasts. For each switch the newest fault takes precedence. */
const gatewaySwitch = <Own extends z.ZodRawShape>({ name, description, params, change }: Switch<Own>): AnyFault =>
  fault({
    name,
    group: "model",
    description,
    params,
    start: (world, given) => ({ hooks: {}, stop: world.model.override(change(given)) }),
  });

export const MODEL_FAULTS: readonly AnyFault[] = [
  // The charge log records the call, whether the connection is cut (`lost`) or half the body arrives (`stalled`).
  fault({
    name: "model-lost",
    group: "model",
    description: "The model's answer is charged, but it is lost or stalls.",
    params: { how: z.enum(["lost", "stalled"]).default("lost"), share },
    start: (_world, params, entropy) => ({
      hooks: { modelReply: (reply) => (entropy.chance("fault:model", params.share) ? params.how : reply) },
    }),
  }),
  // Charged as usual. The arguments of a tool call are damaged.
  gatewaySwitch({
    name: "model-garbage",
    description: "The model answers with prose, noise, a cut text, nothing, or a wrong shape.",
    params: { reply: z.enum(["prose", "garbage", "cut", "empty", "wrong-shape", "fenced"]).default("prose") },
    change: ({ reply }) => ({ reply }),
  }),
  // 429 `budget_exceeded`, uncharged.
  gatewaySwitch({
    name: "model-over-budget",
    description: "Every completion is refused as over budget.",
    params: {},
    change: () => ({ overBudget: true }),
  }),
  gatewaySwitch({
    name: "model-529",
    description: "Completions fail with a status of overload, uncharged.",
    params: { status: z.number().int().min(400).max(599).default(529) },
    change: ({ status }) => ({ failStatus: status }),
  }),
  // The call is charged; the client must estimate its cost or read the key report.
  fault({
    name: "model-missing-usage",
    group: "model",
    description: "Completions carry neither usage nor cost headers.",
    params: {},
    start: (world) => ({
      stop: world.model.override({ hideCost: true }),
      hooks: {
        modelReply: (reply) => {
          if (!isRecord(reply.body)) return reply;
          const body = Object.fromEntries(Object.entries(reply.body).filter(([name]) => name !== "usage"));
          return { ...reply, body };
        },
      },
    }),
  }),
  // Body and header name the other model; the price is that of the requested one.
  fault({
    name: "model-wrong-model",
    group: "model",
    description: "Completions name another model.",
    params: { name: z.string().default("fallback-model-mini") },
    start: (_world, { name }) => ({
      hooks: {
        modelReply: (reply) =>
          isRecord(reply.body) && reply.status === 200
            ? {
                ...reply,
                headers: { ...reply.headers, "x-proxy-model-id": name },
                body: { ...reply.body, model: name },
              }
            : reply,
      },
    }),
  }),
  gatewaySwitch({
    name: "model-slow",
    description: "Answers take longer.",
    params: { extraMs: spanMs(30_000) },
    change: ({ extraMs }) => ({ extraLatencyMs: extraMs }),
  }),
  // Completions and the key report answer 401 `expired_key`.
  gatewaySwitch({
    name: "model-key-expired",
    description: "Every key of the gateway counts as expired.",
    params: {},
    change: () => ({ expireKey: true }),
  }),
  // Only the key report lags; the cost headers of completions stay true.
  gatewaySwitch({
    name: "model-spend-lag",
    description: "The key report shows an old spend.",
    params: { lagMs: spanMs(600_000) },
    change: ({ lagMs }) => ({ staleSpendMs: lagMs }),
  }),
  // 429 `rate_limit_error` with a retry-after of 20 seconds, uncharged.
  gatewaySwitch({
    name: "model-rate-limit",
    description: "Every completion is answered 429 with a request to wait.",
    params: {},
    change: () => ({ rateLimit: true }),
  }),
];
