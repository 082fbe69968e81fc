import { text } from "../fields.ts";
import { type Finding, finding, type History, type Invariant } from "../history.ts";
import { aliveFrom, dueAt } from "../alive.ts";
import { isNil } from "../decimal.ts";
import { journalView, outcomeOf } from "../journal-view.ts";
import { knownIds } from "../known-ids.ts";
import type { VenueOrder } from "../venue-facts.ts";
import { NEEDS } from "../service.ts";
import { factsOf, OVER } from "../venue-view.ts";

const TAG_WITHIN_MS = 30_000;

/** I3: an order is ours or tagged as external within 30 s of time in which the agent could act. */
export const i03: Invariant = {
  id: "I3",
  title: "Closure",
  rule: "Every order at the venue maps to an intent or write of the journal, or is tagged external within 30 s of readiness; while a foreign order lives, nothing is opened in its symbol.",
  needs: ["venue ledger"],
  more: [],
  unseen: "",
  judge: (history) => externals(history).flatMap((external) => problems(history, external)),
};

interface External {
  readonly order: VenueOrder;
  readonly fromMs: number;
  readonly toMs: number;
}

function externals(history: History): readonly External[] {
  const known = knownIds(history);
  const byId = new Map<string, { order: VenueOrder; fromMs: number; toMs: number }>();
  for (const { order, atMs } of factsOf(history, "order")) {
    if (known.isOurs(order)) continue;
    const found = byId.get(order.orderId) ?? { order, fromMs: atMs, toMs: Infinity };
    found.order = order;
    if (OVER.has(order.state)) found.toMs = Math.min(found.toMs, atMs);
    byId.set(order.orderId, found);
  }
  return [...byId.values()].filter((external) => !unseen(history, external));
}

/** It filled nothing and never rested, or it ended while the agent could not act: no list of the venue contains it. */
const unseen = (history: History, { order, fromMs, toMs }: External): boolean =>
  isNil(order.executed) &&
  (order.state === "REJECTED" || toMs === fromMs || aliveFrom(history, NEEDS.fills, fromMs) > toMs);

function problems(history: History, { order, fromMs, toMs }: External): readonly Finding[] {
  const view = journalView(history);
  const tag = view
    .kinds("reconcile")
    .find((row) => row.body["event"] === "external-order" && text(row.body, "orderId") === order.orderId);
  const due = dueAt(history, NEEDS.fills, { fromMs, spanMs: TAG_WITHIN_MS });
  const found: Finding[] = [];
  if (due !== null && !(tag && tag.atMs <= due + history.skewMs)) {
    const how = tag ? `was tagged only at ${tag.atMs}` : "was never tagged as external";
    found.push(finding(tag?.seq ?? null, `order ${order.orderId} (${order.symbol}) of ${fromMs} ${how}`));
  }
  const knownMs = Math.min(tag?.atMs ?? Infinity, due ?? Infinity);
  for (const write of view.writes) {
    const { atMs, seq } = write.row;
    if (
      !write.opening ||
      outcomeOf(write) === "not-sent" ||
      text(write.order, "symbol") !== order.symbol ||
      atMs <= knownMs ||
      atMs >= toMs
    )
      continue;
    found.push(finding(seq, `opened in ${order.symbol} while the foreign order ${order.orderId} lived`));
  }
  return found;
}
