/** The known word that a misspelt one most likely meant, for hints beside errors. */

/** Edits (insert, delete, change of a letter) that lead from one word to the other, letter case ignored. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = from[i - 1]?.toLowerCase() === to[j - 1]?.toLowerCase() ? 0 : 1;
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change);
    }
    row = next;
  }
  return row[to.length] ?? Infinity;
}

/** Null when nothing is close: more than two letters, or a third of the word, apart. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(word.slice(0, 60), name);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.name : null;
}
