/**
 * Encodes any plain value as compact text and back, so that what a decision saw can be judged again later, bit for bit.
 * Beyond JSON it keeps decimals, the numbers that JSON cannot express, and lists of equal records as tables. Knows no trading.
 */
import { Decimal, toWire } from "../core/decimal.ts";

type Fields = Record<string, unknown>;

/** Marks for what JSON cannot express. A member of our own that begins with `$` is written as pairs, so that none is mistaken. */
const DECIMAL = "$dec";
const NUMBER = "$num";
const TABLE = "$rows";
const PAIRS = "$obj";
/** Shorter lists gain nothing from a table. */
const TABLE_ROWS_MIN = 3;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

type Clean = (text: string) => string;

/**
 * Functions, symbols and undefined are left out, as in JSON. Throws on a circle. `clean` sees every text and every name
 * before it is written: secrets are masked there.
 */
export const encodePage = (value: unknown, clean: Clean = (text) => text): string =>
  JSON.stringify(packed(value, clean) ?? null);

function packed(value: unknown, clean: Clean): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { [NUMBER]: nameOf(value) };
  if (typeof value === "bigint") return { [DECIMAL]: value.toString() };
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (!isFields(value)) return value;
  if (Decimal.isDecimal(value)) return { [DECIMAL]: toWire(value) };
  if (Array.isArray(value)) return packedList(value, clean);
  return packedFields(value, clean);
}

/** Makes no list of pairs where it can: this is most of what a page takes. */
function packedFields(fields: Fields, clean: Clean): Fields {
  const made: Fields = {};
  for (const name of Object.keys(fields)) {
    const written = clean(name);
    if (written.startsWith("$") || written === "__proto__") return packedPairs(fields, clean);
    const member = packed(fields[name], clean);
    if (member !== undefined) made[written] = member;
  }
  return made;
}

function packedPairs(fields: Fields, clean: Clean): Fields {
  const members = Object.entries(fields)
    .map(([name, member]) => [clean(name), packed(member, clean)] as const)
    .filter(([, member]) => member !== undefined);
  return members.some(([name]) => name.startsWith("$")) ? { [PAIRS]: members } : Object.fromEntries(members);
}

const nameOf = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

function packedList(list: readonly unknown[], clean: Clean): unknown {
  const names = tableNames(list);
  if (!names) return list.map((item) => packed(item, clean) ?? null);
  const cells = (row: unknown): unknown[] => names.map((name) => packed((row as Fields)[name], clean) ?? null);
  return { [TABLE]: names.map(clean), of: list.map(cells) };
}

/** Member names that all rows share, in one order; null when the list is no table. */
function tableNames(list: readonly unknown[]): readonly string[] | null {
  const first = list[0];
  if (list.length < TABLE_ROWS_MIN || !isFields(first) || Array.isArray(first) || Decimal.isDecimal(first)) return null;
  const names = Object.keys(first);
  const isRow = (row: unknown): boolean =>
    isFields(row) &&
    !Array.isArray(row) &&
    Object.keys(row).length === names.length &&
    names.every((name) => Object.hasOwn(row, name) && row[name] !== undefined && typeof row[name] !== "function");
  return names.length > 0 && list.every(isRow) ? names : null;
}

/**
 * Throws on text that `encodePage` did not write. Lists that are kept as tables are made when they are first read: most of
 * a page is bars, which few of its readers look at.
 */
export const decodePage = (text: string): unknown => unpacked(JSON.parse(text));

/** Takes over what JSON.parse has made, and replaces in it what JSON cannot express. */
function unpacked(value: unknown): unknown {
  if (!isFields(value)) return value;
  if (Array.isArray(value)) return value.map(unpacked);
  // Sums inside may have more digits than the wire allows.
  if (typeof value[DECIMAL] === "string") return new Decimal(value[DECIMAL]);
  if (typeof value[NUMBER] === "string") return Number(value[NUMBER]);
  if (Array.isArray(value[PAIRS])) {
    return Object.fromEntries((value[PAIRS] as [string, unknown][]).map(([name, member]) => [name, unpacked(member)]));
  }
  if (isTable(value)) return rowsOf(value);
  for (const [name, member] of Object.entries(value)) {
    if (isTable(member)) readLater(value, name, member);
    else if (isFields(member)) value[name] = unpacked(member);
  }
  return value;
}

interface Table {
  readonly [TABLE]: readonly string[];
  readonly of: readonly (readonly unknown[])[];
}

const isTable = (value: unknown): value is Table =>
  isFields(value) && Array.isArray(value[TABLE]) && Array.isArray(value["of"]);

const rowsOf = ({ [TABLE]: names, of }: Table): unknown[] =>
  of.map((row) => Object.fromEntries(names.map((name, i) => [name, unpacked(row[i])])));

function readLater(target: Fields, name: string, table: Table): void {
  let rows: unknown[] | undefined;
  Object.defineProperty(target, name, { enumerable: true, configurable: true, get: () => (rows ??= rowsOf(table)) });
}
