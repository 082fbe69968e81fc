/**
 * The REST envelope `{code, message, data}` and how a client reads it defensively. Spec: 1 §2.2; 2 §2.1; records §1.1.
 * The form of `data` is the business of each endpoint's reply schema.
 */
import { isRecord } from "../core/record.ts";
import { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import { hasRepeatedKey } from "./repeated-key.ts";

/** `code` is compared as text, because some servers send it so. */
export const envelopeSchema = z.looseObject({
  code: z.union([z.number(), z.string().min(1)]),
  message: z.string().nullish(),
  data: z.unknown().optional(),
});

/** A body as a server sends it, `code` a number; a client accepts more (`envelopeSchema`). */
export interface VenueEnvelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** What a server sends on success. `{}` where there is no payload. */
export const successEnvelope = (endpoint: Pick<Endpoint, "successCode">, data: unknown): VenueEnvelope => ({
  code: endpoint.successCode,
  message: endpoint.successCode === 200 ? "success" : "Success",
  data: data ?? {},
});

/** What a server sends on failure: `data` is `{}` on trading endpoints, `null` on feeds (records §13 [guess]). */
export const errorEnvelope = (code: number, message: string, data: unknown = {}): VenueEnvelope => ({
  code,
  message,
  data,
});

/** What a body proves, given the endpoint's success code. */
export type EnvelopeReading =
  | { readonly kind: "success"; readonly data: unknown }
  /** The code is not this endpoint's success code. `codes.ts` says whether the refusal is definite. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** Not JSON, or not an object: proves nothing about what happened. */
  | { readonly kind: "unreadable"; readonly why: string };

/** A body without a code is a bare payload and passes through (records §1.1 note 3). */
export function readEnvelope(endpoint: Pick<Endpoint, "successCode">, bodyText: string): EnvelopeReading {
  let body: unknown;
  try {
    body = JSON.parse(bodyText);
  } catch {
    return { kind: "unreadable", why: `not JSON: ${JSON.stringify(bodyText.slice(0, 80))}` };
  }
  if (hasRepeatedKey(bodyText)) return { kind: "unreadable", why: "a key stands twice" };
  if (!Array.isArray(body) && !isRecord(body))
    return { kind: "unreadable", why: `neither object nor array: ${bodyText.slice(0, 80)}` };
  if (Array.isArray(body) || !Object.hasOwn(body, "code")) return { kind: "success", data: body };
  const envelope = envelopeSchema.safeParse(body);
  if (!envelope.success) return { kind: "unreadable", why: "code is neither a number nor text" };
  const code = String(envelope.data.code);
  if (code === String(endpoint.successCode)) return { kind: "success", data: envelope.data.data ?? {} };
  return { kind: "refused", code, message: envelope.data.message ?? "" };
}

/** As EnvelopeReading, with data that has passed the endpoint's reply schema. */
export type ReplyReading<T> =
  | { readonly kind: "success"; readonly data: T }
  | Exclude<EnvelopeReading, { kind: "success" }>;

/** Reads envelope and payload: a payload that breaks the reply schema is unreadable, with field and rule. */
export function readReply<E extends Pick<Endpoint, "successCode" | "reply">>(
  endpoint: E,
  bodyText: string,
): ReplyReading<z.output<E["reply"]>> {
  const envelope = readEnvelope(endpoint, bodyText);
  if (envelope.kind !== "success") return envelope;
  const parsed = endpoint.reply.safeParse(envelope.data);
  if (parsed.success) return { kind: "success", data: parsed.data as z.output<E["reply"]> };
  const issue = deepestIssue(parsed.error.issues);
  return { kind: "unreadable", why: `data${issue ? `.${issue.path.join(".")}: must be ${issue.message}` : ""}` };
}

/** A union nests its issues one level down; the branch that matched furthest is the intended one. */
function deepestIssue(issues: readonly z.core.$ZodIssue[]): { path: PropertyKey[]; message: string } | undefined {
  const found = issues.map((issue) => {
    if (issue.code !== "invalid_union") return { path: issue.path, message: issue.message };
    const inner = issue.errors.map(deepestIssue).filter((candidate) => candidate !== undefined);
    const best = inner.sort((a, b) => b.path.length - a.path.length)[0];
    return best
      ? { path: [...issue.path, ...best.path], message: best.message }
      : { path: issue.path, message: issue.message };
  });
  return found.sort((a, b) => b.path.length - a.path.length)[0];
}
