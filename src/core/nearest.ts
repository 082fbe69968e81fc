/** Finds the known word nearest to a misspelt one, for hints in errors. */
import { isRecord } from "./record.ts";

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

const SHOWN_CHARS = 60;

const show = (value: unknown): string => {
  const text = value === undefined ? "(not set)" : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
};

/** Members that differ, as dotted paths with both values; lists are compared whole. */
export function differencesOf(before: unknown, after: unknown, at = ""): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [`${at || "(all)"}: ${show(before)} → ${show(after)}`];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differencesOf(before[name], after[name], at ? `${at}.${name}` : name));
}
