/**
 * Diverts `snapshot` rows: the whole goes to the page store, the row keeps its name and hash. The work is done after the
 * step that asked for it, so that orders do not wait for the record of why they were sent.
 */
import type { JournalPort } from "../agent/contract/ports.ts";
import { BoundedMap } from "../core/bounded.ts";
import type { Log } from "../core/log.ts";
import type { PageStore } from "../journal/page-store.ts";
import type { RowBody } from "../rows/row.ts";
import { aboutPage, snapshotRow } from "../rows/snapshot.ts";

/** `snapshot` rows of a decision take the detour; all others go straight through. */
export interface PageKeeper extends JournalPort {
  /** Ends when every page that was handed in has been written. */
  idle(): Promise<void>;
}

/** Decisions whose pages are counted; older ones get no further pages. */
const DECISIONS_COUNTED = 1_000;

/** A page that cannot be kept is logged and changes nothing else: it explains, and nothing rests on it. */
export function keepPages(append: JournalPort["append"], store: PageStore, log: Log): PageKeeper {
  const counts = new BoundedMap<string, number>(DECISIONS_COUNTED);
  let work: Promise<void> = Promise.resolve();

  const keep = async (body: RowBody, decisionId: string): Promise<void> => {
    // A turn of the event loop lies between the decision and its record.
    await new Promise((resolve) => setImmediate(resolve));
    const number = (counts.get(decisionId) ?? 0) + 1;
    counts.set(decisionId, number);
    const { row, written } = store.put(`${decisionId}.${number}`, body);
    append(snapshotRow({ ...row, ...aboutPage(body) }), decisionId);
    const kept = await written;
    if (!kept.ok) throw new Error(kept.error);
  };

  return {
    append: (value, decisionId) => {
      if (value.kind !== "snapshot" || decisionId === null) return append(value, decisionId);
      // A page explains and nothing rests on it: that it is not there yet holds up no order.
      work = work
        .then(() => keep(value.body, decisionId))
        .catch((cause: unknown) => {
          const reason = cause instanceof Error ? cause.message : String(cause);
          log.event("warn", "journal.page-lost", `What a decision saw could not be kept; it stands: ${reason}`, {
            decision: decisionId,
            reason,
          });
        });
      return undefined;
    },
    idle: () => work,
  };
}
