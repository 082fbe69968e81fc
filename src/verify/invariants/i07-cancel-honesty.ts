import { rec, text, texts } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { journalView, type Write } from "../journal-view.ts";
import type { Row } from "../rows.ts";

/** I7: an opening order under cancellation counts as exposure until its end is proven; judged from rows alone. */
export const i07: Invariant = {
  id: "I7",
  title: "Cancel honesty",
  rule: "From the request to cancel an opening order until evidence of its end, the order stands in what every other opening order counted as exposure (`seen.counted`).",
  needs: [],
  more: [],
  unseen: "",
  judge: (history) => cancels(history).flatMap((cancel) => uncounted(history, cancel)),
};

interface Cancel {
  readonly clientOrderId: string;
  readonly fromSeq: number;
  readonly toSeq: number;
}

function cancels(history: History): readonly Cancel[] {
  const { kinds, writes, intents } = journalView(history);
  const asked: { id: string; seq: number }[] = [];
  const byOrder = ownNames(writes);
  for (const { action, params, row } of writes) {
    if (action !== "order.cancel") continue;
    const id = text(params, "clientOrderId") ?? byOrder.get(text(params, "orderId") ?? "");
    if (id) asked.push({ id, seq: row.seq });
  }
  for (const { body, seq } of kinds("order")) {
    const id = text(body, "cancel");
    if (id) asked.push({ id, seq });
  }
  return asked.flatMap(({ id, seq }) => {
    const intent = intents.get(id);
    if (!intent?.opening) return [];
    return [{ clientOrderId: id, fromSeq: seq, toSeq: endSeq(intent.ends, kinds("order"), id) }];
  });
}

/** Client order ids by the venue's ids: a cancel by hand may use either. */
function ownNames(writes: readonly Write[]): ReadonlyMap<string, string> {
  return new Map(
    writes.flatMap(({ clientOrderId, answer }): [string, string][] => {
      const orderId = answer && text(rec(answer.body, "reply") ?? {}, "orderId");
      return orderId && clientOrderId ? [[orderId, clientOrderId]] : [];
    }),
  );
}

function endSeq(ends: readonly Row[], orders: readonly Row[], id: string): number {
  const over = orders.find(({ body }) => text(body, "clientOrderId") === id && body["ended"] === true);
  return Math.min(ends[0]?.seq ?? Infinity, over?.seq ?? Infinity);
}

function uncounted(history: History, { clientOrderId, fromSeq, toSeq }: Cancel): readonly Finding[] {
  const missing = ({ row, opening, seen, clientOrderId: own }: Write): boolean =>
    opening &&
    own !== clientOrderId &&
    row.seq > fromSeq &&
    row.seq < toSeq &&
    (seen === null || !texts(seen, "counted").includes(clientOrderId));
  return journalView(history)
    .writes.filter(missing)
    .map(({ row, clientOrderId: own }) =>
      finding(row.seq, `${own ?? "an order"} left without counting ${clientOrderId}, which was being cancelled`),
    );
}
