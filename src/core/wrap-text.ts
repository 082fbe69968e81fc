/** Breaks text at blanks for a terminal. A figure and its unit stay on one line. */

/** What belongs to the figure before it. */
const UNIT = /^(USDT?|%|ms|s|min|m|h|d|bp|tokens?|positions?|of)[,;:.)]*$/;
const FIGURE = /\d[),]*$/;

/** Words, each with the unit behind it. */
function words(text: string): readonly string[] {
  const found: string[] = [];
  for (const word of text.split(" ")) {
    const last = found.at(-1);
    if (last !== undefined && UNIT.test(word) && FIGURE.test(last)) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  return found;
}

export interface Columns {
  readonly width: number;
  /** Where the text begins on its first line, and on all others. */
  readonly first: number;
  readonly indent: number;
}

/** A word that is longer than a line stays whole: an id that is broken in two cannot be copied. */
export function wrapText(text: string, { width, first, indent }: Columns): string {
  const lines: string[] = [];
  let line = "";
  let start = first;
  for (const word of words(text)) {
    if (start + line.length + 1 + word.length > width && start + line.length > indent) {
      lines.push(line);
      start = indent;
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}
