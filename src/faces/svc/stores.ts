/**
 * The desk's stores as documents on disk, safe with many concurrent commands: a session changes, and a preview is
 * taken, inside one exclusive transaction. Decimals are stored as text. Spec: 3 §3; records §17.5, §17.6, §17.9.
 */
import { err } from "../../core/result.ts";
import { refuse } from "../../desk/refusal.ts";
import type { PreviewStore, SessionStore } from "../../desk/context.ts";
import type { Documents, StoredDocument } from "../contract/documents.ts";
import { readPreview, readSession } from "./stored-preview.ts";

const KEPT_SESSIONS = 1_000;

const accountOf = ({ body }: StoredDocument): unknown => (body as { readonly account?: unknown } | null)?.account;

/**
 * Whether a document is there for an account: what was agreed to for one, or in practice, says nothing about another.
 * Without an account nothing can be sent, and every session can be seen and stopped.
 */
const isOf = (found: StoredDocument, account: string | null): boolean =>
  account === null || accountOf(found) === account;

const findOf = (documents: Documents, kind: string, id: string, account: string | null): StoredDocument | undefined => {
  const found = documents.get(kind, id);
  return found && isOf(found, account) ? found : undefined;
};

/** Changes run in one exclusive transaction; lists the account's among the newest 1,000 sessions. */
export function documentSessionStore(documents: Documents, account: string | null): SessionStore {
  return {
    get: async (id) => {
      const found = findOf(documents, "session", id, account);
      return found && readSession(found);
    },
    list: async () =>
      documents
        .list("session", KEPT_SESSIONS)
        .filter((found) => isOf(found, account))
        .map(readSession),
    add: async (session) => {
      const { automationSessionId: id, createdAtMs: atMs } = session;
      documents.put("session", { id, body: { ...session, account }, atMs });
    },
    update: async (id, change) =>
      documents.atomically(() => {
        const found = findOf(documents, "session", id, account);
        if (!found) return err(refuse("session-unknown", `no automation session ${id}`));
        const changed = change(readSession(found));
        if (changed.ok) documents.put("session", { ...found, body: { ...changed.value, account: accountOf(found) } });
        return changed;
      }),
  };
}

/** Previews are deleted after a day; until then a late submit gets the precise reason. */
const KEPT_MS = 86_400_000;

/** `take` is true for exactly one caller in any process. */
export function documentPreviewStore(documents: Documents, account: string | null): PreviewStore {
  return {
    add: async (preview) => {
      const { previewId: id, createdAtMs: atMs } = preview;
      documents.put("preview", { id, body: { ...preview, account }, atMs });
      documents.forget("preview", preview.createdAtMs - KEPT_MS);
    },
    get: async (id) => {
      const found = findOf(documents, "preview", id, account);
      return found && readPreview(found);
    },
    take: async (id) =>
      documents.atomically(() => {
        const found = findOf(documents, "preview", id, account);
        if (!found) return false;
        const preview = readPreview(found);
        if (preview.submitted) return false;
        documents.put("preview", { ...found, body: { ...preview, submitted: true, account: accountOf(found) } });
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
