/**
 * Generates texts that match a regular expression: reads the usual grammar (groups, alternatives, classes, quantifiers)
 * and produces the shortest match, then longer and different ones. Look-arounds are satisfied by trial.
 */

/**
 * The deviation of this attempt from the shortest match: additional repetitions where allowed, and the chosen
 * alternative.
 */
interface Attempt {
  readonly extra: number;
  readonly turn: number;
}

interface Reading {
  readonly source: string;
  readonly attempt: Attempt;
  at: number;
}

const ATTEMPTS: readonly Attempt[] = [0, 1, 2, 3].flatMap((turn) =>
  [0, 1, 2, 4, 7, 8, 12, 16, 24, 32, 64].map((extra) => ({ extra, turn })),
);

/** All different, so that a class or a dot finds one that it accepts. */
const LETTERS = [..."a0A-_ .!/:@#~éß漢", "\n"];

/** Texts that match, the shortest first; none if the grammar is not supported. */
export function* patternSamples(pattern: RegExp): Generator<string> {
  for (const attempt of ATTEMPTS) {
    const reading: Reading = { source: pattern.source, attempt, at: 0 };
    const text = alternatives(reading);
    if (reading.at === pattern.source.length && pattern.test(text)) yield text;
  }
}

function alternatives(reading: Reading): string {
  const found = [sequence(reading)];
  while (reading.source[reading.at] === "|") {
    reading.at += 1;
    found.push(sequence(reading));
  }
  return found[reading.attempt.turn % found.length] ?? "";
}

function sequence(reading: Reading): string {
  let text = "";
  while (reading.at < reading.source.length && !"|)".includes(reading.source[reading.at] ?? "")) {
    const piece = atom(reading);
    text += piece.repeat(repetitions(reading));
  }
  return text;
}

function repetitions(reading: Reading): number {
  const { source, attempt } = reading;
  const [whole, sign, least, comma, most] = /^(?:([?*+])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(reading.at)) ?? [];
  if (whole === undefined) return 1;
  reading.at += whole.length;
  if (sign !== undefined) return sign === "?" ? Math.min(1, attempt.extra) : attempt.extra + (sign === "+" ? 1 : 0);
  const from = Number(least);
  const to = comma === "" ? from : most === "" ? Infinity : Number(most);
  return Math.min(to, from + attempt.extra);
}

/** One repeatable item: a group, a class, an escape or a letter. Anchors and look-arounds produce nothing. */
function atom(reading: Reading): string {
  const { source } = reading;
  const letter = source[reading.at] ?? "";
  if (letter === "(") return group(reading);
  if (letter === "[" || letter === "\\" || letter === ".") return fromSet(reading);
  reading.at += 1;
  return letter === "^" || letter === "$" ? "" : letter;
}

function group(reading: Reading): string {
  const [opening = "("] = /^\((?:\?(?::|=|!|<=|<!|<\w+>))?/.exec(reading.source.slice(reading.at)) ?? [];
  reading.at += opening.length;
  const text = alternatives(reading);
  reading.at += 1;
  return /^\(\?(?:=|!|<=|<!)$/.test(opening) ? "" : text;
}

/** A class, an escape or a dot is tried as an expression of its own on a handful of letters and those it names. */
function fromSet(reading: Reading): string {
  const rest = reading.source.slice(reading.at);
  const [set = rest] =
    /^(?:\.|\[(?:\\[^]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^]))/.exec(rest) ??
    [];
  reading.at += set.length;
  if (/^\\[bB]$/.test(set)) return "";
  const takes = new RegExp(`^(?:${set})$`, "u");
  const named = [...set.replace(/[[\]\\^]/g, "")];
  const fitting = [...LETTERS, ...named, "]", "[", "\\", "^"].filter((letter) => takes.test(letter));
  return fitting[reading.attempt.turn % Math.max(1, fitting.length)] ?? "";
}
