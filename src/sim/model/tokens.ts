/**
 * An estimate of how many tokens a text has, without a vocabulary: word pieces of about six letters, digits in threes,
 * short runs of punctuation as one. Within about a fifth of a real tokeniser on the prompts we send; the same everywhere and at
 * once, which a lazily loaded vocabulary is not.
 */

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

/** Used for billing by the practice gateway and for its prefix cache; 0 for an empty text. */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (const match of text.matchAll(PIECES)) sum += tokensOfPiece(match[0]);
  return sum;
}
