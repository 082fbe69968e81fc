/**
 * The rows of a journal file: table `rows` with seq, boot, at_ms, mono_ms, kind, decision_id, body, prev_hash, hash.
 * Decoded independently of the agent; a body that is not a JSON object reads as empty and is reported by I24.
 */
import { hash } from "node:crypto";
import { isRec, type Rec } from "./fields.ts";

/** As stored, unchecked: a damaged row may have NaN or empty texts. */
export interface Row {
  readonly seq: number;
  /** The run of the process that wrote the row. */
  readonly runId: string;
  /** Wall time, epoch ms. */
  readonly atMs: number;
  /** Milliseconds since a fixed instant of that run. */
  readonly monoMs: number;
  readonly kind: string;
  readonly decisionId: string | null;
  readonly body: Rec;
  /** The body as stored. */
  readonly bodyText: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** Accepts anything, so that I24 can report what is wrong. */
export function decodeRow(raw: Rec): Row {
  const bodyText = textOf(raw["body"]);
  return {
    seq: Number(raw["seq"]),
    runId: textOf(raw["boot"]),
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

/** The object in a JSON text; null if there is none. */
export function readObject(json: string): Rec | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRec(value) ? value : null;
  } catch {
    return null;
  }
}

/** JSON with sorted keys (by code units) and without spaces: the input of the hashes. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRec(value)) return JSON.stringify(value) ?? "null";
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** SHA-256 of the text in UTF-8, lower-case hex. */
export const digest = (text: string): string => hash("sha256", text, "hex");

/** The expected hash of a row. */
export const hashOfRow = (row: Omit<Row, "hash" | "body">): string =>
  digest(canonical([row.seq, row.runId, row.atMs, row.monoMs, row.kind, row.decisionId, row.bodyText, row.prevHash]));

/** The previous hash of the first row. */
export const FIRST_PREV_HASH = "0".repeat(64);

/** Adds to the list under that key. */
export function gather<T>(into: Map<string, T[]>, key: string, item: T): void {
  const known = into.get(key);
  if (known) known.push(item);
  else into.set(key, [item]);
}
