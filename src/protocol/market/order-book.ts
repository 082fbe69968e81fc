/** ORDER_BOOK: a snapshot, then changes about every 250 ms. Spec: 1 §6.1; records §10.5. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import { amountField, countField, isCount, numberOf, priceField, valueOf } from "./numbers.ts";

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

/** Prices and quantities of one side in turn. Kept from frame to frame, so that a frame allocates nothing. */
interface Side {
  values: Float64Array;
  levels: number;
}
const LEVELS_AT_FIRST = 64;
const emptySide = (): Side => ({ values: new Float64Array(2 * LEVELS_AT_FIRST), levels: 0 });
const bidSide = emptySide();
const askSide = emptySide();

/** A missing or null side is empty; a side that is present must be valid. False if it is not. */
function readSide(rows: unknown, into: Side): boolean {
  into.levels = 0;
  if (rows === undefined || rows === null) return true;
  if (!Array.isArray(rows)) return false;
  if (into.values.length < 2 * rows.length) into.values = new Float64Array(4 * rows.length);
  for (const row of rows as readonly unknown[]) {
    if (!Array.isArray(row)) return false;
    const price = valueOf(row[0]);
    const qty = valueOf(row[1]);
    if (!(price > 0) || !(qty >= 0)) return false;
    into.values[2 * into.levels] = price;
    into.values[2 * into.levels + 1] = qty + 0;
    into.levels += 1;
  }
  return true;
}

/** A frame with both spellings of a side must have both valid; the newer one counts. */
const readEither = (newer: unknown, older: unknown, into: Side): boolean =>
  readSide(older, into) && (newer === undefined || newer === null || readSide(newer, into));

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
  if (!readEither(Bids, bids, bidSide)) return "Bids";
  if (!readEither(Asks, asks, askSide)) return "Asks";
  if ((Bids ?? bids ?? Asks ?? asks ?? null) === null) return "Bids";
  sink.bookBegin(symbol, type !== "update", numberOf(seq), numberOf(ts));
  sink.bookSide(true, bidSide.values, bidSide.levels);
  sink.bookSide(false, askSide.values, askSide.levels);
  sink.bookEnd();
  return null;
}
