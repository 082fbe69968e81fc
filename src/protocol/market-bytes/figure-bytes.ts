/** The channels whose push is one object of figures: BBO, TICKER, MARK_PRICE, INDEX_PRICE and OPEN_INTEREST. */
import type { MarketSink } from "../../domain/market.ts";
import { BRACKET, type ByteReader, nameBytes } from "./byte-reader.ts";

/** What a field must be, as `market/numbers.ts` says it. */
type Rule = "price" | "amount" | "number" | "count";

/** Reads the `data` of a channel, whole or not at all; `report` then passes on what the last `read` has read. */
export interface ByteForm {
  /** False if it is not exactly of this form; it may be a valid push all the same. */
  read(reader: ByteReader): boolean;
  report(symbol: string, sink: MarketSink): void;
}

interface Fields {
  readonly names: readonly Uint8Array[];
  readonly rules: readonly Rule[];
  readonly values: Float64Array;
}

const fieldsOf = (rules: Readonly<Record<string, Rule>>): Fields => ({
  names: Object.keys(rules).map(nameBytes),
  rules: Object.values(rules),
  values: new Float64Array(Object.keys(rules).length),
});

/** Puts a value into its place; false if it breaks the rule or is written in an unknown way. */
export function readFigure(reader: ByteReader, rule: Rule, into: Float64Array, place: number): boolean {
  if (rule === "count") return reader.count(into, place);
  if (!reader.number(into, place)) return false;
  const value = into[place] ?? NaN;
  if (rule === "price") return value > 0;
  return rule === "number" || value >= 0;
}

/** Every field once, in any order, and no other. */
function readFields(reader: ByteReader, { names, rules, values }: Fields): boolean {
  if (!reader.takes(BRACKET.object)) return false;
  let seen = 0;
  for (let read = 0; ; read++) {
    const field = reader.name(names, read);
    const rule = rules[field];
    if (rule === undefined || (seen & (1 << field)) !== 0) return false;
    if (!readFigure(reader, rule, values, field)) return false;
    seen |= 1 << field;
    const more = reader.goesOn(BRACKET.objectEnd);
    if (more === null) return false;
    if (!more) return seen === (1 << names.length) - 1;
  }
}

const at = (values: Float64Array, field: number): number => values[field] ?? NaN;

/** `report` gets the values in the order of the rules. */
function figureForm(
  rules: Readonly<Record<string, Rule>>,
  report: (sink: MarketSink, symbol: string, of: Float64Array) => void,
): ByteForm {
  const fields = fieldsOf(rules);
  return {
    read: (reader) => readFields(reader, fields),
    report: (symbol, sink) => report(sink, symbol, fields.values),
  };
}

export const BBO = figureForm(
  { bid: "price", bidqty: "amount", ask: "price", askqty: "amount", ts: "count" },
  (sink, symbol, of) => sink.bbo(symbol, at(of, 0), at(of, 1), at(of, 2), at(of, 3), at(of, 4)),
);
export const TICKER = figureForm(
  { last: "price", chg: "number", high24h: "price", low24h: "price", vol24h: "amount", ts: "count" },
  (sink, symbol, of) => sink.ticker(symbol, at(of, 0), at(of, 1), at(of, 2), at(of, 3), at(of, 4), at(of, 5)),
);
export const MARK_PRICE = figureForm({ markpx: "price", ts: "count" }, (sink, symbol, of) =>
  sink.mark(symbol, at(of, 0), at(of, 1)),
);
export const INDEX_PRICE = figureForm({ indexpx: "price", ts: "count" }, (sink, symbol, of) =>
  sink.index(symbol, at(of, 0), at(of, 1)),
);
export const OPEN_INTEREST = figureForm({ open_interest: "amount", ts: "count" }, (sink, symbol, of) =>
  sink.openInterest(symbol, at(of, 0), at(of, 1)),
);
