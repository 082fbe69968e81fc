/** ORDER_BOOK: a snapshot, then changes about every 250 ms. Spec: 1 §6.1; records §10.5. */
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import { amountField, countField, isAmount, isCount, isPrice, isRecord, numberOf, priceField } from "./numbers.ts";

/** [price, quantity]; quantity 0 removes the level. Further elements are ignored. */
const level = z.tuple([priceField, amountField]).rest(z.unknown());
const updateType = z.enum(["snapshot", "all", "update"]);

/** Absolute new quantities. The older API generation writes the sides in lower case and sequence numbers as text. */
export const orderBookData = z
  .looseObject({
    /** The general documents place this in `arg`, with `all` for a snapshot. */
    updatetype: updateType.nullish(),
    /** Increases with every message of the symbol. */
    seq: countField,
    /** The `seq` of the previous message, where the server sends it; a snapshot has none, or null or -1. */
    pre_seq: z.unknown().optional(),
    Bids: z.array(level).nullish(),
    Asks: z.array(level).nullish(),
    bids: z.array(level).nullish(),
    asks: z.array(level).nullish(),
    ts: countField,
  })
  .refine((data) => (data.Bids ?? data.bids ?? data.Asks ?? data.asks ?? null) !== null, { error: "Bids or Asks" });

const isUpdateType = (value: unknown): value is string => value === "snapshot" || value === "update" || value === "all";

function areLevels(side: unknown): side is readonly (readonly unknown[])[] {
  if (!Array.isArray(side)) return false;
  for (const row of side) {
    if (!Array.isArray(row) || !isPrice(row[0]) || !isAmount(row[1])) return false;
  }
  return true;
}

/** A missing or null side is empty; a side that is present, in either spelling, must be valid. */
const sideIsSound = (side: unknown): boolean => side === undefined || side === null || areLevels(side);

function reportSide(bid: boolean, side: unknown, sink: MarketSink): void {
  if (!areLevels(side)) return;
  for (const row of side) {
    const [price, qty] = row;
    if (isPrice(price) && isAmount(qty)) sink.bookLevel(bid, numberOf(price), numberOf(qty));
  }
}

/**
 * Null when read; otherwise the invalid field, and the sink received nothing: half a book is worse than none. `argType`
 * is the `updatetype` of `arg`, for the older API generation.
 */
export function readOrderBook(symbol: string, data: unknown, argType: unknown, sink: MarketSink): string | null {
  if (!isRecord(data)) return "data";
  const { Bids, Asks, bids, asks, seq, ts, updatetype } = data;
  const type = updatetype ?? argType;
  if (!isUpdateType(type)) return "updatetype";
  if (!isCount(seq)) return "seq";
  if (!isCount(ts)) return "ts";
  if (!sideIsSound(Bids) || !sideIsSound(bids)) return "Bids";
  if (!sideIsSound(Asks) || !sideIsSound(asks)) return "Asks";
  if ((Bids ?? bids ?? Asks ?? asks ?? null) === null) return "Bids";
  sink.bookBegin(symbol, type !== "update", numberOf(seq), numberOf(ts));
  reportSide(true, Bids ?? bids, sink);
  reportSide(false, Asks ?? asks, sink);
  sink.bookEnd();
  return null;
}
