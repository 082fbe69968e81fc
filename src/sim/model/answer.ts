/**
 * Converts a decision of the practice model into the requested form: a strict schema, any JSON object, a tool call or
 * plain text.
 */
import { isRecord } from "../../core/record.ts";
import { type ChatRequest, promptText } from "./chat-request.ts";
import { splitFence } from "./prompt-reader.ts";
import { obey } from "./obedient-model.ts";
import { decide } from "./rule-model.ts";
import { fillSchema } from "./schema-fill.ts";
import { TRADING_VOCABULARY } from "./vocabulary.ts";

/** One of the two is null: text, or a call of one tool with its arguments as JSON text. */
export interface ModelMessage {
  readonly text: string | null;
  readonly tool: { readonly name: string; readonly args: string } | null;
}

const REPAIR = /What is wrong:/;

/** A repair question quotes an earlier answer inside its fence; the readable parts of that answer are kept. */
function earlierAnswer(text: string): unknown {
  const { inside } = splitFence(text);
  for (const candidate of [inside.trim(), /\{[\s\S]*\}/.exec(inside)?.[0] ?? ""]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      continue;
    }
  }
  return {};
}

function guideFor(text: string, obedient: boolean): unknown {
  if (!REPAIR.test(text)) return obedient ? obey(text) : decide(text);
  const earlier = earlierAnswer(text);
  const echo = /^\s*echo\s*:\s*(\S+)/im.exec(splitFence(text).outside)?.[1] ?? "";
  return typeof earlier === "object" && earlier !== null ? { ...earlier, echo } : { echo };
}

function toolFor(request: ChatRequest): { name: string; parameters: unknown } | null {
  const tools = request.tools ?? [];
  const choice = request.tool_choice ?? (tools.length > 0 ? "auto" : "none");
  if (choice === "none" || tools.length === 0) return null;
  const named =
    typeof choice === "object" ? tools.find((each) => each.function.name === choice.function.name) : tools[0];
  return named ? { name: named.function.name, parameters: named.function.parameters ?? { type: "object" } } : null;
}

/** Members of the llm-trader prompt, for requests that want JSON but state no schema. */
const USUAL_SHAPE = {
  type: "object",
  properties: {
    echo: { type: "string" },
    summary: { type: "string" },
    stances: {
      type: "array",
      items: {
        type: "object",
        properties: Object.fromEntries(
          ["symbol", "stance", "urgency", "horizon", "reason"].map((name) => [name, { type: "string" }]),
        ),
        additionalProperties: {},
      },
    },
  },
  required: ["echo", "summary", "stances"],
};

/** A schema in the text itself, which questions include for gateways that enforce none; null without one. */
function schemaIn(text: string): unknown {
  for (const heading of text.matchAll(/JSON schema[^\n]*\n+\{/gi)) {
    const [line = ""] = text.slice(heading.index + heading[0].length - 1).split("\n", 1);
    try {
      const stated = JSON.parse(line) as unknown;
      if (isRecord(stated) && "type" in stated) return stated;
    } catch {
      continue;
    }
  }
  return null;
}

/** The model's complete answer, based only on the request. */
export function answer(request: ChatRequest, obedient: boolean): ModelMessage {
  const text = promptText(request);
  const guide = guideFor(text, obedient);
  const filled = (schema: unknown): string => JSON.stringify(fillSchema(schema, guide, TRADING_VOCABULARY));
  const called = toolFor(request);
  if (called) return { text: null, tool: { name: called.name, args: filled(called.parameters) } };
  const format = request.response_format;
  if (format?.type === "json_schema") return { text: filled(format.json_schema.schema), tool: null };
  if (format?.type === "json_object" || /\bJSON\b/.test(text))
    return { text: filled(schemaIn(text) ?? USUAL_SHAPE), tool: null };
  return { text: (guide as { summary?: string }).summary ?? "There is nothing to add.", tool: null };
}
