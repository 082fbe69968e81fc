/**
 * Services that call themselves compatible differ in how they take a reply format and an output cap. A dialect is one way
 * of asking; when a service refuses it in words, the next one is tried, and what worked is remembered per model.
 */
import { type Effort, REPLY_FORMATS, type ReplyFormat } from "./settings.ts";
import type { JsonSchema } from "./reply-schema.ts";

/** How one model's service is asked; a refusal in words leads to the next. */
export interface Dialect {
  readonly format: ReplyFormat;
  readonly cap: "max_tokens" | "max_completion_tokens";
  /** Settings of the sampler that the service takes; one that it refuses in words is left out from then on. */
  readonly temperature: boolean;
  readonly effort: boolean;
}

/** Where every model begins: the strictest format, the older name of the cap, all settings sent. */
export const FIRST_DIALECT: Dialect = { format: "json_schema", cap: "max_tokens", temperature: true, effort: true };

/** A refused request: what was said of it, and whether that blames the way of asking. */
export interface RefusedWay {
  readonly message: string;
  /** False for a plain 400 or 422 that says nothing of why. */
  readonly blamed: boolean;
  /** The format is set by hand and stays. */
  readonly forced: boolean;
}

/**
 * The dialect to try after a refusal, or null when there is none left. One without an explanation may well mean the reply
 * format, which is then made plainer; a forced call of a tool, the least known of the formats, is left out on that way.
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

/** What one step down changed, for the log. */
export function describeStep(from: Dialect, to: Dialect): string {
  if (from.cap !== to.cap) return `the output cap is sent as ${to.cap}`;
  if (from.temperature !== to.temperature) return "no temperature is sent";
  if (from.effort !== to.effort) return "no reasoning effort is sent";
  return `the answer is asked for as ${to.format} instead of ${from.format}`;
}

/** Words of a refusal that blame the reply format or the output cap, and not the question. */
export const blamesDialect = (message: string): boolean =>
  /response_format|json_schema|json_object|json mode|structured output|max_completion_tokens|max_tokens.*(not )?support|tool_choice|\btools?\b|function call|guided|strict|temperature|reasoning/i.test(
    message,
  );

/** The members of a chat-completions request that are used. Records §14.1. */
export interface ChatBody {
  readonly model: string;
  readonly messages: { readonly role: "system" | "user"; readonly content: string }[];
  readonly [member: string]: unknown;
}

/** What a body is made of, whatever the dialect; a setting that is absent is not sent. */
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

/** No seed: some services refuse it, and the answer cache gives what repeatability is needed. */
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
