/**
 * A recorded book: a snapshot of a thousand levels a side and, event by event, its changes. The files are checked once
 * before playback, so that a bad line is refused with its number. Playback reads them again event by event, never as a
 * whole. Format: docs/DATA-FORMAT.md.
 */
import { basename } from "node:path";
import { err, ok, type Result } from "../../core/result.ts";
import { linesOf } from "./line-reader.ts";

/** The two CSV files of one recording, gzipped or not. */
export interface BookPaths {
  readonly snapshot: string;
  readonly deltas: string;
}

/** The new quantity at a price. Both figures are in units of the recording's last decimals. */
export interface DepthRow {
  readonly bid: boolean;
  readonly price: number;
  /** 0 if the level is removed. */
  readonly qty: number;
}

/** One update of the recorded stream: all rows with its last id. They replace the levels at their prices. */
export interface DepthEvent {
  /** The exchange's time of the event, epoch ms; never before that of the previous event. */
  readonly atMs: number;
  readonly finalId: number;
  readonly rows: readonly DepthRow[];
}

/** The result of `scanBook`. A price is its figure divided by 10 to the `priceDecimals`, a quantity likewise. */
export interface BookRecording {
  readonly paths: BookPaths;
  /** The book is known from this event time (the snapshot is older) until `lastMs`. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Update ids of the snapshot, and of the last event that follows without a gap. */
  readonly snapshotId: number;
  readonly lastId: number;
  readonly priceDecimals: number;
  readonly qtyDecimals: number;
}

/** A figure as digits without the decimal point, and its decimals; trailing zeros do not count. */
interface Figure {
  readonly digits: number;
  readonly decimals: number;
}

interface RawRow {
  readonly bid: boolean;
  readonly price: Figure;
  readonly qty: Figure;
}

interface RawEvent {
  readonly atMs: number;
  readonly firstId: number;
  readonly finalId: number;
  /** The previous event, if the stream gives it. */
  readonly previousId: number | null;
  readonly rows: readonly RawRow[];
}

class FormatFault extends Error {}

function figureOf(text: string): Figure | null {
  const point = text.indexOf(".");
  let end = text.length;
  if (point >= 0) {
    while (text.charCodeAt(end - 1) === 48) end--;
    if (end === point + 1) end = point;
  }
  let digits = 0;
  for (let i = 0; i < end; i++) {
    if (i === point) continue;
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return null;
    digits = digits * 10 + digit;
  }
  if (end === 0 || point === 0 || digits > Number.MAX_SAFE_INTEGER) return null;
  return { digits, decimals: end > point && point > 0 ? end - point - 1 : 0 };
}

/** The requested columns of a file's rows, each with its line number. */
function* cellsOf(
  path: string,
  columns: readonly string[],
): Generator<readonly [line: number, cells: readonly string[]]> {
  let places: readonly number[] | null = null;
  let line = 0;
  for (const text of linesOf(path)) {
    line++;
    const cells = text.split(",");
    if (places) yield [line, places.map((place) => cells[place] ?? "")];
    else {
      places = columns.map((column) => cells.indexOf(column));
      if (places.includes(-1)) throw new FormatFault(`:1: the first line must name ${columns.join(", ")}`);
    }
  }
}

function rowOf(line: number, [side, price = "", qty = ""]: readonly string[]): RawRow {
  const figures = [figureOf(price), figureOf(qty)] as const;
  if ((side !== "bid" && side !== "ask") || !figures[0] || !figures[1] || figures[0].digits === 0)
    throw new FormatFault(`:${line}: expected bid or ask, a plain price above zero and a plain quantity`);
  return { bid: side === "bid", price: figures[0], qty: figures[1] };
}

function idOf(line: number, text: string): number {
  const id = figureOf(text);
  if (!id || id.decimals > 0) throw new FormatFault(`:${line}: expected a whole number, found ${JSON.stringify(text)}`);
  return id.digits;
}

function snapshotOf(path: string): { readonly id: number; readonly rows: readonly RawRow[] } {
  const rows: RawRow[] = [];
  let id: number | null = null;
  for (const [line, [reported = "", ...cells]] of cellsOf(path, ["last_update_id", "side", "price", "qty"])) {
    const mine = idOf(line, reported);
    if (id !== null && id !== mine) throw new FormatFault(`:${line}: a snapshot has one last_update_id`);
    id = mine;
    rows.push(rowOf(line, cells));
  }
  if (id === null) throw new FormatFault(": holds no levels");
  return { id, rows };
}

const DELTA_COLUMNS = [
  "event_time_ms",
  "first_update_id",
  "final_update_id",
  "prev_final_update_id",
  "side",
  "price",
  "qty",
] as const;

/** Rows with the same last id form one event. */
function* eventsOf(path: string): Generator<RawEvent, void> {
  let event: (RawEvent & { readonly rows: RawRow[] }) | null = null;
  let reported = "";
  for (const [line, [time = "", first = "", final = "", previous = "", ...cells]] of cellsOf(path, DELTA_COLUMNS)) {
    const row = rowOf(line, cells);
    if (event && final === reported) {
      event.rows.push(row);
      continue;
    }
    const atMs = Math.max(idOf(line, time), event?.atMs ?? 0);
    if (event) yield event;
    reported = final;
    const previousId = previous === "" ? null : idOf(line, previous);
    event = { atMs, firstId: idOf(line, first), finalId: idOf(line, final), previousId, rows: [row] };
  }
  if (event) yield event;
}

/** Whether an event is the next one: it refers to the previous id, or its ids continue without a gap. */
const follows = (event: RawEvent, lastId: number): boolean =>
  event.previousId === null ? event.firstId === lastId + 1 : event.previousId === lastId;

/** The most decimals of figures, and the largest whole part. */
interface Reach {
  decimals: number;
  whole: number;
}

interface Scan {
  readonly price: Reach;
  readonly qty: Reach;
}

function stretch(reach: Reach, { digits, decimals }: Figure): void {
  if (decimals > reach.decimals) reach.decimals = decimals;
  const whole = digits / 10 ** decimals;
  if (whole > reach.whole) reach.whole = whole;
}

function widen(scan: Scan, rows: readonly RawRow[]): void {
  for (const { price, qty } of rows) {
    stretch(scan.price, price);
    stretch(scan.qty, qty);
  }
}

function decimalsOf({ decimals, whole }: Reach): number {
  if (whole * 10 ** decimals > Number.MAX_SAFE_INTEGER)
    throw new FormatFault(": a figure has too many digits to be exact");
  return decimals;
}

/** Runs `read`; a format error of the file becomes the result, anything else is thrown. */
function guarded<T>(path: string, read: () => T): Result<T, string> {
  try {
    return ok(read());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return err(`${basename(path)}${cause instanceof FormatFault ? "" : ": "}${reason}`);
  }
}

/** Checks a recording: its span, and the precision of its figures. The error names file, line and rule. */
export function scanBook(paths: BookPaths): Result<BookRecording, string> {
  const snapshot = guarded(paths.snapshot, () => snapshotOf(paths.snapshot));
  if (!snapshot.ok) return snapshot;
  const { id: snapshotId, rows } = snapshot.value;
  const scan: Scan = { price: { decimals: 0, whole: 0 }, qty: { decimals: 0, whole: 0 } };
  widen(scan, rows);
  return guarded(paths.deltas, () => {
    let [firstMs, lastMs, lastId] = [NaN, NaN, NaN];
    for (const event of eventsOf(paths.deltas)) {
      if (event.finalId < snapshotId) continue;
      if (Number.isNaN(firstMs)) {
        const joins = event.firstId <= snapshotId + 1 || event.previousId === snapshotId;
        if (!joins) throw new FormatFault(": the first event after the snapshot does not join it");
        firstMs = event.atMs;
      } else if (!follows(event, lastId)) break;
      [lastMs, lastId] = [event.atMs, event.finalId];
      widen(scan, event.rows);
    }
    if (Number.isNaN(firstMs)) throw new FormatFault(": no event follows the snapshot");
    const decimals = { priceDecimals: decimalsOf(scan.price), qtyDecimals: decimalsOf(scan.qty) };
    return { paths, firstMs, lastMs, snapshotId, lastId, ...decimals };
  });
}

function unitsOf({ digits, decimals }: Figure, most: number): number {
  return digits * 10 ** (most - decimals);
}

/**
 * The events of a checked recording, the first with the whole snapshot before its own rows. Throws if the files have
 * changed.
 */
export function* depthEvents(recording: BookRecording): Generator<DepthEvent, void> {
  const { paths, snapshotId, lastId, priceDecimals, qtyDecimals } = recording;
  const inUnits = ({ bid, price, qty }: RawRow): DepthRow => ({
    bid,
    price: unitsOf(price, priceDecimals),
    qty: unitsOf(qty, qtyDecimals),
  });
  let before: readonly DepthRow[] = snapshotOf(paths.snapshot).rows.map(inUnits);
  for (const { atMs, finalId, rows } of eventsOf(paths.deltas)) {
    if (finalId < snapshotId) continue;
    yield { atMs, finalId, rows: [...before, ...rows.map(inUnits)] };
    before = [];
    if (finalId >= lastId) return;
  }
}
