/**
 * Prepares a request: rendered text, strict schema, token bound, cache key. The stable text comes first and is
 * identical in every call, so that a provider's prefix cache works; the schema is part of it, because not every
 * gateway enforces one (architecture §6).
 */
import { hashOf } from "../../core/hash.ts";
import type { Entropy } from "../../core/entropy.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { AskRequest } from "../contract/port.ts";
import type { GatewayWords, PromptHead, PromptLibrary } from "../prompts/prompts.ts";
import { type JsonSchema, strictJsonSchema } from "../replies/schema.ts";
import { tokenBound } from "../prompts/tokens.ts";

/** Rendered and bounded; the same for every model that may be asked. */
export interface Question {
  readonly system: string;
  readonly user: string;
  readonly schema: JsonSchema;
  readonly words: GatewayWords;
  readonly head: PromptHead;
  readonly promptHash: string;
  /** Upper bound of the prompt tokens, all messages together. */
  readonly promptTokens: number;
  /** Equal for questions that may share an answer; the lookup adds the model's name. */
  readonly key: string;
}

const WORD_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Unpredictable for authors of news: 16 random characters. */
function word(entropy: Entropy, kind: string): string {
  const chars = Array.from({ length: 16 }, () => WORD_ALPHABET[entropy.int(`llm:${kind}`, 0, WORD_ALPHABET.length)]);
  return `${kind}-${chars.join("")}`;
}

/** Drawn from the injected entropy, so that a run with the same seed has the same words. */
export const newWords = (entropy: Entropy): GatewayWords => ({
  fence: word(entropy, "fence"),
  echo: word(entropy, "echo"),
});

/**
 * Appends the schema as JSON, its members in their own order: a model writes in this order, so reasons that stand first are
 * thought first. The same schema is identical in every call.
 */
export const withSchema = (system: string, schema: JsonSchema): string =>
  `${system}\n\n# JSON schema of the answer\n\n${JSON.stringify(schema)}`;

type Asking = Pick<AskRequest, "prompt" | "variables" | "replySchema">;

/** Renders a question with given words: the same request and words give the same text. */
export function renderQuestion(
  prompts: PromptLibrary,
  words: GatewayWords,
  request: Asking,
): Result<Omit<Question, "promptTokens" | "key">, string> {
  const rendered = prompts.render(request.prompt, request.variables, words);
  if (!rendered.ok) return rendered;
  const schema = strictJsonSchema(request.replySchema);
  if (!schema.ok) return schema;
  const { head, hash: promptHash, user } = rendered.value;
  return ok({
    system: withSchema(rendered.value.system, schema.value),
    user,
    schema: schema.value,
    words,
    head,
    promptHash,
  });
}

/** Errors: an unknown prompt, a missing variable, a schema without JSON form, a text beyond its token budget. */
export async function prepare(
  prompts: PromptLibrary,
  entropy: Entropy,
  request: AskRequest,
): Promise<Result<Question, string>> {
  const rendered = renderQuestion(prompts, newWords(entropy), request);
  if (!rendered.ok) return rendered;
  const { system, user, head, promptHash: hash } = rendered.value;
  const promptTokens = (await tokenBound(system)) + (await tokenBound(user));
  if (promptTokens > head.tokenBudget) {
    return err(`prompt ${head.name} may have ${promptTokens} tokens, its budget is ${head.tokenBudget}`);
  }
  const { replySchemaName, maxOutputTokens, fingerprint } = request;
  const key = hashOf({
    prompt: head.name,
    version: head.version,
    hash,
    system,
    replySchemaName,
    maxOutputTokens,
    fingerprint,
  });
  return ok({ ...rendered.value, promptTokens, key });
}
