/**
 * In-memory stores: for the daemon, whose sessions are restored from the journal, and for the tool server's previews.
 */
import { BoundedMap } from "../core/bounded.ts";
import { err } from "../core/result.ts";
import type { Preview } from "./preview.ts";
import { refuse } from "./refusal.ts";
import type { AutomationSession } from "./session.ts";
import type { PreviewStore, SessionStore } from "./context.ts";

const SESSIONS_CAP = 1_000;
/** At one write per 5 s and a lifetime of 300 s a few dozen previews are active; the rest is history. */
const PREVIEWS_CAP = 2_000;

/** `initial` is what `restoredSessions` found in the journal. */
export function memorySessionStore(initial: readonly AutomationSession[] = []): SessionStore {
  const sessions = new BoundedMap<string, AutomationSession>(SESSIONS_CAP);
  for (const session of initial) sessions.set(session.automationSessionId, session);
  return {
    get: async (id) => sessions.get(id),
    list: async () => [...sessions.values()],
    add: async (session) => sessions.set(session.automationSessionId, session),
    update: async (id, change) => {
      const session = sessions.get(id);
      if (!session) return err(refuse("session-unknown", `no automation session ${id}`));
      const changed = change(session);
      if (changed.ok) sessions.set(id, changed.value);
      return changed;
    },
  };
}

/** The last 2,000 previews of this process; a restart drops them, and waiting actions are previewed again. */
export function memoryPreviewStore(): PreviewStore {
  const previews = new BoundedMap<string, Preview>(PREVIEWS_CAP);
  return {
    add: async (preview) => previews.set(preview.previewId, preview),
    get: async (id) => previews.get(id),
    take: async (id) => {
      const preview = previews.get(id);
      if (!preview || preview.submitted) return false;
      previews.set(id, { ...preview, submitted: true });
      return true;
    },
  };
}
