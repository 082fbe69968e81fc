/**
 * The desk's stores as documents on disk, safe with many concurrent commands: a session changes, and a preview is
 * taken, inside one exclusive transaction. Decimals are stored as text. Spec: 3 §3; records §17.5, §17.6, §17.9.
 */
import { err } from "../../core/result.ts";
import { refuse } from "../../desk/refusal.ts";
import type { PreviewStore, SessionStore } from "../../desk/context.ts";
import type { Documents } from "../contract/documents.ts";
import { readPreview, readSession } from "./stored-preview.ts";

const KEPT_SESSIONS = 1_000;

/** Changes run in one exclusive transaction; lists the newest 1,000 sessions. */
export function documentSessionStore(documents: Documents): SessionStore {
  return {
    get: async (id) => {
      const found = documents.get("session", id);
      return found && readSession(found);
    },
    list: async () => documents.list("session", KEPT_SESSIONS).map(readSession),
    add: async (session) =>
      documents.put("session", { id: session.automationSessionId, body: session, atMs: session.createdAtMs }),
    update: async (id, change) =>
      documents.atomically(() => {
        const found = documents.get("session", id);
        if (!found) return err(refuse("session-unknown", `no automation session ${id}`));
        const changed = change(readSession(found));
        if (changed.ok) documents.put("session", { id, body: changed.value, atMs: found.atMs });
        return changed;
      }),
  };
}

/** Previews are deleted after a day; until then a late submit gets the precise reason. */
const KEPT_MS = 86_400_000;

/** `take` is true for exactly one caller in any process. */
export function documentPreviewStore(documents: Documents): PreviewStore {
  return {
    add: async (preview) => {
      documents.put("preview", { id: preview.previewId, body: preview, atMs: preview.createdAtMs });
      documents.forget("preview", preview.createdAtMs - KEPT_MS);
    },
    get: async (id) => {
      const found = documents.get("preview", id);
      return found && readPreview(found);
    },
    take: async (id) =>
      documents.atomically(() => {
        const found = documents.get("preview", id);
        if (!found) return false;
        const preview = readPreview(found);
        if (preview.submitted) return false;
        documents.put("preview", { ...found, body: { ...preview, submitted: true } });
        return true;
      }),
  };
}

/**
 * Marks of sent client order ids, stored with the preview that sent them: the first to mark an id owns it, in any
 * process. The mark is removed if the order certainly had no effect.
 */
export function sentMarks(documents: Documents) {
  const KEPT_MARKS_MS = 7 * KEPT_MS;
  const own = new Set<string>();
  return {
    mark: (clientOrderId: string, previewId: string, atMs: number): void => {
      if (documents.putNew("sent", { id: clientOrderId, body: { previewId }, atMs })) own.add(clientOrderId);
      documents.forget("sent", atMs - KEPT_MARKS_MS);
    },
    unmark: (clientOrderId: string): void => {
      if (own.delete(clientOrderId)) documents.remove("sent", clientOrderId);
    },
    /** Whether another submit than this process's current one has sent it. */
    wasSent: (clientOrderId: string): boolean =>
      !own.has(clientOrderId) && documents.get("sent", clientOrderId) !== undefined,
  };
}
