/** `ballast data import`, `list`, `check` and `make`: imports dumps, lists, checks and generates data folders. */
import { existsSync, statSync } from "node:fs";
import { formatSpan, isoTime, MINUTE_MS, parseInstant, parseSpan } from "../core/time.ts";
import { checkFolder } from "../datasets/check-folder.ts";
import { candleFolders } from "../datasets/folder.ts";
import { readMapping } from "../datasets/formats.ts";
import { importDumps } from "../datasets/import-dumps.ts";
import { listFolder } from "../datasets/list-folder.ts";
import { GENERATED_MARKET_KINDS, type GenerationRequest } from "../datasets/generated-market.ts";
import { generateFolder } from "../datasets/generate-folder.ts";
import type {
  DataCheckOptions,
  DataFormatOptions,
  DataImportOptions,
  DataMakeOptions,
} from "../faces/cli/data-command.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { complain, print } from "../ops/complaint.ts";
import { counted } from "../core/words.ts";

/** Exit code 1 if a row or a file is wrong; nothing is imported then. */
export async function dataImportProgram(files: readonly string[], options: DataImportOptions): Promise<number> {
  const mapping = options.map === undefined ? null : readMapping(options.map);
  if (mapping !== null && !mapping.ok) return complain(mapping.error, EXIT.usage);
  const { out: dir, market, symbol = null, interval = null } = options;
  const progress = (done: number, all: number, rows: number): void => {
    if (process.stderr.isTTY)
      process.stderr.write(`\r${done} of ${counted(all, "file")}, ${counted(rows, "row")}${done === all ? "\n" : ""}`);
  };
  const done = await importDumps({ files, dir, market, symbol, interval, mapping: mapping?.value ?? null, progress });
  if (!done.ok) return complain(done.error);
  const { path, symbols, rows, repeated, missing, fromMs, toMs } = done.value;
  print(`${path}: ${counted(rows, "row")} of ${symbols.join(", ")}, ${isoTime(fromMs)} to ${isoTime(toMs)}`);
  if (repeated > 0)
    print(`${counted(repeated, "row was", "rows were")} in several files, with the same figures, and were kept once`);
  if (missing > 0)
    print(`${counted(missing, "candle is", "candles are")} missing: a backtest halts a symbol over its gaps`);
  return EXIT.ok;
}

const absent = (dir: string): string | null =>
  existsSync(dir) && statSync(dir).isDirectory()
    ? null
    : `${dir} is not a folder; ` + "`ballast data import`" + ` or ` + "`ballast data make`" + ` writes one`;

export async function dataListProgram(dir: string, { format }: DataFormatOptions): Promise<number> {
  const problem = absent(dir);
  if (problem !== null) return complain(problem, EXIT.usage);
  const listing = listFolder(dir);
  if (format === "json") print(JSON.stringify(listing, null, 2));
  else {
    for (const { path, symbols, candles, fromMs, toMs } of listing.windows) {
      const span =
        fromMs === null || toMs === null
          ? "nothing readable"
          : `${isoTime(fromMs)} to ${isoTime(toMs)} (${formatSpan(toMs - fromMs)}), ${counted(candles, "candle")}`;
      print(`${path}: ${span}\n  ${symbols.join(" ")}`);
    }
    for (const path of listing.others) print(path);
    if (listing.windows.length + listing.others.length === 0) print(`${dir} contains no market data`);
  }
  return Promise.resolve(EXIT.ok);
}

/** Exit code 1 if there is a fault; warnings alone are ok. */
export async function dataCheckProgram(dir: string, { window, format }: DataCheckOptions): Promise<number> {
  const problem = absent(dir);
  if (problem !== null) return complain(problem, EXIT.usage);
  const names = candleFolders(dir).map(({ path }) => path);
  if (window !== undefined && !names.some((name) => name === window || name.endsWith(`/${window}`)))
    return complain(
      `--window ${window}: there is no such window; the windows are ${names.join(", ") || "none"}`,
      EXIT.usage,
    );
  const progress = (file: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${file}`);
  };
  const { files, rows, findings } = checkFolder(dir, progress, window);
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const faults = findings.filter(({ severity }) => severity === "fault").length;
  if (format === "json") print(JSON.stringify({ files, rows, findings }, null, 2));
  else {
    for (const { severity, place, text } of findings) print(`${severity} ${place}: ${text}`);
    print(
      `${counted(files, "file")}, ${counted(rows, "row")}: ${counted(faults, "fault")}, ${counted(findings.length - faults, "warning")}`,
    );
  }
  return Promise.resolve(faults === 0 ? EXIT.ok : EXIT.failed);
}

export async function dataMakeProgram(kind: string, options: DataMakeOptions): Promise<number> {
  const request = requestOf(kind, options);
  if (typeof request === "string") return complain(request, EXIT.usage);
  const made = generateFolder(options.out, request);
  if (!made.ok) return complain(made.error);
  const { window, candles, planted } = made.value;
  print(`${window}: ${candles} candles of ${request.symbols.join(", ")}`);
  for (const line of planted) print(`  ${line}`);
  return Promise.resolve(EXIT.ok);
}

/** A longer market would not fit into memory. */
const MADE_BARS_MAX = 5_000_000;

function requestOf(kind: string, options: DataMakeOptions): GenerationRequest | string {
  const known = GENERATED_MARKET_KINDS.find((each) => each === kind);
  if (known === undefined) return `${kind} is not a kind of market; the kinds are ${GENERATED_MARKET_KINDS.join(", ")}`;
  const symbols = options.symbols.split(",").map((base) => `${base.trim().toUpperCase()}USDT`);
  const odd = symbols.find((symbol) => !/^[A-Z0-9]{2,15}USDT$/.test(symbol));
  if (odd !== undefined) return `--symbols ${options.symbols}: write base coins separated by commas, such as BTC,ETH`;
  if (new Set(symbols).size !== symbols.length) return `--symbols ${options.symbols}: a coin is named twice`;
  const forMs = parseSpan(options.for);
  if (forMs === null || forMs < MINUTE_MS) return `--for ${options.for}: write a span of a minute or more, such as 14d`;
  if ((forMs / MINUTE_MS) * symbols.length > MADE_BARS_MAX)
    return `--for ${options.for} with ${symbols.length} symbols are more than ${MADE_BARS_MAX} candles; shorten it`;
  const fromMs = parseInstant(options.from);
  if (fromMs === null || fromMs % MINUTE_MS !== 0)
    return `--from ${options.from}: write a whole minute with its zone, such as 2026-01-01T00:00:00Z`;
  if (!/^\d{1,9}$/.test(options.seed)) return `--seed ${options.seed}: write a whole number`;
  return { kind: known, symbols, fromMs, forMs, seed: Number(options.seed) };
}
