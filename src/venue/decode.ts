/**
 * Converts an HTTP answer to an Outcome. Only a documented refusal is "rejected", because a rejection proves that
 * nothing happened; anything else that is not a readable success is "unknown". Spec: 1 §2.2, §7.1; records §1.1, §2;
 * faults R5, R7, R10.
 */
import { HASTE_PAUSE_MS } from "../net/rest.ts";
import type { z } from "zod";
import type { Outcome } from "../core/outcome.ts";
import { httpVerdict, isDefiniteRefusal, isRateLimitCode, rejected } from "../protocol/codes.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import { readReply } from "../protocol/envelope.ts";

/** One complete HTTP answer with any status. */
export interface VenueAnswer {
  readonly status: number;
  readonly text: string;
  /** When it arrived, wall time; a rate-limit refusal counts its wait from here. */
  readonly atMs: number;
}

/** What an answer proves about a request to this endpoint. */
export function decodeAnswer<Request extends z.ZodType, Reply extends z.ZodType>(
  endpoint: Endpoint<Request, Reply>,
  answer: VenueAnswer,
): Outcome<z.output<Reply>> {
  const unknown = (why: string): Outcome<never> => ({ kind: "unknown", message: `HTTP ${answer.status}: ${why}` });
  const verdict = httpVerdict(answer.status);
  if (verdict === "uncertain") return unknown(JSON.stringify(answer.text.slice(0, 120)));
  const reading = readReply(endpoint, answer.text);
  switch (reading.kind) {
    case "success":
      if (verdict !== "read-body") return unknown("a success body under an error status");
      if (isAnonymous(endpoint, answer.text)) return unknown("neither an envelope nor an id in the answer to a write");
      return { kind: "done", value: reading.data };
    case "refused":
      if (isRateLimitCode(reading.code)) {
        return {
          kind: "rate-limited",
          retryAtMs: answer.atMs + Math.min(endpoint.limit.perMs, HASTE_PAUSE_MS),
          message: reading.message,
        };
      }
      if (!isDefiniteRefusal(reading.code)) return unknown(`code ${reading.code}: ${reading.message.slice(0, 200)}`);
      return rejected(reading.code, reading.message);
    case "unreadable":
      // A read risks nothing, so an error page of a proxy may count as an answer.
      if (verdict === "refused" && endpoint.method === "GET") {
        return rejected(`http-${answer.status}`, reading.why);
      }
      return unknown(reading.why);
  }
}

/** Bare payloads are documented only for algo writes, which contain an id; other JSON must not count as success. */
const isAnonymous = (endpoint: Pick<Endpoint, "method">, text: string): boolean =>
  endpoint.method !== "GET" && !/"(code|orderId|algoOrderId)"\s*:/.test(text);
