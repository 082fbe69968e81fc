/** Which order of the venue an id of ours means, as the journal says. Faults R3, V1; invariant I2. */
import type { JournalRow } from "../rows/row.ts";
import { readFill } from "../rows/fill.ts";
import { readIntent } from "../rows/intent.ts";
import { readWireIn } from "../rows/wire-in.ts";

/**
 * The venue's id by our client order id: the one that the end of the order or the reply to its request named, else that of its
 * first fill. Another order with the same client order id is a second one. Takes rows in their sequence; other kinds say nothing.
 */
export function firstOrdersOf(rows: readonly JournalRow[]): ReadonlyMap<string, string> {
  const filled = new Map<string, string>();
  const named = new Map<string, string>();
  for (const row of rows) {
    if (row.kind === "fill") {
      const { clientOrderId, orderId } = readFill(row);
      if (!filled.has(clientOrderId)) filled.set(clientOrderId, orderId);
    } else if (row.kind === "wire-in") {
      const { action, clientOrderId, reply } = readWireIn(row);
      if (action === "order.place" && clientOrderId !== null && reply?.orderId) named.set(clientOrderId, reply.orderId);
    } else if (row.kind === "intent") {
      const intent = readIntent(row);
      if (intent.event === "end" && intent.how === "terminal") named.set(intent.intentId, intent.orderId);
    }
  }
  return new Map([...filled, ...named]);
}
