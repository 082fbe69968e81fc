/**
 * Formats envelopes for people: short sentences, tables for lists, otherwise names and values. Colour only on a
 * terminal.
 */
import Table from "cli-table3";
import picocolors from "picocolors";
import type { Envelope } from "../contract/envelope.ts";

type Row = Readonly<Record<string, unknown>>;

const COLUMNS_MAX = 9;
/** Wide enough for a UUID. */
const CELL_MAX = 36;
/** No lines between rows. */
const COMPACT = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" };
const isRow = (value: unknown): value is Row => value !== null && typeof value === "object" && !Array.isArray(value);

const TIME_NAME = /(At|Time|Ms|time)$/;

/** One value on one line. Epoch milliseconds in a time field are shown as a time. */
function cell(value: unknown, name = ""): string {
  if (value === null || value === undefined || value === "") return "-";
  if (TIME_NAME.test(name) && /^\d{13}$/.test(String(value)))
    return new Date(Number(value)).toISOString().slice(0, 19) + "Z";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (IDS.has(name)) return text;
  return text.length > CELL_MAX ? `${text.slice(0, CELL_MAX - 1)}…` : text;
}

/** Columns that people look for first, in the service's and our spellings. */
const WANTED_FIRST = [
  "name sym symbol coin capabilityId id key at",
  "side positionSide exchangeOrderType conditionType status state orderState algoState positionQty",
  "limitPrice price orderQty qty quantity executedQty avgPrice executedAvgPrice markPrice leverage upnl",
].flatMap((names) => names.split(" "));
/** Ids that other commands need: in every table, and uncut. */
const IDS: ReadonlySet<string> = new Set([
  ...["orderId", "algoOrderId", "clientOrderId", "attachedOrderId"],
  ...["automationSessionId", "auditId", "previewId"],
]);

/** Columns with short values, the important ones first. */
function columnsOf(rows: readonly Row[]): readonly string[] {
  const filled = (name: string): number =>
    rows.filter((row) => row[name] !== null && row[name] !== "" && typeof row[name] !== "object").length;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => filled(name) > 0);
  const ids = names.filter((name) => IDS.has(name));
  const preferred = WANTED_FIRST.filter((name) => names.includes(name));
  const others = [...preferred, ...names.filter((name) => !preferred.includes(name) && !IDS.has(name))];
  return [...others.slice(0, COLUMNS_MAX - ids.length), ...ids];
}

function table(rows: readonly Row[]): string {
  if (rows.length === 0) return "Nothing.\n";
  const columns = columnsOf(rows);
  const drawn = new Table({ head: [...columns], style: { head: [], border: [] }, chars: COMPACT });
  for (const row of rows) drawn.push(columns.map((name) => cell(row[name], name)));
  return `${drawn.toString()}\n`;
}

function lines(record: Row, indent = ""): string {
  const width = Math.min(26, Math.max(...Object.keys(record).map((name) => name.length), 1));
  return Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      if (Array.isArray(value) && value.every(isRow) && value.length > 0) return `${indent}${name}:\n${table(value)}`;
      if (Array.isArray(value) && value.length === 0) return `${indent}${name}: none\n`;
      if (isRow(value)) return `${indent}${name}:\n${lines(value, `${indent}  `)}`;
      const head = `${indent}${name.padEnd(width)}  `;
      return `${head}${Array.isArray(value) ? listText(value, head.length) : longText(value, name)}\n`;
    })
    .join("");
}

/** Outside tables, texts are not cut. */
const longText = (value: unknown, name: string): string =>
  typeof value === "string" && !/^\d{13}$/.test(value) ? value : cell(value, name);

/** Short items on one line; sentences one below the other. */
function listText(items: readonly unknown[], indent: number): string {
  const texts = items.map((item) => longText(item, ""));
  const short = texts.every((text) => text.length <= CELL_MAX);
  return texts.join(short ? ", " : `\n${" ".repeat(indent)}`);
}

/** The payload without the REST envelope and page around it. */
function inner(data: unknown): unknown {
  if (!isRow(data)) return data;
  if (!("code" in data) || !("data" in data)) return data;
  const payload = data["data"];
  const beside = Object.fromEntries(
    Object.entries(data).filter(([name]) => !["code", "message", "data"].includes(name)),
  );
  const rows = isRow(payload) && Array.isArray(payload["list"]) ? payload["list"] : payload;
  return Object.keys(beside).length > 0 && isRow(rows) ? { ...rows, ...beside } : rows;
}

function dataText(data: unknown): string {
  const shown = inner(data);
  if (Array.isArray(shown))
    return shown.every(isRow) ? table(shown) : `${shown.map((item) => cell(item)).join("\n")}\n`;
  return isRow(shown) ? lines(shown) : `${cell(shown)}\n`;
}

/** Success shows the data without the REST envelope; failure its status, code, message, hint and data. */
export function envelopeText(envelope: Envelope, colour: boolean): string {
  const paint = picocolors.createColors(colour);
  if (envelope.ok) return dataText(envelope.data);
  const head = `${paint.red(envelope.status)} ${paint.dim(envelope.code ?? "")} ${envelope.message ?? ""}\n`;
  const hint = envelope.details?.hint;
  const data = envelope.data === undefined ? "" : dataText(envelope.data);
  return `${head}${hint === undefined ? "" : `${paint.dim(hint)}\n`}${data}`;
}
