/** What an honest agent and venue write of one write: the preview, the reservation, the request and the venue's answer. */
import { type Body, type Entry, hashOfParams, nextId, pass, row, type Story } from "./story.ts";

export interface WriteOptions {
  readonly decisionId?: string | null;
  readonly sessionId?: string | null;
  readonly seen?: Body | null;
  /** What a session counts; reserved before the row when there is a session. */
  readonly reserve?: string;
}

/** Preview, reservation and wire-out row of one write. */
export function write(story: Story, action: string, params: Body, options: WriteOptions = {}): Entry {
  const { decisionId = null, sessionId = null, seen = null, reserve } = options;
  const previewId = nextId(story, "rpv").replaceAll("-", "_");
  const paramsHash = hashOfParams(params);
  const clientOrderId =
    typeof params["clientOrderId"] === "string" && /place$/.test(action) ? params["clientOrderId"] : null;
  const common = {
    previewId,
    action,
    params,
    paramsHash,
    runtime: `daemon-${story.runId}`,
    automationSessionId: sessionId,
    clientOrderId,
  };
  row(story, "preview", { ...common, expiresAtMs: story.nowMs + 300_000 }, decisionId);
  pass(story, 5);
  if (sessionId !== null && reserve !== undefined)
    row(
      story,
      "session",
      { event: "reserved", automationSessionId: sessionId, previewId, notional: reserve },
      decisionId,
    );
  return row(story, "wire-out", { ...common, decisionId, seen }, decisionId);
}

/** The row with the venue's answer to the last write. */
export function answer(story: Story, outcome: string, reply: Body | null = null): Entry {
  const out = story.entries.findLast((entry) => entry.kind === "wire-out");
  const { previewId, action, clientOrderId } = out?.body ?? {};
  return row(
    story,
    "wire-in",
    { previewId, action, clientOrderId, outcome, message: outcome, reply },
    out?.decisionId ?? null,
  );
}
