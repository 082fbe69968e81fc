/** What a schema complains of, as text for the person who wrote the value: place, rule, and what stands there. */
import { isSecretName } from "./secret.ts";

/** The part of a schema's complaint that is reported. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const LONGEST = 60;

/**
 * `, found "x"`; empty where nothing, a list or a whole section stands, and where the name says that it is a secret.
 */
export function foundAt(root: unknown, path: readonly PropertyKey[]): string {
  const text = valueAt(root, path);
  return text === null ? "" : `, found ${text}`;
}

/** The value at a path as short text; null where `foundAt` is empty. */
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

/** All complaints on one line, each with its place; `root` is what was read. */
export const issuesText = (issues: readonly Issue[], root: unknown): string =>
  issues
    .map(({ path, message }) => `${path.length > 0 ? `${path.join(".")}: ` : ""}${message}${foundAt(root, path)}`)
    .join("; ");
