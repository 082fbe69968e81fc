/**
 * Orders of ours that the journal does not know: after a volume was restored from an old copy or deleted, or with a
 * second agent on a folder of its own. Until the venue's history has been compared, nothing is opened; unknown orders
 * are journaled as history, and a person must resume. Spec: faults D6 and O6; ground rule 1.
 */
import { isPassing } from "./agent-rows.ts";
import type { Clock, Stop } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { describeOutcome } from "../core/outcome.ts";
import { DAY_MS } from "../core/time.ts";
import type { Order } from "../domain/order.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import type { Journal } from "../journal/journal.ts";
import type { Feed } from "./streams.ts";
import { readIntent } from "../rows/intent.ts";
import { readReconcile, reconcileRow } from "../rows/reconcile.ts";
import { counted } from "../core/words.ts";

/** The form of the client order ids of all our agents. */
const OUR_ID = /^i-[0-9a-z]+-[0-9a-z]+$/;
/** The venue lists seven days by default; the journal keeps our ids for longer. */
const LOOK_BACK_MS = 6 * DAY_MS;
const AGAIN_MS = 10_000;
const HOLD = "history";

/** Every client order id in the journal: of our own orders, of adopted ones, and of those that a comparison has shown before. */
export function knownIds(journal: Pick<Journal, "rows">, sinceMs: number): ReadonlySet<string> {
  const known = new Set<string>();
  for (const row of journal.rows({ kinds: ["intent", "reconcile"], sinceMs })) {
    if (row.kind === "intent") {
      const intent = readIntent(row);
      if (intent.event !== "end") known.add(intent.clientOrderId);
      continue;
    }
    const found = readReconcile(row);
    if (found.event === "external-order") known.add(found.clientOrderId);
    if (found.event === "adopted-orders") for (const id of found.ids) known.add(id);
  }
  return known;
}

/** The venue's orders with an id of ours that no row knows. */
export const unknownOf = (orders: readonly Order[], known: ReadonlySet<string>): readonly Order[] =>
  orders.filter(({ clientOrderId }) => OUR_ID.test(clientOrderId) && !known.has(clientOrderId));

export interface HistoryParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: Journal;
  readonly venue: Pick<VenuePort, "orderHistory" | "openOrders">;
  readonly feed: Feed;
}

/** Compares until it has succeeded once. The returned function stops trying. */
export function compareHistory({ clock, log, journal, venue, feed }: HistoryParts): Stop {
  let stopped = false;
  let retry: Stop = () => undefined;
  feed({ kind: "hold", cause: HOLD, reason: "the venue's orders of the last days have not been compared yet" });
  const startedMs = clock.nowMs();

  const look = async (): Promise<void> => {
    const beginMs = startedMs - LOOK_BACK_MS;
    const [past, open] = await Promise.all([venue.orderHistory({ beginMs, endMs: startedMs }), venue.openOrders()]);
    if (stopped) return;
    const failed = [past, open].find((outcome) => outcome.kind !== "done");
    if (past.kind !== "done" || open.kind !== "done") return again(failed ? describeOutcome(failed) : "");
    try {
      compared(past.value, open.value);
    } catch (cause) {
      if (!isPassing(cause)) throw cause;
      // A disk that is full for a while is no reason to stop, nor to open anything yet. Faults D1, D8.
      again(cause.message);
    }
  };
  const again = (why: string): void => {
    log.event("warn", "reconcile.failed", `the orders of the last days: ${why}`);
    retry = clock.after(AGAIN_MS, () => void look());
  };
  const compared = (past: readonly Order[], open: readonly Order[]): void => {
    // The journal already has what this run has sent meanwhile.
    const known = knownIds(journal, clock.nowMs() - 2 * LOOK_BACK_MS);
    const before = open.filter((order) => order.createdAtMs < startedMs);
    const found = unknownOf([...past, ...before], known);
    const ids = [...new Set(found.map((order) => order.clientOrderId))];
    if (ids.length > 0) {
      journal.append(reconcileRow({ event: "adopted-orders", ids }));
      const reason = `the venue holds ${counted(ids.length, "order")} of ours that this journal does not know (${ids[0]})`;
      feed({ kind: "halt", reason });
    }
    feed({ kind: "hold", cause: HOLD, reason: null });
  };
  void look();
  return () => {
    stopped = true;
    retry();
  };
}
