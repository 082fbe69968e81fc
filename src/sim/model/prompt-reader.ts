/**
 * Reads a trading prompt as a model would: tables by their column names, figures by the words around them. It sees only
 * the text. Text inside a news fence is kept apart and never read as table, limit or echo.
 */

export type TableRow = Readonly<Record<string, string>>;

/** Rows by column names in lower case, cells as text. Missing parts of the prompt are empty, null or a default. */
export interface PromptReading {
  readonly market: readonly TableRow[];
  /** Every symbol shown: those of the market table, or, without one, anything that looks like a symbol. */
  readonly symbols: readonly string[];
  readonly positions: readonly TableRow[];
  readonly news: readonly TableRow[];
  /** Views of analysts, if the question contains any. */
  readonly views: readonly TableRow[];
  /** The word that the prompt asks to repeat; empty without one. */
  readonly echo: string;
  readonly mayOpen: boolean;
  /** Round-trip cost, percent of a position. */
  readonly roundTripPct: number;
  readonly stopMinPct: number | null;
  readonly stopMaxPct: number | null;
  /** Lines under "Missing". */
  readonly missing: readonly string[];
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split("|")
    .map((cell) => cell.trim());

const isRule = (cells: readonly string[]): boolean => cells.every((cell) => /^:?-{2,}:?$/.test(cell));
const isHeader = (cells: readonly string[]): boolean =>
  cells.length >= 2 &&
  cells.every((cell) => /^[A-Za-z][\w %/()-]{0,40}$/.test(cell)) &&
  cells.some((cell) => /^(symbol|sym|id|title|headline|time)$/i.test(cell));

/** Every table of a text: a line of column names and the lines of as many cells below it. */
export function readTables(text: string): readonly Table[] {
  const tables: { columns: string[]; rows: TableRow[] }[] = [];
  let open: { columns: string[]; rows: TableRow[] } | null = null;
  for (const line of text.split("\n")) {
    const cells = line.includes("|") ? cellsOf(line) : [];
    if (open && cells.length === open.columns.length) {
      const { columns } = open;
      if (!isRule(cells)) open.rows.push(Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? ""])));
    } else if (isHeader(cells)) {
      open = { columns: cells.map((cell) => cell.toLowerCase()), rows: [] };
      tables.push(open);
    } else if (line.trim() !== "") open = null;
  }
  return tables;
}

/** Text inside and outside of every `<<<WORD ... WORD>>>`. A fence that is never closed runs to the end. */
export function splitFence(text: string): { readonly outside: string; readonly inside: string } {
  const open = /<<<\s*(\S+)/.exec(text);
  if (!open) return { outside: text, inside: "" };
  const from = open.index + open[0].length;
  const close = text.indexOf(`${open[1] ?? ""}>>>`, from);
  const to = close < 0 ? text.length : close;
  const rest = splitFence(text.slice(to));
  return {
    outside: `${text.slice(0, open.index)}\n${rest.outside}`,
    inside: rest.inside === "" ? text.slice(from, to) : `${text.slice(from, to)}\n\n${rest.inside}`,
  };
}

/** A figure of a cell; null for a dash, an empty cell or words. A trailing percent sign is dropped. */
export function figure(cell: string | undefined): number | null {
  const match = /^([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*%?$/i.exec((cell ?? "").replaceAll(",", "").trim());
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** The first column present among several names. */
export function column(row: TableRow, ...names: readonly string[]): string | undefined {
  for (const name of names) if (Object.hasOwn(row, name)) return row[name];
  return undefined;
}

function firstFigure(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

const hasColumns = (table: Table, ...names: readonly string[]): boolean =>
  names.every((name) => table.columns.includes(name));

/** A canonical symbol anywhere in the text. */
const SYMBOLS = /\b[A-Z0-9]+(?:_[A-Z0-9]+)*_(?:PERP|SPOT)_[A-Z0-9]+_[A-Z0-9]+\b/g;

/** Lists of objects that a text contains as JSON, as tables: cells as text, names in lower case. */
export function jsonTables(text: string): readonly Table[] {
  const lists = text.matchAll(/\[\s*\{[^[\]]*\}\s*\]/g);
  return [...lists].flatMap(([list]) => {
    const rows = rowsIn(list);
    return rows.length === 0 ? [] : [{ columns: Object.keys(rows[0] ?? {}), rows }];
  });
}

function rowsIn(list: string): readonly TableRow[] {
  try {
    const entries = JSON.parse(list) as readonly Readonly<Record<string, unknown>>[];
    const cells = (entry: Readonly<Record<string, unknown>>) =>
      Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value === null ? "-" : String(value)]);
    return entries.map((entry) => Object.fromEntries(cells(entry)) as TableRow);
  } catch {
    return [];
  }
}

/** Never fails: a text without tables is an empty market. Only news and views are read from inside a fence. */
export function readPrompt(text: string): PromptReading {
  const { outside, inside } = splitFence(text);
  const tables = readTables(outside);
  const aboutSymbols = [...tables, ...jsonTables(outside)].filter(
    (table) =>
      hasColumns(table, "symbol") &&
      !hasColumns(table, "entry") &&
      !hasColumns(table, "action") &&
      !hasColumns(table, "stance"),
  );
  const market =
    aboutSymbols.find((table) => table.columns.some((name) => /^(price|last)$/.test(name))) ??
    aboutSymbols.find((table) => table.columns.some((name) => /^(ret|return|change|chg|mark|vol)/.test(name)));
  const positions = tables.find((table) => hasColumns(table, "symbol", "entry"));
  const news = [...readTables(inside), ...tables].find((table) =>
    table.columns.some((name) => /^(title|headline)$/.test(name)),
  );
  const views = readTables(inside).find((table) => hasColumns(table, "analyst", "symbol", "view"));
  const stop = /stopPct[^.]*?between\s+([\d.]+)\s+and\s+([\d.]*\d)/i.exec(outside);
  const missing = /^#+\s*Missing[^\n]*\n([\s\S]*?)(?:\n#|$(?![\s\S]))/im.exec(outside)?.[1] ?? "";
  return {
    market: market?.rows ?? [],
    symbols: [...new Set(market?.rows.map((row) => row["symbol"] ?? "") ?? outside.match(SYMBOLS) ?? [])],
    positions: positions?.rows ?? [],
    news: news?.rows ?? [],
    views: views?.rows ?? [],
    echo: /^\s*echo\s*:\s*(\S+)/im.exec(outside)?.[1] ?? "",
    mayOpen: !/may open\s*:\s*no/i.test(outside),
    roundTripPct: firstFigure(outside, /round trip\s+([\d.]*\d)/i) ?? 0.14,
    stopMinPct: stop?.[1] === undefined ? null : Number(stop[1]),
    stopMaxPct: stop?.[2] === undefined ? null : Number(stop[2]),
    missing: missing
      .split("\n")
      .map((line) => line.replace(/^[-*\s]+/, "").trim())
      .filter((line) => line !== "" && !/^(none|nothing)\b/i.test(line)),
  };
}
