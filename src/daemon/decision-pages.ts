/**
 * Diverts `snapshot` rows: the full page goes to the page store, the row keeps its name and hash. The work happens
 * after the step that requested it, so that orders do not wait for the record of their reasons.
 */
import type { JournalPort } from "../agent/contract/ports.ts";
import { BoundedMap } from "../core/bounded.ts";
import type { Log } from "../core/log.ts";
import type { PageStore } from "../journal/page-store.ts";
import type { RowBody } from "../rows/row.ts";
import { aboutPage, snapshotRow } from "../rows/snapshot.ts";

/** `snapshot` rows of a decision are diverted; all others pass through. */
export interface PageKeeper extends JournalPort {
  /** Resolves when every submitted page is written. */
  idle(): Promise<void>;
}

/** Decisions whose pages are counted; older ones get no further pages. */
const DECISIONS_COUNTED = 1_000;

/** A failed page is logged and changes nothing else: it only explains, and nothing depends on it. */
export function keepPages(append: JournalPort["append"], store: PageStore, log: Log): PageKeeper {
  const counts = new BoundedMap<string, number>(DECISIONS_COUNTED);
  let work: Promise<void> = Promise.resolve();

  const keep = async (body: RowBody, decisionId: string): Promise<void> => {
    // A tick of the event loop lies between the decision and its record.
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
      // Nothing depends on a page: no order waits for it.
      work = work
        .then(() => keep(value.body, decisionId))
        .catch((cause: unknown) => {
          const reason = cause instanceof Error ? cause.message : String(cause);
          log.event(
            "warn",
            "journal.page-lost",
            `The decision page could not be stored; the decision stands: ${reason}`,
            {
              decision: decisionId,
              reason,
            },
          );
        });
      return undefined;
    },
    idle: () => work,
  };
}
