/** Reads the used parts of a chat-completions reply, tolerantly: text, tokens, and the cost from headers. */
import { fieldOf } from "../../core/record.ts";
import { z } from "zod";
import type { Decimal } from "../../core/decimal.ts";
import { readUsd } from "../budget/key-info.ts";
import type { Usage } from "./chat.ts";

const tokens = z.number().int().min(0).max(100_000_000);

const UsageReply = z.looseObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  prompt_tokens_details: z.looseObject({ cached_tokens: tokens.nullish() }).nullish().catch(null),
  completion_tokens_details: z.looseObject({ reasoning_tokens: tokens.nullish() }).nullish().catch(null),
});

const Part = z.looseObject({ text: z.string().optional() });
const Message = z.looseObject({
  content: z.union([z.string(), z.array(Part)]).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z.array(z.looseObject({ function: z.looseObject({ arguments: z.string() }).optional() })).nullish(),
});
const Completion = z.looseObject({
  choices: z.array(z.looseObject({ message: Message, finish_reason: z.string().nullish() })).min(1),
});

/** The used parts of a reply; both dialects are read into this form. */
export interface ReadCompletion {
  /** Null if the body is not a completion. */
  readonly text: string | null;
  readonly finishReason: string;
  /** Null if missing or implausible: then our own count applies. */
  readonly usage: Usage | null;
  readonly declined: boolean;
  /** Reasoning shown beside the answer. */
  readonly thoughts: string;
  readonly answeredIn: "content" | "thoughts";
}

/** Accepts any parsed JSON; unusable parts read as null or empty. */
export function readCompletion(body: unknown): ReadCompletion {
  const usage = UsageReply.safeParse(fieldOf(body, "usage"));
  const parsed = Completion.safeParse(body);
  const choice = parsed.success ? parsed.data.choices[0] : undefined;
  return {
    ...(choice ? answerIn(choice.message) : NO_ANSWER),
    finishReason: choice?.finish_reason ?? "",
    usage: usage.success ? usageOf(usage.data) : null,
  };
}

type Answer = Pick<ReadCompletion, "text" | "declined" | "thoughts" | "answeredIn">;
const NO_ANSWER: Answer = { text: null, declined: false, thoughts: "", answeredIn: "content" };

/** A reasoning model may leave the content empty and put the answer into its reasoning. */
function answerIn(message: z.infer<typeof Message>): Answer {
  const text = textOf(message);
  const thoughts = message.reasoning_content ?? message.reasoning ?? "";
  const declined = text === "" && (message.refusal ?? "") !== "";
  if (declined) return { text: message.refusal ?? "", declined, thoughts, answeredIn: "content" };
  const inThoughts = text.trim() === "" && thoughts.trim() !== "";
  return { text: inThoughts ? thoughts : text, declined, thoughts, answeredIn: inThoughts ? "thoughts" : "content" };
}

function textOf(message: z.infer<typeof Message>): string {
  const call = message.tool_calls?.[0]?.function?.arguments;
  if (call !== undefined) return call;
  if (Array.isArray(message.content)) return message.content.map((part) => part.text ?? "").join("");
  return message.content ?? "";
}

/** Describes a body that is not a completion, for a sentence. */
export function bodyKind(text: string): string {
  if (text.trim() === "") return "an empty body";
  if (/^\s*<(!doctype|html|head|body)/i.test(text)) return "a page of HTML";
  if (/^\s*[[{]/.test(text)) return isJson(text) ? "JSON that is not a completion" : "JSON that is cut off or broken";
  return "text that is not JSON";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function usageOf(found: z.infer<typeof UsageReply>): Usage {
  const cachedTokens = found.prompt_tokens_details?.cached_tokens ?? 0;
  const reasoningTokens = found.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    promptTokens: found.prompt_tokens,
    completionTokens: found.completion_tokens,
    cachedTokens: Math.min(cachedTokens, found.prompt_tokens),
    ...(reasoningTokens > 0 ? { reasoningTokens: Math.min(reasoningTokens, found.completion_tokens) } : {}),
  };
}

/** The middle of the header's name is the product's name (records §14.3). */
const COST_HEADER = /^x-(?:[a-z0-9]+-)*response-cost$/;

/** Cost of this call in USD as the gateway states it. Null if it is absent or not an amount of money. */
export function headerCostUsd(headers: Readonly<Record<string, string>>): Decimal | null {
  const name = Object.keys(headers).find((header) => COST_HEADER.test(header.toLowerCase()));
  return name === undefined ? null : readUsd(headers[name]);
}
