/** Data folders for tests: a generated one in the import format, and the real one where it is present. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { seededEntropy } from "../../../src/core/entropy.ts";

export const REAL_DATA = process.env["BALLAST_MARKET_DATA"] ?? "../shared/data";
export const hasRealData = existsSync(join(REAL_DATA, "klines-1m"));

/** Writes `files` (path below the folder, text) into a new folder; names ending in .gz are compressed. */
export function writeFolder(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), "ballast-data-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), path.endsWith(".gz") ? gzipSync(text) : text);
  }
  return dir;
}

export interface MadeCandles {
  readonly seed: number;
  readonly fromMs: number;
  readonly count: number;
  readonly intervalMs: number;
  readonly price: number;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
  /** Mean volume; small ones make candles of few lots and none. */
  readonly volume: number;
}

/** Candle text with everything that occurs: flat ones, one-sided ones, wild ones, tiny and empty volumes. */
export function candleText(made: MadeCandles): string {
  const entropy = seededEntropy(made.seed);
  const step = 10 ** -made.priceDecimals;
  let last = Math.round(made.price / step);
  const rows = ["open_time_ms,open,high,low,close,volume"];
  for (let i = 0; i < made.count; i++) {
    const reach = entropy.chance("flat", 0.1) ? 0 : Math.abs(Math.round(last * 0.002 * entropy.normal("reach")));
    const open = Math.max(10, last + (entropy.chance("gap", 0.3) ? entropy.int("by", -2, 3) : 0));
    const close = Math.max(10, open + Math.round(reach * (entropy.next("close") * 2 - 1)));
    const high = Math.max(open, close) + (entropy.chance("wick", 0.6) ? entropy.int("up", 0, reach + 1) : 0);
    const low = Math.max(
      1,
      Math.min(open, close) - (entropy.chance("wick", 0.6) ? entropy.int("down", 0, reach + 1) : 0),
    );
    const least = new Set([open, high, low, close]).size + 1;
    const lots = Math.max(
      least,
      Math.round(made.volume * 10 ** made.volumeDecimals * -Math.log(1 - entropy.next("volume"))),
    );
    const still = open === close && high === low;
    const volume = still && entropy.chance("empty", 0.5) ? 0 : lots / 10 ** made.volumeDecimals;
    const price = (ticks: number): string => String(Number((ticks * step).toFixed(made.priceDecimals)));
    const cells = [made.fromMs + i * made.intervalMs, price(open), price(high), price(low), price(close)];
    rows.push([...cells, Number(volume.toFixed(made.volumeDecimals))].join(","));
    last = close;
  }
  return `${rows.join("\n")}\n`;
}

type MadeLevel = readonly [side: "bid" | "ask", price: string, qty: string];

/** Files of a recorded book. */
export const bookText = {
  snapshot: (id: number, levels: readonly MadeLevel[]): string =>
    ["local_ts_ns,last_update_id,side,price,qty", ...levels.map((level) => `1,${id},${level.join(",")}`), ""].join(
      "\n",
    ),
  deltas: (
    events: readonly {
      readonly atMs: number;
      readonly ids: readonly [first: number, final: number, previous: number | null];
      readonly rows: readonly MadeLevel[];
    }[],
  ): string =>
    [
      "local_ts_ns,event_time_ms,transact_time_ms,first_update_id,final_update_id,prev_final_update_id,side,price,qty",
      ...events.flatMap(({ atMs, ids: [first, final, previous], rows }) =>
        rows.map((row) => `1,${atMs},,${first},${final},${previous ?? ""},${row.join(",")}`),
      ),
      "",
    ].join("\n"),
};
