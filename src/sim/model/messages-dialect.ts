/**
 * The gateway's second dialect, over the same model, budget and misbehaviour: a messages request becomes a chat
 * request, and the completion becomes a message. Refusals look the same in both dialects. Spec: records §14.1, §14.3.
 */
import { z } from "zod";
import type { GatewayReply, Headers, GatewayService } from "./gateway.ts";

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const text = z.union([z.string(), z.array(block)]);

const messagesRequest = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: text.nullish(),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), content: text })).min(1),
  temperature: z.number().min(0).max(1).nullish(),
  stream: z.literal(false, { error: "streaming is not offered by the practice gateway" }).nullish(),
  tools: z
    .array(z.looseObject({ name: z.string(), input_schema: z.record(z.string(), z.unknown()).optional() }))
    .nullish(),
  tool_choice: z.looseObject({ type: z.enum(["auto", "any", "tool", "none"]), name: z.string().optional() }).nullish(),
});
type MessagesRequest = z.output<typeof messagesRequest>;

const plain = (said: z.output<typeof text>): string =>
  typeof said === "string" ? said : said.map((part) => part.text ?? "").join("\n");

function asChat(request: MessagesRequest): Record<string, unknown> {
  const { model, max_tokens, temperature, system, messages, tools, tool_choice: choice } = request;
  const named = choice?.type === "tool" ? { type: "function", function: { name: choice.name ?? "" } } : null;
  const asked = choice && (named ?? (choice.type === "any" ? "required" : choice.type));
  return {
    model,
    max_tokens,
    ...(temperature === null || temperature === undefined ? {} : { temperature }),
    messages: [
      ...(system === null || system === undefined ? [] : [{ role: "system", content: plain(system) }]),
      ...messages.map(({ role, content }) => ({ role, content: plain(content) })),
    ],
    ...(tools
      ? { tools: tools.map((t) => ({ type: "function", function: { name: t.name, parameters: t.input_schema } })) }
      : {}),
    ...(asked ? { tool_choice: asked } : {}),
  };
}

interface Completion {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly [
    {
      readonly message: {
        readonly content: string | null;
        readonly tool_calls?: readonly [{ id: string; function: { name: string; arguments: string } }];
      };
      readonly finish_reason: "stop" | "length" | "tool_calls";
    },
  ];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}

const STOP_REASONS = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" } as const;

function asMessage({ id, model, choices, usage }: Completion): Record<string, unknown> {
  const [{ message, finish_reason: finish }] = choices;
  const cached = usage.prompt_tokens_details.cached_tokens;
  return {
    id: id.replace("chatcmpl", "msg"),
    type: "message",
    role: "assistant",
    model,
    content: [message.tool_calls ? toolBlock(message.tool_calls[0]) : { type: "text", text: message.content ?? "" }],
    stop_reason: STOP_REASONS[finish],
    stop_sequence: null,
    usage: {
      input_tokens: usage.prompt_tokens - cached,
      output_tokens: usage.completion_tokens,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
    },
  };
}

/** Truncated arguments are no longer an object and are returned as text. */
function toolBlock(call: { id: string; function: { name: string; arguments: string } }): Record<string, unknown> {
  const { name, arguments: args } = call.function;
  try {
    return { type: "tool_use", id: call.id, name, input: JSON.parse(args) as unknown };
  } catch {
    return { type: "text", text: args };
  }
}

/** POST /v1/messages. Header names in lower case. */
export async function messages(gateway: GatewayService, headers: Headers, body: unknown): Promise<GatewayReply> {
  const read = messagesRequest.safeParse(body);
  if (!read.success) {
    const issue = read.error.issues[0];
    const param = issue?.path.join(".") ?? "";
    const message = `${param === "" ? "the body" : param}: ${issue?.message ?? "is not understood"}`;
    return {
      status: 400,
      headers: {},
      body: { error: { message, type: "invalid_request_error", param, code: "400" } },
    };
  }
  const reply = await gateway.chatCompletions(headers, asChat(read.data));
  return reply.status === 200 ? { ...reply, body: asMessage(reply.body as Completion) } : reply;
}
