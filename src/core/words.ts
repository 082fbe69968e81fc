/** Figures in sentences for people. */

/** `1 fill`, `2 fills`; `several` is for a noun whose plural takes more than an s. */
export const counted = (count: number, noun: string, several = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : several}`;

/** A hyphen directly before a figure, and not inside a word, a date or a range. */
const NEGATIVE = /(?<![\w\-./=])-(\d[\d.]*)/g;

/** A text with a true minus sign, which is as wide as a figure, before what is below zero; zero itself has none. */
export const trueMinus = (text: string): string =>
  text.replace(NEGATIVE, (_, figure: string) => (/[1-9]/.test(figure) ? `\u2212${figure}` : figure));

/** On one line, without control characters and what no encoding knows, and not longer than `longest` characters. */
export function printable(text: string, longest: number): string {
  const plain = text.replace(/[\p{C}\uFFFD\s]+/gu, " ").trim();
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 3)}...`;
}
