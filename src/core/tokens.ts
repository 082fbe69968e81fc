/**
 * The only tokenizer. Its vocabulary takes a few megabytes and a third of a second, so it is loaded when the first text is
 * counted. The count is that of one known encoding: an estimate for any other.
 */
import { createRequire } from "node:module";

interface Encoding {
  countTokens(text: string, options: { disallowedSpecial: ReadonlySet<string> }): number;
}

/** The tokenizer's time grows with the square of an unbroken run; longer ones are not counted but bounded. */
export const RUN_MAX_CHARS = 400;
const LONG_RUN = new RegExp(`\\S{${RUN_MAX_CHARS}}`);
/** Names of special tokens count as plain text: a headline may contain one. */
const PLAIN = { disallowedSpecial: new Set<string>() };

let encoding: Encoding | null = null;

/** Tokens of a text. A text with a long unbroken run is counted by its bytes, the upper bound of any byte-level tokenizer. */
export function countTokens(text: string): number {
  if (LONG_RUN.test(text)) return Buffer.byteLength(text, "utf8");
  return loadTokenizer().countTokens(text, PLAIN);
}

/** Called ahead by whoever counts within a time limit: an interrupted load leaves a broken module for the whole run. */
export function loadTokenizer(): Encoding {
  encoding ??= createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as Encoding;
  return encoding;
}
