/**
 * A completion as the gateway returns it: the model's answer, damaged and cut if so configured, in the vendor's form.
 * Spec: records §14.
 */
import { SECOND_MS } from "../../core/time.ts";
import { answer, type ModelMessage } from "./answer.ts";
import { type Behaviour, spoil } from "./behaviour.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Usage } from "./price-table.ts";
import { estimateTokens } from "./prefix-cache.ts";

/** The model's text, possibly cut. */
export interface Written {
  readonly text: string | null;
  readonly tool: ModelMessage["tool"];
  readonly tokens: number;
  readonly finish: "stop" | "length" | "tool_calls";
}

/** The answer, damaged if a switch is on, and cut at the requested number of tokens. */
export function write(request: ChatRequest, behaviour: Behaviour, obedient: boolean): Written {
  const made = spoil(answer(request, obedient), behaviour);
  const most = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
  const full = made.text ?? made.tool?.args ?? "";
  const tokens = Math.max(1, estimateTokens(full));
  if (tokens <= most) return { ...made, tokens, finish: made.tool ? "tool_calls" : "stop" };
  const kept = full.slice(0, Math.floor((full.length * most) / tokens));
  const tool = made.tool ? { ...made.tool, args: kept } : null;
  return { text: made.tool ? null : kept, tool, tokens: most, finish: "length" };
}

/** The reply in the form of the vendor's interface. */
export function completionBody(given: {
  readonly id: string;
  readonly createdMs: number;
  readonly model: string;
  readonly written: Written;
  readonly usage: Usage;
}): Record<string, unknown> {
  const { written, usage } = given;
  const call = written.tool && {
    id: `call_${given.id.slice(9)}`,
    type: "function",
    function: { name: written.tool.name, arguments: written.tool.args },
  };
  const message = { role: "assistant", content: written.text, refusal: null, ...(call ? { tool_calls: [call] } : {}) };
  return {
    id: given.id,
    object: "chat.completion",
    created: Math.floor(given.createdMs / SECOND_MS),
    model: given.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: written.finish }],
    usage: {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      total_tokens: usage.promptTokens + usage.completionTokens,
      prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    },
  };
}
