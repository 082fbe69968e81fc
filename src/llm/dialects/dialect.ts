/**
 * Services that call themselves compatible differ in the reply format and output cap they accept. A dialect is one
 * way of asking; if a service refuses it with an explanation, the next one is tried, and the working one is
 * remembered per model.
 */
import { type Effort, REPLY_FORMATS, type ReplyFormat } from "../contract/settings.ts";
import type { JsonSchema } from "../replies/schema.ts";

/** How one model's service is asked; a refusal leads to the next dialect. */
export interface Dialect {
  readonly format: ReplyFormat;
  readonly cap: "max_tokens" | "max_completion_tokens";
  /** Sampler settings that the service accepts; one that it refuses is omitted from then on. */
  readonly temperature: boolean;
  readonly effort: boolean;
}

/** The initial dialect: the strictest format, the older name of the cap, all settings sent. */
export const FIRST_DIALECT: Dialect = { format: "json_schema", cap: "max_tokens", temperature: true, effort: true };

/** A refused request: the message, and whether it blames the dialect. */
export interface RefusedWay {
  readonly message: string;
  /** False for a plain 400 or 422 without an explanation. */
  readonly blamed: boolean;
  /** The format is configured and fixed. */
  readonly forced: boolean;
}

/**
 * The dialect to try after a refusal, or null if none is left. A refusal without an explanation may well mean the
 * reply format, so a plainer one is tried; the forced tool call, the least common format, is skipped then.
 */
export function nextDialect(dialect: Dialect, { message, blamed, forced }: RefusedWay): Dialect | null {
  if (blamed && dialect.cap === "max_tokens" && /max_completion_tokens/.test(message))
    return { ...dialect, cap: "max_completion_tokens" };
  if (blamed && dialect.temperature && /temperature/i.test(message)) return { ...dialect, temperature: false };
  if (blamed && dialect.effort && /reasoning/i.test(message)) return { ...dialect, effort: false };
  if (forced) return null;
  const plainer = REPLY_FORMATS.slice(REPLY_FORMATS.indexOf(dialect.format) + 1);
  const format = plainer.find((one) => blamed || one !== "tool");
  return format ? { ...dialect, format } : null;
}

/** Describes one step down for the log. */
export function describeStep(from: Dialect, to: Dialect): string {
  if (from.cap !== to.cap) return `the output cap is sent as ${to.cap}`;
  if (from.temperature !== to.temperature) return "no temperature is sent";
  if (from.effort !== to.effort) return "no reasoning effort is sent";
  return `the answer is requested as ${to.format} instead of ${from.format}`;
}

/** Whether a refusal blames the reply format or the output cap rather than the question. */
export const blamesDialect = (message: string): boolean =>
  /response_format|json_schema|json_object|json mode|structured output|max_completion_tokens|max_tokens.*(not )?support|tool_choice|\btools?\b|function call|guided|strict|temperature|reasoning/i.test(
    message,
  );

/** The request members that we use. Records §14.1. */
export interface ChatBody {
  readonly model: string;
  readonly messages: { readonly role: "system" | "user"; readonly content: string }[];
  readonly [member: string]: unknown;
}

/** The inputs of a request body; an absent setting is not sent. */
export interface ChatPrompt {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly schema: JsonSchema;
  readonly schemaName: string;
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  readonly reasoningEffort?: Effort;
}

/** No seed: some services refuse it, and the answer cache provides enough repeatability. */
export function dialectBody(dialect: Dialect, question: ChatPrompt): ChatBody {
  return {
    model: question.model,
    messages: [
      { role: "system", content: question.system },
      { role: "user", content: question.user },
    ],
    [dialect.cap]: question.maxOutputTokens,
    ...(dialect.temperature && question.temperature !== undefined ? { temperature: question.temperature } : {}),
    ...(dialect.effort && question.reasoningEffort !== undefined ? { reasoning_effort: question.reasoningEffort } : {}),
    ...formatPart(dialect, question),
  };
}

function formatPart({ format }: Dialect, { schema, schemaName }: ChatPrompt): Readonly<Record<string, unknown>> {
  switch (format) {
    case "json_schema":
      return { response_format: { type: "json_schema", json_schema: { name: schemaName, strict: true, schema } } };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "tool":
      return {
        tools: [{ type: "function", function: { name: schemaName, strict: true, parameters: schema } }],
        tool_choice: { type: "function", function: { name: schemaName } },
      };
    case "plain":
      return {};
  }
}
