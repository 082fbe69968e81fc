/** The chat completion requests that the practice gateway accepts. Spec: records §14.1. Unknown members are ignored. */
import { z } from "zod";
import { err, ok, type Result } from "../../core/result.ts";

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const content = z.union([z.string(), z.array(textPart), z.null()]);

const tool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()).optional() }),
});

const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["system", "developer", "user", "assistant", "tool"]),
        content: content.optional(),
      }),
    )
    .min(1),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  n: z.literal(1, { error: "only one choice is offered" }).nullish(),
  stream: z.literal(false, { error: "streaming is not offered by the practice gateway" }).nullish(),
  response_format: z
    .discriminatedUnion("type", [
      z.looseObject({ type: z.literal("text") }),
      z.looseObject({ type: z.literal("json_object") }),
      z.looseObject({
        type: z.literal("json_schema"),
        json_schema: z.looseObject({ name: z.string(), schema: z.record(z.string(), z.unknown()) }),
      }),
    ])
    .nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z
    .union([
      z.enum(["none", "auto", "required"]),
      z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }),
    ])
    .nullish(),
});

/** A parsed request body. Unlisted members are ignored. */
export type ChatRequest = z.output<typeof chatRequest>;

/** Reads a request body. The error names the member and the problem, and quotes no content. */
export function readChatRequest(
  body: unknown,
): Result<ChatRequest, { readonly message: string; readonly param: string }> {
  const parsed = chatRequest.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const param = issue?.path.join(".") ?? "";
  return err({ message: `${param === "" ? "the body" : param}: ${issue?.message ?? "is not understood"}`, param });
}

/** All text of a request, in the order in which the model reads it. */
export function promptText(request: ChatRequest): string {
  return request.messages
    .map(({ content: said }) => (typeof said === "string" ? said : (said ?? []).map((part) => part.text).join("\n")))
    .join("\n\n");
}
