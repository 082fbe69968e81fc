/** Reads the used parts of a messages-dialect reply, tolerantly. Records §14.1. */
import { fieldOf } from "../../core/record.ts";
import { z } from "zod";
import type { ReadCompletion } from "./completion.ts";
import type { Usage } from "./chat.ts";

const tokens = z.number().int().min(0).max(100_000_000);

const UsageReply = z.looseObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens.nullish().catch(null),
  cache_creation_input_tokens: tokens.nullish().catch(null),
});

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional().catch(undefined),
  input: z.unknown().optional(),
});
const Message = z.looseObject({ content: z.array(Block), stop_reason: z.string().nullish() });

/** Accepts any parsed JSON; unusable parts read as null or empty. */
export function readMessage(body: unknown): ReadCompletion {
  const usage = UsageReply.safeParse(fieldOf(body, "usage"));
  const message = Message.safeParse(body);
  return {
    text: message.success ? textOf(message.data.content) : null,
    declined: message.success && message.data.stop_reason === "refusal",
    thoughts: message.success ? message.data.content.map((block) => block.thinking ?? "").join("") : "",
    answeredIn: "content",
    finishReason: message.success ? finishOf(message.data.stop_reason) : "",
    usage: usage.success ? usageOf(usage.data) : null,
  };
}

/** The finish reason in the terms of the chat dialect. */
const finishOf = (reason: string | null | undefined): string =>
  reason === "max_tokens" ? "length" : reason === "end_turn" ? "stop" : (reason ?? "");

/** The input of the first tool call, otherwise all text; reasoning is not an answer. */
function textOf(content: readonly z.infer<typeof Block>[]): string {
  const call = content.find((block) => block.type === "tool_use");
  if (call) return JSON.stringify(call.input ?? {});
  return content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
}

/** This dialect counts cache reads and cache writes apart from the other prompt tokens. */
function usageOf(found: z.infer<typeof UsageReply>): Usage {
  const cachedTokens = found.cache_read_input_tokens ?? 0;
  return {
    promptTokens: found.input_tokens + cachedTokens + (found.cache_creation_input_tokens ?? 0),
    completionTokens: found.output_tokens,
    cachedTokens,
  };
}
