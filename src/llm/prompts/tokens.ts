/**
 * Upper bound of a text's tokens. One known tokenizer's count is an estimate for any other, so it gets a margin; the
 * number of bytes is the ceiling for any byte-level tokenizer.
 */

/** Tokenizers differ by some tens of percent on prose. */
const MARGIN = 1.25;
/** Role names and separators that a chat template adds to each message. */
const TOKENS_PER_MESSAGE = 16;
/** The tokenizer's time grows with the square of an unbroken run, so longer runs use the ceiling. */
const RUN_MAX_CHARS = 400;
const LONG_RUN = new RegExp(`\\S{${RUN_MAX_CHARS}}`);

type Count = (text: string) => number;
let counting: Promise<Count> | null = null;

/** Loaded with the first question; every other room counts with the same tokenizer. */
function counter(): Promise<Count> {
  counting ??= import("../../core/tokens.ts").then(({ countTokens }) => countTokens);
  return counting;
}

/** The ceiling: every token of a byte-level tokenizer is at least one byte. */
export const tokenCeiling = (text: string): number => Buffer.byteLength(text, "utf8") + TOKENS_PER_MESSAGE;

const digitsIn = (text: string): number => text.replace(/\D/g, "").length;

/**
 * Upper bound of one chat message's tokens: the count with its margin, plus one for every digit (tables are full of
 * them and some tokenizers split each), never more than the ceiling. Falls back to the ceiling, never throws.
 */
export async function tokenBound(text: string): Promise<number> {
  const ceiling = tokenCeiling(text);
  if (LONG_RUN.test(text)) return ceiling;
  try {
    const count = await counter();
    return Math.min(ceiling, Math.ceil(count(text) * MARGIN) + digitsIn(text) + TOKENS_PER_MESSAGE);
  } catch {
    return ceiling;
  }
}

/** The count of one known tokenizer, without a margin; an estimate from the bytes if it cannot count. Never throws. */
export async function tokenCount(text: string): Promise<number> {
  const estimate = Math.ceil(Buffer.byteLength(text, "utf8") / 4);
  if (LONG_RUN.test(text)) return estimate;
  try {
    return (await counter())(text);
  } catch {
    return estimate;
  }
}
