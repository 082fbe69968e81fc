/** Answers with the replies of an earlier run, matched by decision point: free, but only as good as the match. */
import type { ModelRequest } from "../../llm/dialects/chat.ts";
import { allOf, answeringBy, type LabAnswer, type LabModels } from "./lab-models.ts";
import { type RecordedReply, textHashOf } from "./recorded-replies.ts";
import { echoing } from "./reply-store.ts";

export interface ReplayOptions {
  /** Oldest first. */
  readonly replies: readonly RecordedReply[];
  /** Largest distance between a question and a recorded reply to another text, ms: one decision interval. */
  readonly withinMs: number;
}

/** Each recorded reply is given once. */
export function replayedModels({ replies, withinMs }: ReplayOptions): LabModels {
  const left = new Set(replies);
  const awaited = new Set<Promise<unknown>>();
  const counts = { asked: 0, same: 0, near: 0, without: 0 };
  let divergedAtMs: number | null = null;

  const answer = (request: ModelRequest, atMs: number): LabAnswer => {
    counts.asked += 1;
    const hash = textHashOf(request, request.words);
    const alike = [...left].filter(({ prompt, purpose }) => prompt === request.prompt && purpose === request.purpose);
    const same = nearest(
      alike.filter(({ textHash }) => textHash === hash),
      atMs,
    );
    const reply =
      same ??
      nearest(
        alike.filter((found) => Math.abs(found.atMs - atMs) <= withinMs),
        atMs,
      );
    if (same === null) divergedAtMs ??= atMs;
    counts[same ? "same" : reply ? "near" : "without"] += 1;
    if (reply === null)
      return { outcome: { kind: "not-sent", message: "no reply was recorded for this decision point" }, latencyMs: 0 };
    left.delete(reply);
    return answered(reply, request);
  };
  return {
    client: (clock) => answeringBy(clock, awaited, (request, atMs) => Promise.resolve(answer(request, atMs))),
    awaited: () => allOf(awaited),
    stopped: () => null,
    summary: () => ({ how: "replay", ...counts, divergedAtMs }),
  };
}

function nearest(replies: readonly RecordedReply[], atMs: number): RecordedReply | null {
  let best: RecordedReply | null = null;
  for (const reply of replies)
    if (best === null || Math.abs(reply.atMs - atMs) < Math.abs(best.atMs - atMs)) best = reply;
  return best;
}

function answered(reply: RecordedReply, { words }: ModelRequest): LabAnswer {
  const { promptTokens, cachedTokens, completionTokens, costUsd, latencyMs } = reply;
  return {
    outcome: {
      kind: "answered",
      text: echoing(reply.replyText, reply.echo, words.echo),
      finishReason: "stop",
      usage: { promptTokens, cachedTokens, completionTokens },
      costUsd,
      declined: false,
      thoughts: "",
      answeredIn: "content",
    },
    latencyMs,
  };
}
