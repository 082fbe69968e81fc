/** Recorded books played into a real exchange, and the same books replayed by other, naive means. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { dec } from "../../../src/core/decimal.ts";
import type { Exchange } from "../../../src/sim/exchange/contract/api.ts";
import type { MarketInput, SymbolSpec } from "../../../src/sim/exchange/contract/market-api.ts";
import { createExchange } from "../../../src/sim/exchange/exchange.ts";
import { createReplay, type ReplaySettings, type ReplayTape } from "../../../src/sim/market/replay.ts";
import { specFor } from "./recorder.ts";

export const ALICE = "2188000000000001";

export interface Stage {
  readonly tape: ReplayTape;
  readonly exchange: Exchange;
  readonly spec: SymbolSpec;
  /** Every call of the tape as a line, where that was asked for. */
  readonly calls: string[];
}

/** The whole of a tape: its own exchange, and one account of a million. Started, not yet moved. */
export function stage(
  { noted = false, ...given }: Partial<ReplaySettings> & { readonly dir: string; readonly noted?: boolean },
  startMs: number,
): Stage {
  const symbols = given.symbols ?? [specFor("BTC")];
  const opened = createReplay({ entropy: seededEntropy(1), ...given, symbols });
  if (!opened.ok) throw new Error(opened.error);
  const tape = opened.value;
  const settings = { enforceUniverse: false, eliminationBelowUsdt: null };
  const exchange = createExchange({ symbols: tape.symbols, phase: 2, startMs, settings });
  const initialUsdt = dec(1_000_000);
  exchange.openAccount({ accountId: ALICE, exchanges: ["EXCHANGE_A"], initialUsdt, mode: "BOTH" }, startMs);
  const calls: string[] = [];
  tape.start(noted ? noting(exchange.market, calls) : exchange.market, startMs);
  return { tape, exchange, spec: tape.symbols[0] ?? specFor("BTC"), calls };
}

function noting(input: MarketInput, calls: string[]): MarketInput {
  const note =
    <A extends readonly unknown[]>(name: string, call: (...given: A) => void) =>
    (...given: A): void => {
      calls.push(`${name} ${JSON.stringify(given)}`);
      call(...given);
    };
  return {
    setLiquidity: note("set", input.setLiquidity),
    changeLiquidity: note("change", input.changeLiquidity),
    print: note("print", input.print),
    setMark: note("mark", input.setMark),
    setFunding: note("funding", input.setFunding),
    setOpenInterest: note("interest", input.setOpenInterest),
    setState: note("state", input.setState),
  };
}

type Side = "bid" | "ask";

/** A book as its files give it: quantity by price, both as numbers. */
export interface NaiveBook {
  readonly bid: Map<number, number>;
  readonly ask: Map<number, number>;
}

export interface NaiveEvent {
  readonly atMs: number;
  readonly finalId: number;
  readonly rows: readonly (readonly [side: Side, price: number, qty: number])[];
}

const rowsOf = (path: string): string[][] => {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").trimEnd();
  return text
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
};

/** Snapshot, then the events that come after it, all in memory and by the columns' places. */
export function readNaively(snapshot: string, deltas: string): { book: NaiveBook; events: NaiveEvent[] } {
  const book: NaiveBook = { bid: new Map(), ask: new Map() };
  let id = 0;
  for (const [, last, side, price, qty] of rowsOf(snapshot)) {
    id = Number(last);
    book[side as Side].set(Number(price), Number(qty));
  }
  const events: (NaiveEvent & { rows: [Side, number, number][] })[] = [];
  for (const [, atMs, , , final, , side, price, qty] of rowsOf(deltas)) {
    if (Number(final) < id) continue;
    if (events.at(-1)?.finalId !== Number(final)) events.push({ atMs: Number(atMs), finalId: Number(final), rows: [] });
    events.at(-1)?.rows.push([side as Side, Number(price), Number(qty)]);
  }
  return { book, events };
}

export function applyNaively(book: NaiveBook, { rows }: NaiveEvent): void {
  for (const [side, price, qty] of rows) {
    if (qty === 0) book[side].delete(price);
    else book[side].set(price, qty);
  }
}

/** Best bids and asks by update id: `[bid, bidQty, ask, askQty]`. */
export function readQuotes(path: string): Map<number, readonly number[]> {
  return new Map(rowsOf(path).map(([, , , id, ...figures]) => [Number(id), figures.map(Number)]));
}

/** What the exchange serves, in the recording's own figures. */
export function served({ exchange, spec }: Stage): { bids: [number, number][]; asks: [number, number][] } {
  const { tickSize, lotSize, symbol } = spec.rules;
  const [tick, lot] = [Math.round(1 / tickSize.toNumber()), Math.round(1 / lotSize.toNumber())];
  const figures = (side: readonly (readonly [number, number])[]): [number, number][] =>
    side.map(([ticks, lots]) => [ticks / tick, lots / lot]);
  const { bids, asks } = exchange.book(symbol);
  return { bids: figures(bids), asks: figures(asks) };
}

/** The naive book best first, as `served` gives it. */
export const sorted = ({ bid, ask }: NaiveBook): { bids: [number, number][]; asks: [number, number][] } => ({
  bids: [...bid].sort((a, b) => b[0] - a[0]),
  asks: [...ask].sort((a, b) => a[0] - b[0]),
});
