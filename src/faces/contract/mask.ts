/**
 * Masks all output: known secrets become their masks, and text that looks like a secret is replaced. Decimals become
 * text. Spec: 3 §5; records §17.10.
 */
import { Decimal, toWire } from "../../core/decimal.ts";
import { isSecretName, maskText } from "../../core/secret.ts";

const REDACTED = "[REDACTED]";
const SECRET_LOOKING = /\b[0-9a-f]{48,}\b|\b(?:sk|key)[_-][A-Za-z0-9_-]{12,}\b/gi;
/**
 * Exceptions: hashes are our own and look like secrets; tokens bind a submit to its preview and permit nothing else.
 */
const OPEN_NAMES: ReadonlySet<string> = new Set(["paramsHash", "submitToken"]);

/** Returns the text without known secrets. */
export type CleanText = (text: string) => string;

/** Known secrets first, then lookalikes. */
export const cleaner =
  (redact: CleanText): CleanText =>
  (text) =>
    redact(text).replace(SECRET_LOOKING, REDACTED);

/** A plain copy for JSON: decimals as text, secrets masked at any depth. */
export function cleanValue(value: unknown, redact: CleanText, name = ""): unknown {
  if (value instanceof Decimal) return toWire(value);
  if (typeof value === "string") {
    if (OPEN_NAMES.has(name)) return redact(value);
    return isSecretName(name) ? maskText(value) : cleaner(redact)(value);
  }
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, redact, name));
  if (value === null || typeof value !== "object") return value;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    return cleanValue((value as { toJSON(): unknown }).toJSON(), redact, name);
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, cleanValue(member, redact, key)]),
  );
}
