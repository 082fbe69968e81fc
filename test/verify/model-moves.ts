/** What an honest agent and venue write of a question to a model: reservation, charge, settlement, answer. */
import { type Body, type Entry, nextId, pass, row, type Story } from "./story.ts";

/** A question to a model with its money, up to the answer. */
export function ask(story: Story, decisionId: string, costUsd = "0.002"): string {
  const attemptId = nextId(story, "ask");
  row(story, "question", { prompt: "llm-trader", fingerprint: "f" }, decisionId);
  row(
    story,
    "model-reserve",
    { attemptId, decisionId, purpose: "decision", model: "m-1", atMs: story.nowMs, boundUsd: "0.01" },
    decisionId,
  );
  pass(story, 10);
  const startedMs = story.nowMs;
  pass(story, 800);
  story.charges.push({
    seq: story.charges.length + 1,
    startedMs,
    atMs: story.nowMs,
    model: "m-1",
    requestId: attemptId,
    costUsd,
  });
  pass(story, 20);
  row(story, "model-settle", { attemptId, atMs: story.nowMs, costUsd, how: "actual" });
  question(story, decisionId, attemptId, { costUsd });
  return attemptId;
}

/** The row of an answer. */
export function question(story: Story, decisionId: string, attempt: string, change: Body = {}): Entry {
  const outcome = {
    kind: "answered",
    model: "m-1",
    cached: false,
    costUsd: "0",
    promptHash: "h",
    attempt,
    key: "k-1",
    ...change,
  };
  return row(story, "question", { prompt: "llm-trader", fingerprint: "f", outcome }, decisionId);
}
