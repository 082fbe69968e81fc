/** Breaks text at blanks for a terminal. A figure and its unit stay on one line. */

/** A unit, which stays with the figure before it. */
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

const HELP_WIDTH = 80;
const MORE = " \\";

/** A command line that a shell reads as one: broken between words, and in a quoted JSON object before a name or a text. */
function brokenCommand(line: string): string {
  const indent = `${/^ */.exec(line)?.[0] ?? ""}    `;
  const pieces = (line.match(/ *(?:'[^']*'|\S+)/g) ?? []).flatMap((piece) =>
    piece.length > HELP_WIDTH - indent.length - MORE.length ? piece.split(/(?<=,|":)(?=")/) : [piece],
  );
  let broken = "";
  let width = 0;
  for (const piece of pieces) {
    if (width > 0 && width + piece.length + MORE.length > HELP_WIDTH) {
      // Inside the quotes a line break is valid JSON white space, but a backslash would not be.
      const quoted = !piece.startsWith(" ");
      const text = `${indent}${piece.trimStart()}`;
      broken += `${quoted ? "" : MORE}\n${text}`;
      width = text.length;
    } else {
      broken += piece;
      width += piece.length;
    }
  }
  return broken;
}

/** Help for a terminal of 80 columns: columns keep their place, commands stay commands. */
export const fitHelp = (text: string): string =>
  text
    .split("\n")
    .map((line) => {
      if (line.length <= HELP_WIDTH) return line;
      if (/^ *(\$|svc) /.test(line)) return brokenCommand(line);
      const [, before = "", rest = line] = /^( *\S.*? {2,}| *)(\S.*)$/.exec(line) ?? [];
      return `${before}${wrapText(rest, { width: HELP_WIDTH, first: before.length, indent: before.length })}`;
    })
    .join("\n");
