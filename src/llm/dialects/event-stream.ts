/** Joins a completion that arrived as an unrequested stream of events; some gateways always stream. Pure. */
import { z } from "zod";

const Delta = z.looseObject({
  content: z.string().nullish().catch(null),
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z
    .array(z.looseObject({ function: z.looseObject({ arguments: z.string().nullish() }).nullish() }))
    .nullish()
    .catch(null),
});
const Chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: Delta.optional(), finish_reason: z.string().nullish() })).optional(),
  usage: z.unknown().optional(),
});

const DATA = /^data:\s?(.*)$/;

/** Decided by the text, not by the declared content type. */
export const isEventStream = (text: string): boolean => /^\s*(event:[^\n]*\n)?data:/.test(text) || /^\s*:/.test(text);

/** The text of one whole completion; the given text if a piece is unreadable or the end is missing. */
export function joinedEvents(text: string): string {
  const lines = text.split(/\r?\n/).flatMap((line) => DATA.exec(line)?.[1] ?? []);
  const pieces = { content: "", thoughts: "", call: "" };
  let finish: string | null = null;
  let usage: unknown = null;
  let ended = false;
  for (const line of lines) {
    if (line.trim() === "[DONE]") {
      ended = true;
      continue;
    }
    const chunk = chunkIn(line);
    if (!chunk) return text;
    const choice = chunk.choices?.[0];
    pieces.content += choice?.delta?.content ?? "";
    pieces.thoughts += choice?.delta?.reasoning_content ?? choice?.delta?.reasoning ?? "";
    pieces.call += choice?.delta?.tool_calls?.[0]?.function?.arguments ?? "";
    finish = choice?.finish_reason ?? finish;
    usage = chunk.usage ?? usage;
  }
  if (!ended && finish === null) return text;
  const message = {
    role: "assistant",
    content: pieces.content,
    ...(pieces.thoughts === "" ? {} : { reasoning_content: pieces.thoughts }),
    ...(pieces.call === "" ? {} : { tool_calls: [{ function: { arguments: pieces.call } }] }),
  };
  const choices = [{ index: 0, message, finish_reason: finish ?? "stop" }];
  return JSON.stringify({ choices, ...(usage === null ? {} : { usage }) });
}

function chunkIn(line: string): z.infer<typeof Chunk> | null {
  try {
    return Chunk.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
