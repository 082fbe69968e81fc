/**
 * Reads a JSON object from a model's text: stricter than `JSON.parse` (no duplicate keys, no numbers beyond float64,
 * bounded nesting), and reports where the object ends. This file never throws.
 */
import { err, ok, type Result } from "../../core/result.ts";

/** Why there is no usable object; a repair request quotes `message`. */
export interface ScanError {
  /** "no-object": does not start like one. "cut": the text ends inside the object. "broken": it violates a rule. */
  readonly kind: "no-object" | "cut" | "broken";
  readonly message: string;
}

/** An object and its end, so that the caller can look for a second one. */
export interface Scanned {
  readonly value: Readonly<Record<string, unknown>>;
  /** First position after the object. */
  readonly end: number;
}

const DEPTH_MAX = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
/** A complete string: no raw control character, no lone backslash. */
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

class Refusal extends Error {
  readonly kind: ScanError["kind"];
  constructor(kind: ScanError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

interface Cursor {
  readonly text: string;
  at: number;
  /** True once a key and its colon have been read: from then on it counts as an object, possibly a broken one. */
  begun: boolean;
}

/** Reads the object that starts at `start`, which must be its opening brace. */
export function scanObject(text: string, start: number): Result<Scanned, ScanError> {
  const cursor: Cursor = { text, at: start, begun: false };
  try {
    const value = readObject(cursor, 1);
    return ok({ value, end: cursor.at });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const kind = cursor.begun || error.kind === "cut" ? error.kind : "no-object";
    return err({ kind, message: error.message });
  }
}

function skipSpace(cursor: Cursor): void {
  SPACE.lastIndex = cursor.at;
  SPACE.test(cursor.text);
  cursor.at = SPACE.lastIndex;
}

function refuse(cursor: Cursor, expected: string): never {
  if (cursor.at >= cursor.text.length) throw new Refusal("cut", `the text ends where ${expected} is expected`);
  throw new Refusal("broken", `${expected} expected at character ${cursor.at}`);
}

function take(cursor: Cursor, char: string): void {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== char) refuse(cursor, JSON.stringify(char));
  cursor.at += 1;
}

function peek(cursor: Cursor): string | undefined {
  skipSpace(cursor);
  return cursor.text[cursor.at];
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new Refusal("broken", `nested deeper than ${DEPTH_MAX}`);
  const char = peek(cursor);
  if (char === "{") return readObject(cursor, depth);
  if (char === "[") return readArray(cursor, depth);
  if (char === '"') return readString(cursor);
  for (const [word, value] of [
    ["true", true],
    ["false", false],
    ["null", null],
  ] as const) {
    if (cursor.text.startsWith(word, cursor.at)) {
      cursor.at += word.length;
      return value;
    }
  }
  return readNumber(cursor);
}

function readNumber(cursor: Cursor): number {
  NUMBER.lastIndex = cursor.at;
  const digits = NUMBER.exec(cursor.text)?.[0];
  if (digits === undefined) return refuse(cursor, "a value");
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new Refusal("broken", `the number ${digits.slice(0, 40)} is too large`);
  cursor.at += digits.length;
  return value;
}

function readString(cursor: Cursor): string {
  STRING.lastIndex = cursor.at;
  const quoted = STRING.exec(cursor.text)?.[0];
  if (quoted === undefined) {
    const ends = cursor.text.indexOf('"', cursor.at + 1) < 0;
    throw new Refusal(ends ? "cut" : "broken", `the text at character ${cursor.at} is not a complete JSON string`);
  }
  cursor.at += quoted.length;
  return JSON.parse(quoted) as string;
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  take(cursor, "[");
  const items: unknown[] = [];
  if (peek(cursor) === "]") return ((cursor.at += 1), items);
  for (;;) {
    items.push(readValue(cursor, depth + 1));
    if (peek(cursor) === ",") cursor.at += 1;
    else return (take(cursor, "]"), items);
  }
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  take(cursor, "{");
  const fields: Record<string, unknown> = {};
  if (peek(cursor) === "}") return ((cursor.at += 1), fields);
  for (;;) {
    if (peek(cursor) !== '"') refuse(cursor, "a key");
    const key = readString(cursor);
    take(cursor, ":");
    cursor.begun = true;
    if (key === "__proto__") throw new Refusal("broken", "the key __proto__ is not allowed");
    if (Object.hasOwn(fields, key))
      throw new Refusal("broken", `the key ${JSON.stringify(key.slice(0, 60))} occurs twice`);
    fields[key] = readValue(cursor, depth + 1);
    if (peek(cursor) === ",") cursor.at += 1;
    else return (take(cursor, "}"), fields);
  }
}
