/** Closes of earlier runs, from the journal: the venue itself names the orders that carry them out. */
import { FOLLOWS_WITHIN_MS, type LostClose, type NamedClose } from "../agent/books/own-closes.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { type FillRow, readFill } from "../rows/fill.ts";
import { readOrder } from "../rows/order.ts";
import { readWireIn, type WireInRow } from "../rows/wire-in.ts";
import { readWireOut, textParam, type WireOutRow } from "../rows/wire-out.ts";
import { lastRows, rowTimes } from "./row-times.ts";

const WRITES_LOOKED_AT = 1_000;

/** The close that a write requested; null for any other write. In one-way mode it names no side. */
export function closeIn(write: WireOutRow): { readonly symbol: string; readonly side: "LONG" | "SHORT" | null } | null {
  const [symbol, side] = [textParam(write, "symbol"), textParam(write, "positionSide")];
  if (write.action !== "position.close" || symbol === null) return null;
  return { symbol, side: side === "LONG" || side === "SHORT" ? side : null };
}

/** The order that a reply named as the one of our close; null if it named none. */
const orderNamedBy = ({ action, reply }: WireInRow): string | null =>
  action === "position.close" && reply?.orderId ? reply.orderId : null;

/** Orders that a reply named as those of our closes, however long ago. */
const namedOrders = (reader: JournalReader): readonly string[] =>
  reader
    .rows({ kinds: ["wire-in"], limit: WRITES_LOOKED_AT, newest: true })
    .flatMap((row) => orderNamedBy(readWireIn(row)) ?? []);

/** Whether an order that the venue named itself closed that position after the close was sent: that order carried it out. */
const carriesOut = ({ leg, opening, orderId, clientOrderId, atMs }: FillRow, close: LostClose): boolean =>
  leg === close.positionKey && !opening && clientOrderId === orderId && atMs >= close.notBeforeMs;

type Requested = Omit<LostClose, "atMs">;

/** What a close carries out of what the agent requested; without a side, the last request in its symbol. Undefined if there is none. */
function requestOf(
  { symbol, side }: NonNullable<ReturnType<typeof closeIn>>,
  requested: readonly Requested[],
): Requested | undefined {
  const keys = (side ? [side] : (["LONG", "SHORT"] as const)).map((each) => positionKeyOf(symbol, each));
  const found = requested.findLast(({ positionKey }) => keys.includes(positionKey));
  return found ?? (side ? { positionKey: positionKeyOf(symbol, side), notBeforeMs: -Infinity } : undefined);
}

/**
 * The orders that carried out closes, by their replies or by fills of the journal's last minutes; and the closes of these minutes
 * whose reply was lost or inconclusive, and which no fill has carried out: their fills may be heard of only now.
 */
export function pastCloses(
  reader: JournalReader,
  nowMs: number,
): { readonly namedCloses: readonly NamedClose[]; readonly lostCloses: readonly LostClose[] } {
  const timeOf = rowTimes(reader, nowMs);
  const named = new Map(namedOrders(reader).map((orderId) => [orderId, -Infinity]));
  const sent = new Map<string, LostClose>();
  const lost = new Map<string, LostClose>();
  const requested: Requested[] = [];
  const kinds = ["order", "wire-out", "wire-in", "fill"] as const;
  for (const { row } of lastRows(reader, kinds, FOLLOWS_WITHIN_MS, timeOf)) {
    if (row.kind === "order") {
      const order = readOrder(row);
      if ("close" in order) requested.push({ positionKey: order.close, notBeforeMs: order.notBeforeMs ?? -Infinity });
    } else if (row.kind === "fill") {
      const fill = readFill(row);
      for (const [previewId, close] of lost) {
        if (!carriesOut(fill, close)) continue;
        lost.delete(previewId);
        named.set(fill.orderId, close.atMs);
      }
    } else if (row.kind === "wire-in") {
      const reply = readWireIn(row);
      const { action, previewId, outcome } = reply;
      const [orderId, close] = [orderNamedBy(reply), sent.get(previewId)];
      if (orderId !== null && close) named.set(orderId, close.atMs);
      if (action === "position.close" && outcome !== "unknown") lost.delete(previewId);
    } else {
      const write = readWireOut(row);
      const close = closeIn(write);
      const request = close && requestOf(close, requested);
      if (!request) continue;
      const requestedNow = { ...request, atMs: timeOf(row) };
      sent.set(write.previewId, requestedNow);
      lost.set(write.previewId, requestedNow);
    }
  }
  const namedCloses = [...named].map(([orderId, askedMs]) => ({ orderId, askedMs }));
  return { namedCloses, lostCloses: [...lost.values()] };
}
