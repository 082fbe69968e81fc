/** What differs between two plain values, for people: `a.b: 1 → 2`. */

const SHOWN_CHARS = 60;

const show = (value: unknown): string => {
  const text = value === undefined ? "(not set)" : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Members that differ, as dotted paths with both values; lists are compared whole. */
export function differencesOf(before: unknown, after: unknown, at = ""): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [`${at || "(all)"}: ${show(before)} → ${show(after)}`];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differencesOf(before[name], after[name], at ? `${at}.${name}` : name));
}
