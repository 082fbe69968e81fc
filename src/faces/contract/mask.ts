/**
 * Masking of everything that leaves: known secrets become their masks, what merely looks like a secret is replaced.
 * Decimals become text on the way. Spec: 3 §5; records §17.10.
 */
import { Decimal, toWire } from "../../core/decimal.ts";
import { isSecretName, maskText } from "../../core/secret.ts";

const REDACTED = "[REDACTED]";
const SECRET_LOOKING = /\b[0-9a-f]{48,}\b|\b(?:sk|key)[_-][A-Za-z0-9_-]{12,}\b/gi;
/** Hashes are of our own making and long hex by nature; tokens bind a submit to its preview and open nothing else. */
const OPEN_NAMES: ReadonlySet<string> = new Set(["paramsHash", "submitToken"]);

/** The same text without the secrets that it knows of. */
export type CleanText = (text: string) => string;

/** Known secrets first, then lookalikes. */
export const cleaner =
  (redact: CleanText): CleanText =>
  (text) =>
    redact(text).replace(SECRET_LOOKING, REDACTED);

/** A plain copy fit for JSON: decimals as text, secrets masked, whatever the depth. */
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
