/** Canonical text of a value and its SHA-256: equal values have equal text, regardless of the order of their keys. */
import { hash } from "node:crypto";

/** JSON with keys sorted at every level and no spaces. `undefined` members are omitted, as in JSON. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    return canonicalJson((value as { toJSON(): unknown }).toJSON());
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  const record = value as Record<string, unknown>;
  let text = "";
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Lower-case hex SHA-256 of bytes, or of a text as UTF-8. */
export const sha256 = (data: string | Uint8Array): string => hash("sha256", data, "hex");

/** SHA-256 in hex of the canonical JSON: equal for values that differ only in the order of their keys. */
export const hashOf = (value: unknown): string => sha256(canonicalJson(value));
