/** Reading the bodies of rows without trust: what is not of the wanted kind is not there. */

export type Fields = Readonly<Record<string, unknown>>;

/** The members of an object; none for null, a list or any other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** A text, "" included; null for anything else. */
export const textIn = (body: unknown, name: string): string | null => {
  const value = fieldsOf(body)[name];
  return typeof value === "string" ? value : null;
};

/** A finite number; null for anything else. */
export const numberIn = (body: unknown, name: string): number | null => {
  const value = fieldsOf(body)[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

/** A list, its items unread; empty for anything else. */
export const listIn = (body: unknown, name: string): readonly unknown[] => {
  const value = fieldsOf(body)[name];
  return Array.isArray(value) ? value : [];
};

/** The texts of a list in their order, other items passed over; empty for anything else. */
export const textsIn = (body: unknown, name: string): readonly string[] =>
  listIn(body, name).filter((item): item is string => typeof item === "string");
