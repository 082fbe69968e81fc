/** Moves compiled lines back to their source positions, so that errors show the author's own line numbers. */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of one segment of a source map: base 64, five bits each, the sign in the lowest. */
function numbersOf(segment: string): readonly number[] {
  const found: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    found.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return found;
}

/** The source line of each compiled line, from 0; null if the map does not contain it. */
function sourceLines(mappings: string): readonly (number | null)[] {
  let line = 0;
  return mappings.split(";").map((compiled) => {
    let first: number | null = null;
    for (const segment of compiled.split(",").filter(Boolean)) {
      line += numbersOf(segment)[2] ?? 0;
      first ??= line;
    }
    return first;
  });
}

/**
 * Erased code leaves empty lines; lines that the compiler split are joined, unless a comment would swallow the rest.
 */
export function keepLines(code: string, sourceMap: string): string {
  const { mappings } = JSON.parse(sourceMap) as { mappings: string };
  const places = sourceLines(mappings);
  const kept: string[] = [];
  code.split("\n").forEach((text, at) => {
    const place = places[at] ?? kept.length;
    while (kept.length < place) kept.push("");
    const before = kept[place];
    if (place === kept.length - 1 && before !== undefined && !before.includes("//"))
      kept[place] = `${before} ${text.trim()}`;
    else kept.push(text);
  });
  return kept.join("\n");
}
