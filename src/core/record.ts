/** Parsed JSON of a shape that nobody has checked yet. */

/** A JSON object, as opposed to null, lists and scalars. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One field of it; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
