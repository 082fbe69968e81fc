/**
 * Renders values as prompt text: one-line cells, tables, lists, fenced blocks. Untrusted text loses control and
 * invisible characters, the bar that divides cells and the brackets of a fence. Faults A1, A5.
 */

/** Controls, zero-width and bidirectional marks, variation selectors, tag characters: text that people do not see. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

const FENCE_BRACKETS = /<{3,}|>{3,}/g;

const visible = (text: string): string =>
  Buffer.from(text, "utf8").toString("utf8").replace(INVISIBLE, "").replace(FENCE_BRACKETS, "");

/** One line without bars. Null, undefined and blank are a dash. */
export function cell(value: unknown): string {
  const text = typeof value === "string" ? value : value === null || value === undefined ? "" : plain(value);
  const line = visible(text.replace(/[\t\n\u000b\f\r\u0085\u2028\u2029]+/g, " "))
    .replaceAll("|", "/")
    .replace(/\s+/g, " ")
    .trim();
  return line === "" ? "-" : line;
}

function plain(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  throw new TypeError("a cell holds text, a number, a truth value or null");
}

const rowsOf = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new TypeError(`${what} takes a list`);
  return value as readonly unknown[];
};

/**
 * A header row and one line per row, cells in the order of `columns` (names separated by commas). A missing column
 * throws.
 */
export function table(value: unknown, columns: unknown): string {
  const names = String(columns).split(",");
  const line = (row: unknown): string => names.map((name) => cell(memberOf(row, name))).join(" | ");
  return [names.join(" | "), ...rowsOf(value, "a table").map(line)].join("\n");
}

function memberOf(row: unknown, name: string): unknown {
  if (typeof row !== "object" || row === null || !Object.hasOwn(row, name)) {
    throw new TypeError(`a row has no column ${JSON.stringify(name)}`);
  }
  return (row as Record<string, unknown>)[name];
}

/** One line per entry, each after a dash; `nothing` for an empty list. */
export function list(value: unknown): string {
  const entries = rowsOf(value, "a list");
  return entries.length === 0 ? "nothing" : entries.map((entry) => `- ${cell(entry)}`).join("\n");
}

/** Several lines of untrusted text, to place between two fence lines. */
export const fenced = (value: unknown): string => visible(String(value));
