/**
 * The files of a recording, in the format of docs/DATA-FORMAT.md: one window a month, so that old ones can be removed.
 */
import path from "node:path";
import { isoTime } from "../core/time.ts";
import { parseSymbol } from "../domain/symbol.ts";

/** `open_time_ms` is the venue's time, epoch ms. */
export const CANDLE_HEADER = "open_time_ms,open,high,low,close,volume";
/** `funding_time_ms` is the settlement, `funding_rate` a fraction. */
export const FUNDING_HEADER = "symbol,funding_time_ms,funding_rate";
/** `time_ms` is when we received it, by our own clock. */
export const INTEREST_HEADER = "symbol,time_ms,open_interest";

/** `2026-01` of an instant, UTC. */
export const monthOf = (atMs: number): string => isoTime(atMs).slice(0, 7);

/** Base and quote joined, as in file names; null for anything but a perpetual. */
export function dataSymbol(symbol: string): string | null {
  const parsed = parseSymbol(symbol);
  return parsed.ok && parsed.value.type === "PERP" ? `${parsed.value.base}${parsed.value.quote}` : null;
}

/** It has one folder per month. */
export const CANDLE_FOLDER = "klines-1m";

/** Paths are relative to the recording's folder; `name` is from `dataSymbol`, `month` from `monthOf`. */
export const candleFile = (name: string, month: string): string =>
  path.join(CANDLE_FOLDER, `perp-${month}`, `${name}.csv`);
/** All symbols of a month together. */
export const fundingFile = (month: string): string => path.join("funding", `perp-${month}.csv`);
/** All symbols of a month together. */
export const interestFile = (month: string): string => path.join("open-interest", `perp-${month}.csv`);
/** By the month in which items were recorded, not published. */
export const newsFile = (month: string): string => path.join("news", `headlines-${month}.jsonl`);

/** Points of one source, by the month in which they were received. */
export const sourceFile = (source: string, month: string): string => path.join("sources", `${source}-${month}.jsonl`);

/** The month of a recording's path; null for foreign files, which are never touched. */
export function monthIn(file: string): string | null {
  const ours =
    /^(?:klines-1m\/perp-(\d{4}-\d{2})\/[A-Z0-9]+\.csv|(?:funding|open-interest)\/perp-(\d{4}-\d{2})\.csv|(?:news\/headlines|sources\/[a-z0-9-]+)-(\d{4}-\d{2})\.jsonl)$/;
  const match = ours.exec(file.split(path.sep).join("/"));
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}
