/** The part of the chat-completions dialect that a decision needs. Spec: 3 §8; records §14.1. */
import { z } from "zod";

/** Below `{ai_url}`; called by POST (records §14.1). */
export const CHAT_COMPLETIONS_PATH = "/v1/chat/completions";

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

/** One entry of a request's `messages`; null content is taken, and so are members that are not named here. */
export const chatMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  /** Text, or parts of which those of type `text` count. */
  content: z.union([z.string(), z.array(part)]).nullable(),
});

/** Structured output: a strict JSON schema, or any JSON object. */
export const responseFormat = z.discriminatedUnion("type", [
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
/** What `chatRequest` has let pass; either cap on output may be absent or null. */
export type ChatRequest = z.output<typeof chatRequest>;

/** Tokens as the gateway bills them. Cached prompt tokens are part of `prompt_tokens` and cost less (records §14.1). */
export const chatUsage = z.looseObject({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  total_tokens: z.int().nonnegative().optional(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.int().nonnegative().nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.int().nonnegative().nullish() }).nullish(),
});

/** Body of a successful answer, with one choice or more; `usage` may be missing or null. */
export const chatReply = z.looseObject({
  id: z.string(),
  object: z.string().optional(),
  /** Epoch seconds. */
  created: z.number().optional(),
  model: z.string(),
  choices: z
    .array(
      z.looseObject({
        index: z.number().optional(),
        message: z.looseObject({
          role: z.string().optional(),
          content: z.string().nullable(),
          /** Set in place of content when the model declines. */
          refusal: z.string().nullish(),
        }),
        /** stop, length, content_filter, … */
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: chatUsage.nullish(),
});
export type ChatReply = z.output<typeof chatReply>;

/** Tokens of one exchange as the gateway states them; its bill follows from these and the price table. */
export interface TokenCounts {
  readonly prompt: number;
  /** Part of `prompt`, at most all of it. */
  readonly cachedPrompt: number;
  readonly completion: number;
}

/** Cached tokens are at most those of the prompt, and zero where the gateway states none. */
export function readUsage(usage: z.output<typeof chatUsage>): TokenCounts {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    prompt: usage.prompt_tokens,
    cachedPrompt: Math.min(cached, usage.prompt_tokens),
    completion: usage.completion_tokens,
  };
}
