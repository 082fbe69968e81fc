/**
 * The provider's prefix cache: the part of a prompt that repeats a beginning sent within the last five minutes is
 * cheaper. The cache compares blocks of text and does not interpret them. Spec: 3 §8 (5-minute cache).
 */
import { BoundedMap } from "../../core/bounded.ts";
import { sha256 } from "../../core/hash.ts";

const PIECES = /[A-Za-z]+|\d+|\n+|[ \t]{2,}|[^\sA-Za-z\d]+/g;

function tokensOfPiece(piece: string): number {
  const first = piece.charCodeAt(0);
  if ((first >= 65 && first <= 90) || (first >= 97 && first <= 122))
    return piece.length <= 8 ? 1 : Math.ceil(piece.length / 6);
  if (first >= 48 && first <= 57) return Math.ceil(piece.length / 3);
  if (piece.trim() === "") return 1;
  // Short runs of ASCII punctuation are one token; other scripts cost about one a character.
  return first < 128 ? Math.ceil(piece.length / 4) : piece.length;
}

/**
 * Estimates how many tokens a text has, without a vocabulary: word pieces of about six letters, digits in threes, short
 * runs of punctuation as one. Within about a fifth of a real tokeniser on the prompts we send. The practice gateway bills
 * by it; 0 for an empty text.
 */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (const match of text.matchAll(PIECES)) sum += tokensOfPiece(match[0]);
  return sum;
}

/** Counted from the last request with that beginning. */
export const PREFIX_LIFE_MS = 300_000;
/** Shorter beginnings are not cached. */
export const PREFIX_TOKENS_MIN = 1_024;
const BLOCK_CHARS = 512;
const BLOCKS_KEPT = 20_000;

/** `owner` separates keys and models; it is the key and the model together. */
export interface PrefixCache {
  /**
   * Tokens at the start of `text` that were sent under `owner` within the lifetime; remembers `text` and renews them.
   */
  read(owner: string, text: string, nowMs: number): number;
}

/** Creates an empty cache. It holds the hashes of at most 20,000 blocks, and no texts. */
export function createPrefixCache(): PrefixCache {
  const expiryOf = new BoundedMap<string, number>(BLOCKS_KEPT);
  return {
    read: (owner, text, nowMs) => {
      let chain = owner;
      let cached = 0;
      let unbroken = true;
      let tokens = 0;
      for (let at = 0; at + BLOCK_CHARS <= text.length; at += BLOCK_CHARS) {
        const block = text.slice(at, at + BLOCK_CHARS);
        chain = sha256(`${chain}\n${block}`);
        tokens += estimateTokens(block);
        unbroken = unbroken && (expiryOf.get(chain) ?? 0) > nowMs;
        if (unbroken) cached = tokens;
        expiryOf.set(chain, nowMs + PREFIX_LIFE_MS);
      }
      return cached >= PREFIX_TOKENS_MIN ? cached : 0;
    },
  };
}
