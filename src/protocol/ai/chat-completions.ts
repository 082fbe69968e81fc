/** The part of the chat-completions dialect that a decision needs. Spec: 3 §8; records §14.1. */
import { z } from "zod";

/** Called by POST (records §14.1). */
export const CHAT_COMPLETIONS_PATH = "/v1/chat/completions";
/** Called by GET, with no `/v1` before it (records §14.2). */
export const KEY_INFO_PATH = "/key/info";

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

/** One entry of a request's `messages`; null content and members not named here are accepted. */
const chatMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  /** Text, or a list of parts; only parts of type `text` count. */
  content: z.union([z.string(), z.array(part)]).nullable(),
});

/** Structured output: a strict JSON schema, or any JSON object. */
const responseFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({
      name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
      strict: z.boolean().nullish(),
      schema: z.record(z.string(), z.unknown()),
    }),
  }),
]);

/** Body of a request as the simulated gateway reads it; members that are not named here pass through. */
export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(chatMessage).min(1),
  /** Cap on output tokens, in its older and newer name. */
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  response_format: responseFormat.nullish(),
  stream: z.boolean().nullish(),
  seed: z.int().nullish(),
});
/** What `chatRequest` returns; either cap on output may be absent or null. */
export type ChatRequest = z.output<typeof chatRequest>;
