/**
 * The rows of a journal as they lie in the file: table `rows` with seq, boot, at_ms, mono_ms, kind, decision_id, body,
 * prev_hash, hash. Decoded here again; a body that is no JSON object reads as empty and is named by I24.
 */
import { createHash } from "node:crypto";
import { isRec, type Rec } from "./fields.ts";

/** As stored and not checked: a damaged row may hold NaN or empty texts. */
export interface Row {
  readonly seq: number;
  /** The run of the process that wrote it. */
  readonly boot: string;
  /** Wall time, epoch ms. */
  readonly atMs: number;
  /** Milliseconds since some instant of that boot. */
  readonly monoMs: number;
  readonly kind: string;
  readonly decisionId: string | null;
  readonly body: Rec;
  /** The body as stored. */
  readonly bodyText: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** Never refuses, so that I24 can name what is wrong. */
export function decodeRow(raw: Rec): Row {
  const bodyText = textOf(raw["body"]);
  return {
    seq: Number(raw["seq"]),
    boot: textOf(raw["boot"]),
    atMs: Number(raw["at_ms"]),
    monoMs: Number(raw["mono_ms"]),
    kind: textOf(raw["kind"]),
    decisionId: typeof raw["decision_id"] === "string" ? raw["decision_id"] : null,
    body: readObject(bodyText) ?? {},
    bodyText,
    prevHash: textOf(raw["prev_hash"]),
    hash: textOf(raw["hash"]),
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The object in a JSON text; null when there is none. */
export function readObject(json: string): Rec | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRec(value) ? value : null;
  } catch {
    return null;
  }
}

/** JSON with the keys of every object in order of code units, without spaces: what hashes are made over. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRec(value)) return JSON.stringify(value) ?? "null";
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** SHA-256 of the text in UTF-8, lower-case hex. */
export const digest = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** What a row's hash must be. */
export const hashOfRow = (row: Omit<Row, "hash" | "body">): string =>
  digest(canonical([row.seq, row.boot, row.atMs, row.monoMs, row.kind, row.decisionId, row.bodyText, row.prevHash]));

/** What the first row names as the hash before it. */
export const FIRST_PREV_HASH = "0".repeat(64);

/** Adds to the list under that key. */
export function gather<T>(into: Map<string, T[]>, key: string, item: T): void {
  const known = into.get(key);
  if (known) known.push(item);
  else into.set(key, [item]);
}
