/** ORDER_BOOK from its bytes: kind, sequence numbers and levels, in any order. */
import { BRACKET, type ByteReader, bytesOf, COMMA, nameBytes } from "./byte-reader.ts";
import { type ByteForm, readFigure } from "./figure-bytes.ts";

const NAMES = ["updatetype", "seq", "pre_seq", "Bids", "Asks", "bids", "asks", "ts"].map(nameBytes);
const FIELD = { updatetype: 0, seq: 1, preSeq: 2, bids: 3, asks: 4, olderBids: 5, olderAsks: 6, ts: 7 } as const;
const UPDATE_TYPES = ["update", "snapshot", "all"] as const;
const UPDATE_WORDS = UPDATE_TYPES.map((word) => bytesOf(`"${word}"`));
const NULL = bytesOf("null");
const LEVELS_AT_FIRST = 64;

interface Side {
  /** Prices and quantities in turn. */
  values: Float64Array;
  levels: number;
}
const emptySide = (): Side => ({ values: new Float64Array(2 * LEVELS_AT_FIRST), levels: 0 });

/** What a book message says of its place in the sequence. */
export interface BookHead {
  updatetype: (typeof UPDATE_TYPES)[number];
  seq: number;
  preSeq: number | null | undefined;
}

const [SEQ, PRE_SEQ, TS] = [0, 1, 2];
const counts = new Float64Array(3);
const [bids, asks] = [emptySide(), emptySide()];
const head: BookHead = { updatetype: "update", seq: 0, preSeq: undefined };

function readSide(reader: ByteReader, side: Side): boolean {
  if (!reader.takes(BRACKET.list)) return false;
  if (reader.takes(BRACKET.listEnd)) return true;
  for (;;) {
    if (!readLevel(reader, side)) return false;
    const more = reader.goesOn(BRACKET.listEnd);
    if (more === null) return false;
    if (!more) return true;
  }
}

function readLevel(reader: ByteReader, side: Side): boolean {
  const place = 2 * side.levels;
  if (place === side.values.length) widen(side);
  side.levels += 1;
  return (
    reader.takes(BRACKET.list) &&
    readFigure(reader, "price", side.values, place) &&
    reader.takes(COMMA) &&
    readFigure(reader, "amount", side.values, place + 1) &&
    reader.takes(BRACKET.listEnd)
  );
}

function widen(side: Side): void {
  const wider = new Float64Array(2 * side.values.length);
  wider.set(side.values);
  side.values = wider;
}

/** A snapshot has none, or null or -1. */
function readPreSeq(reader: ByteReader): boolean {
  if (reader.takesAll(NULL)) {
    head.preSeq = null;
    return true;
  }
  if (!reader.number(counts, PRE_SEQ)) return false;
  head.preSeq = counts[PRE_SEQ] ?? NaN;
  return Number.isInteger(head.preSeq);
}

function readUpdateType(reader: ByteReader): boolean {
  const type = UPDATE_TYPES[reader.name(UPDATE_WORDS, 0)];
  if (type) head.updatetype = type;
  return type !== undefined;
}

function readField(reader: ByteReader, field: number): boolean {
  switch (field) {
    case FIELD.updatetype:
      return readUpdateType(reader);
    case FIELD.seq:
      if (!reader.count(counts, SEQ)) return false;
      head.seq = counts[SEQ] ?? NaN;
      return true;
    case FIELD.preSeq:
      return readPreSeq(reader);
    case FIELD.bids:
    case FIELD.olderBids:
      return readSide(reader, bids);
    case FIELD.asks:
    case FIELD.olderAsks:
      return readSide(reader, asks);
    case FIELD.ts:
      return reader.count(counts, TS);
    default:
      return false;
  }
}

/** Both spellings of a side are one field: it comes once. */
const placeOf = (field: number): number =>
  1 << (field === FIELD.olderBids ? FIELD.bids : field === FIELD.olderAsks ? FIELD.asks : field);

const SIDES = placeOf(FIELD.bids) | placeOf(FIELD.asks);
const NEEDED = placeOf(FIELD.updatetype) | placeOf(FIELD.seq) | placeOf(FIELD.ts);

function read(reader: ByteReader): boolean {
  if (!reader.takes(BRACKET.object)) return false;
  bids.levels = 0;
  asks.levels = 0;
  head.preSeq = undefined;
  let seen = 0;
  for (let guess = 0; ;) {
    const field = reader.name(NAMES, guess);
    if (field === -1 || (seen & placeOf(field)) !== 0 || !readField(reader, field)) return false;
    seen |= placeOf(field);
    guess = field === FIELD.asks ? FIELD.ts : field + 1;
    const more = reader.goesOn(BRACKET.objectEnd);
    if (more === null) return false;
    if (!more) return (seen & NEEDED) === NEEDED && (seen & SIDES) !== 0;
  }
}

/** The last message that was read. */
export const bookHead = (): Readonly<BookHead> => head;

/** The older generation, which has `updatetype` in `arg`, takes the longer way. */
export const ORDER_BOOK: ByteForm = {
  read,
  report: (symbol, sink) => {
    sink.bookBegin(symbol, head.updatetype !== "update", head.seq, counts[TS] ?? NaN);
    sink.bookSide(true, bids.values, bids.levels);
    sink.bookSide(false, asks.values, asks.levels);
    sink.bookEnd();
  },
};
