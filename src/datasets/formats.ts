/** The dump formats that people have: how each is recognised, and which column means what. */
import { err, ok, type Result } from "../core/result.ts";

const CANDLE_COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;
const FUNDING_COLUMNS = ["time", "rate"] as const;
const TRADE_COLUMNS = ["time", "price", "qty"] as const;
/** What a column of a dump can mean to us. */
export type Meaning =
  | (typeof CANDLE_COLUMNS)[number]
  | (typeof FUNDING_COLUMNS)[number]
  | (typeof TRADE_COLUMNS)[number]
  | "id"
  | "symbol"
  | "confirmed";
export type Places = Readonly<Partial<Record<Meaning, number>>>;

/** `headed`: the first row names the columns and holds no figures. */
export interface TableFormat {
  readonly kind: "candles" | "funding" | "trades";
  readonly places: Places;
  readonly headed: boolean;
}

interface KnownFormat {
  readonly kind: TableFormat["kind"];
  /** The headings that a table must have, by meaning. */
  readonly headings: Readonly<Partial<Record<Meaning, string>>>;
}

const PRICES = { open: "open", high: "high", low: "low", close: "close" } as const;

const KNOWN: readonly KnownFormat[] = [
  // This program's own, so that windows can be combined again.
  { kind: "candles", headings: { time: "open_time_ms", ...PRICES, volume: "volume" } },
  { kind: "funding", headings: { symbol: "symbol", time: "funding_time_ms", rate: "funding_rate" } },
  // OKX; `vol` counts contracts, `vol_ccy` the base.
  {
    kind: "candles",
    headings: { symbol: "instrument_name", time: "open_time", ...PRICES, volume: "vol_ccy", confirmed: "confirm" },
  },
  { kind: "funding", headings: { symbol: "instrument_name", time: "funding_time", rate: "funding_rate" } },
  // Binance.
  { kind: "candles", headings: { time: "open_time", ...PRICES, volume: "volume" } },
  { kind: "funding", headings: { time: "calc_time", rate: "last_funding_rate" } },
  { kind: "trades", headings: { id: "agg_trade_id", time: "transact_time", price: "price", qty: "quantity" } },
  // Bybit.
  { kind: "candles", headings: { symbol: "symbol", time: "start_at", ...PRICES, volume: "volume" } },
  { kind: "candles", headings: { symbol: "symbol", time: "startTime", ...PRICES, volume: "volume" } },
  { kind: "funding", headings: { symbol: "symbol", time: "fundingRateTimestamp", rate: "fundingRate" } },
];

/** Candles without headings: Binance's twelve columns and Bybit's six both begin with these. */
const UNNAMED: Places = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 };
/** Binance's aggregated trades without headings: id, price, quantity, first and last id, time, whether the buyer was the maker. */
const UNNAMED_TRADES: Places = { id: 0, price: 1, qty: 2, time: 5 };

function placesOf(
  headings: Readonly<Partial<Record<Meaning, string>>>,
  row: readonly string[],
): { readonly places: Places; readonly missing: readonly string[] } {
  const found = Object.entries(headings).map(([meaning, heading]) => [meaning, row.indexOf(heading)] as const);
  const missing = found.flatMap(([meaning, at]) => (at < 0 ? [headings[meaning as Meaning] ?? meaning] : []));
  return { places: Object.fromEntries(found) as Places, missing };
}

const kindOf = (mapping: Readonly<Partial<Record<Meaning, string>>>): TableFormat["kind"] =>
  mapping.rate !== undefined ? "funding" : mapping.price !== undefined ? "trades" : "candles";

/** Reads `time=Date,open=O,…`; the error names what is missing. */
export function readMapping(text: string): Result<Readonly<Partial<Record<Meaning, string>>>, string> {
  const all = new Set<string>([...CANDLE_COLUMNS, ...FUNDING_COLUMNS, ...TRADE_COLUMNS, "id", "symbol"]);
  const pairs = text.split(",").map((pair) => pair.split("="));
  for (const [meaning = "", heading = ""] of pairs)
    if (!all.has(meaning) || heading === "")
      return err(`--map ${text}: write meaning=heading; the meanings are ${[...all].join(", ")}`);
  const mapping = Object.fromEntries(pairs) as Partial<Record<Meaning, string>>;
  const needed = { candles: CANDLE_COLUMNS, funding: FUNDING_COLUMNS, trades: TRADE_COLUMNS }[kindOf(mapping)];
  const missing = needed.filter((meaning) => mapping[meaning] === undefined);
  return missing.length === 0 ? ok(mapping) : err(`--map ${text}: also needs ${missing.join(", ")}`);
}

/** What a table is by its first row; the error says what would be understood. */
export function formatOf(
  first: readonly string[],
  mapping: Readonly<Partial<Record<Meaning, string>>> | null,
): Result<TableFormat, string> {
  if (mapping !== null) {
    const { places, missing } = placesOf(mapping, first);
    if (missing.length > 0) return err(`no column is called ${missing.join(", ")}; there are ${first.join(", ")}`);
    return ok({ kind: kindOf(mapping), places, headed: true });
  }
  for (const { kind, headings } of KNOWN) {
    const { places, missing } = placesOf(headings, first);
    if (missing.length === 0) return ok({ kind, places, headed: true });
  }
  if (/^\d+$/.test(first[0] ?? "") && /^(true|false)$/i.test(first[6] ?? ""))
    return ok({ kind: "trades", places: UNNAMED_TRADES, headed: false });
  if (first.length >= 6 && first.slice(1, 6).every((cell) => /^[\d.]+(e-?\d+)?$/i.test(cell)))
    return ok({ kind: "candles", places: UNNAMED, headed: false });
  return err(
    `columns ${first.join(", ")} are not those of a known dump; name them with --map time=Date,open=Open,high=High,low=Low,close=Close,volume=Volume`,
  );
}

const INTERVALS: Readonly<Record<string, string>> = { "1": "1m", "5": "5m", "15": "15m", "60": "1h" };

/** Symbol and interval from the name of a file: `BTCUSDT-1m-2025-05.csv`, `BTCUSDT_1_2021-01-01_2021-01-31.csv`. */
export function namedBy(file: string): { readonly symbol: string | null; readonly interval: string | null } {
  const symbol = /^([A-Z0-9]+USDT)(?![A-Z0-9])/.exec(file)?.[1] ?? null;
  const interval = /[-_](1m|5m|15m|1h)[-_.]/.exec(file)?.[1] ?? null;
  const counted = /^[A-Z0-9]+_(\d+)_\d{4}-/.exec(file)?.[1];
  return { symbol, interval: interval ?? INTERVALS[counted ?? ""] ?? null };
}

/** `BTC-USDT-SWAP` and `BTC/USDT:USDT` as files are named, `BTCUSDT`; null for what is not quoted in USDT. */
export function dataSymbolOf(text: string): string | null {
  const plain = text
    .toUpperCase()
    .replace(/:USDT$|[-_]SWAP$|[-_]PERP$/, "")
    .replace(/[-_/]/g, "");
  return /^[A-Z0-9]+USDT$/.test(plain) ? plain : null;
}
