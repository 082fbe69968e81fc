/**
 * Faults of the REST interface: requests and replies that are lost, late, duplicated, damaged or refused. Faults R1 to
 * R10.
 */
import { z } from "zod";
import { jsonReply } from "../wire/http-io.ts";
import { type AnyFault, fault, spanMs } from "./fault.ts";
import type { RestPlan } from "./hooks.ts";
import { restMatch, strikes, writeMatch, reachOf } from "./match.ts";

const PAGE = "<!doctype html><html><head><title>Just a moment</title></head><body>Checking your browser</body></html>";

interface Struck<Own extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  /** Its own parameters, besides those that select calls. */
  readonly params?: Own;
  /** Affects only writes unless `methods` says otherwise. */
  readonly writes?: boolean;
  plan(params: z.output<z.ZodObject<Own>>): RestPlan;
}

/** A fault that treats every affected call in the same way. */
function struck<Own extends z.ZodRawShape>({ name, description, params, writes, plan }: Struck<Own>): AnyFault {
  const match = writes ? writeMatch : restMatch;
  return fault({
    name,
    group: "rest",
    description,
    params: { ...params, ...match },
    start: (_world, given, entropy) => {
      const read = given as unknown as z.output<z.ZodObject<Own>> & z.output<z.ZodObject<typeof restMatch>>;
      const chosen = plan(read);
      return {
        hooks: {
          rest: (call) => (strikes(read, call, entropy) ? chosen : null),
          restReach: (kind) => reachOf(read, chosen, kind),
        },
      };
    },
  });
}

export const REST_FAULTS: readonly AnyFault[] = [
  struck({
    name: "drop-before-apply",
    description: "The connection is cut and the request never reaches the venue.",
    writes: true,
    plan: () => ({ dropBeforeApply: true }),
  }),
  // The client must look the order up instead of sending it again.
  struck({
    name: "drop-after-apply",
    description: "The venue has acted, and the connection is cut before the answer.",
    writes: true,
    plan: () => ({ dropAfterApply: true }),
  }),
  // `beforeMs` delays the request before the venue gets it; `afterMs` delays the reply after the venue acted.
  struck({
    name: "rest-delay",
    description: "Requests wait before the venue sees them, or answers wait after it has acted.",
    params: { beforeMs: spanMs(0), afterMs: spanMs(5_000) },
    plan: ({ beforeMs, afterMs }) => ({ delayBeforeMs: beforeMs, delayAfterMs: afterMs }),
  }),
  // As a retrying proxy does. The wire log has both deliveries, with the same hash.
  struck({
    name: "duplicate-delivery",
    description: "The venue gets the same signed request twice; the client gets the first reply.",
    writes: true,
    params: { afterMs: spanMs(0) },
    plan: ({ afterMs }) => ({ deliverTwice: true, deliverAgainAfterMs: afterMs }),
  }),
  // The client cannot know from the reply whether the venue acted.
  struck({
    name: "server-error",
    description: "An HTTP 5xx answer, with or without the request having taken effect.",
    params: {
      status: z.number().int().min(500).max(599).default(502),
      applied: z.boolean().default(false).describe("whether the venue acted before the error"),
    },
    plan: ({ status, applied }) => {
      const reply = jsonReply(status, { code: 40000, message: "internal system error", data: {} });
      return applied ? { change: () => reply, spoils: true } : { answerInstead: reply };
    },
  }),
  // With status 200 only body and content type show that a proxy answered instead of the service.
  struck({
    name: "html-body",
    description: "The request takes effect, and the answer is a page of HTML with status 200.",
    params: { status: z.number().int().min(200).max(599).default(200) },
    plan: ({ status }) => ({
      change: () => ({ status, headers: { "content-type": "text/html" }, body: PAGE }),
      spoils: true,
    }),
  }),
  // Six tenths of the body with a length that matches: only parsing shows it.
  struck({
    name: "cut-json",
    description: "The request takes effect, and the answer breaks off in the middle.",
    plan: () => ({
      change: (reply) => ({ ...reply, body: reply.body.slice(0, Math.floor(reply.body.length * 0.6)) }),
      spoils: true,
    }),
  }),
  // A limiter in front of the service: the call never reaches the venue.
  struck({
    name: "rate-limit-burst",
    description: "Every matching call is answered with HTTP 429.",
    params: { retryAfterSec: z.number().int().min(0).max(86_400).default(10) },
    plan: ({ retryAfterSec }) => ({
      answerInstead: jsonReply(
        429,
        { code: 429, message: "too many requests", data: null },
        { "retry-after": String(retryAfterSec) },
      ),
    }),
  }),
  // The request has taken effect, but only the client's own timeout ends the wait.
  struck({
    name: "stalled-body",
    description: "The head and half of the body arrive, and then nothing more.",
    plan: () => ({ stall: true }),
  }),
  // Its end restores each key's own status. Open user sockets stay, but their actions get 100041.
  fault({
    name: "key-revoked",
    group: "rest",
    description: "Every API key is disabled (100018) or frozen (100041) while it lasts.",
    params: { status: z.enum(["disabled", "frozen"]).default("disabled") },
    start: (world, { status }) => ({ hooks: { restReach: () => "every" }, stop: world.barKeys(status) }),
  }),
];
