/** The table of the lab's commands. */
import Table from "cli-table3";

/** Columns of words; the others hold figures. */
const WORDS: readonly string[] = ["", "strategy", "ended early", "verdict"];
/** Where the output is no terminal, columns of text. */
const WIDTH_DEFAULT = 100;

type Rows = readonly (readonly string[])[];

function draw(head: readonly string[], rows: Rows, isWords: (heading: string, at: number) => boolean): string {
  const table = new Table({
    head: [...head],
    style: { head: [], border: [], compact: true },
    colAligns: head.map((heading, at) => (isWords(heading, at) ? "left" : "right")),
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
}

const widthOf = (table: string): number => table.slice(0, table.indexOf("\n")).length;

/**
 * Words are left-aligned, figures right-aligned. A column that no row uses is left out. A table that is wider than `width`
 * columns of text has a line for each heading instead, where that is narrower.
 */
export function resultTable(headings: readonly string[], rows: Rows, width = process.stdout.columns): string {
  const isUsed = (_: string, at: number): boolean => rows.length === 0 || rows.some((row) => row[at] !== "");
  const [names, ...figures] = headings.filter(isUsed);
  const used = rows.map((row) => row.filter(isUsed));
  const across = draw([names ?? "", ...figures], used, (heading) => WORDS.includes(heading));
  if (widthOf(across) <= (width ?? WIDTH_DEFAULT)) return across;
  const lines = figures.map((heading, at) => [heading, ...used.map((row) => row[at + 1] ?? "")]);
  const down = draw([names ?? "", ...used.map((row) => row[0] ?? "")], lines, (_, at) => at === 0);
  return widthOf(down) < widthOf(across) ? down : across;
}
