/** Schema issues as text for the person who wrote the value: place, rule, and the value found. */
import { isSecretName } from "./secret.ts";

/** The reported part of a schema issue. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const LONGEST = 60;

/**
 * `, found "x"`; empty for an absent value, a list or a section, and for a name that looks like a secret.
 */
export function foundAt(root: unknown, path: readonly PropertyKey[]): string {
  const text = valueAt(root, path);
  return text === null ? "" : `, found ${text}`;
}

/** The value at a path as short text; null if `foundAt` is empty. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): string | null {
  if (isSecretName(String(path.at(-1)))) return null;
  const value = path.reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step],
    root,
  );
  if (value === undefined || (typeof value === "object" && value !== null)) return null;
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

const BOUND = /^Too (big|small): expected \w+ to (be|have) ([<>]=?) ?(-?[\d.e+]+)(?: (\w+))?$/;
const COMPARED: Readonly<Record<string, string>> = {
  "<=": "at most",
  "<": "less than",
  ">=": "at least",
  ">": "more than",
};

/** The schema library's sentence about a bound in words of ours; any other message as it is. */
export const ruleText = (message: string): string =>
  message.replace(BOUND, (_, _way, verb: string, sign: string, bound: string, noun = "") => {
    const one = bound === "1" ? noun.replace(/s$/, "") : noun;
    return `must ${verb} ${COMPARED[sign] ?? sign} ${bound}${one === "" ? "" : ` ${one}`}`;
  });

/** All issues on one line, each with its place; `root` is the parsed value. */
export const issuesText = (issues: readonly Issue[], root: unknown): string =>
  issues
    .map(
      ({ path, message }) =>
        `${path.length > 0 ? `${path.join(".")}: ` : ""}${ruleText(message)}${foundAt(root, path)}`,
    )
    .join("; ");
