/**
 * A folder of a model's replies by question, so that repeated questions cost nothing and a run that ended early can
 * continue. Each reply is a file that is written atomically.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { dec, toWire } from "../../core/decimal.ts";
import { hashOf } from "../../core/hash.ts";
import type { ModelRequest } from "../../llm/dialects/chat.ts";
import type { Answered, LabAnswer } from "./lab-models.ts";

const usage = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number(),
  reasoningTokens: z.number().optional(),
});

const keptReply = z.object({
  version: z.literal(1),
  askedAt: z.string(),
  model: z.string(),
  prompt: z.string(),
  purpose: z.string(),
  /** The echo word of the question that was asked. */
  echo: z.string(),
  latencyMs: z.number(),
  text: z.string(),
  finishReason: z.string(),
  usage: usage.nullable(),
  costUsd: z.string().nullable(),
  declined: z.boolean(),
  thoughts: z.string(),
  answeredIn: z.enum(["content", "thoughts"]),
});

export interface ReplyStore {
  /** Null if the question was not asked before, or if the file cannot be read. */
  find(request: ModelRequest): LabAnswer | null;
  /** The reply is on the disk when it returns. Throws the error of the file system. */
  keep(
    request: ModelRequest,
    answer: { readonly outcome: Answered; readonly latencyMs: number; askedAt: string },
  ): void;
}

/** Random words differ in each question and must not make equal questions differ. */
export const withoutWords = (text: string, { fence, echo }: ModelRequest["words"]): string =>
  text.replaceAll(fence, "fence").replaceAll(echo, "echo");

/** A reply is valid only with the echo word of the question that it answers. */
export const echoing = (text: string, recorded: string, now: string): string => text.replaceAll(recorded, now);

function keyOf(request: ModelRequest): string {
  const { model, schema, schemaName, maxOutputTokens, speech, words } = request;
  const { temperature = null, reasoningEffort = null, replyFormat = null } = request;
  const [system, user] = [request.system, request.user].map((text) => withoutWords(text, words));
  return hashOf({
    ...{ model, system, user, schema, schemaName, maxOutputTokens, speech },
    ...{ temperature, reasoningEffort, replyFormat },
  });
}

/** The folder is created with the first reply. */
export function openReplyStore(dir: string): ReplyStore {
  const fileOf = (request: ModelRequest): string => path.join(dir, `${keyOf(request)}.json`);
  return {
    find: (request) => {
      const found = keptReply.safeParse(jsonOf(fileOf(request)));
      if (!found.success) return null;
      const { text, finishReason, usage: tokens, declined, thoughts, answeredIn, latencyMs, echo } = found.data;
      const { reasoningTokens, ...counted } = tokens ?? { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
      const outcome: Answered = {
        kind: "answered",
        text: echoing(text, echo, request.words.echo),
        usage: tokens && { ...counted, ...(reasoningTokens === undefined ? {} : { reasoningTokens }) },
        costUsd: found.data.costUsd === null ? null : dec(found.data.costUsd),
        ...{ finishReason, declined, thoughts, answeredIn },
      };
      return { outcome, latencyMs };
    },
    keep: (request, { outcome, latencyMs, askedAt }) => {
      mkdirSync(dir, { recursive: true });
      const { model, prompt, purpose, words } = request;
      const { costUsd, text, finishReason, usage: tokens, declined, thoughts, answeredIn } = outcome;
      const costs = costUsd === null ? null : toWire(costUsd);
      const kept: z.input<typeof keptReply> = {
        ...{ version: 1, askedAt, model, prompt, purpose, echo: words.echo, latencyMs },
        ...{ text, finishReason, usage: tokens, costUsd: costs, declined, thoughts, answeredIn },
      };
      const file = fileOf(request);
      writeFileSync(`${file}.new`, JSON.stringify(kept));
      renameSync(`${file}.new`, file);
    },
  };
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
