/** UTC days, spans and texts. All instants are epoch ms. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The day that was asked for last, because callers ask for the present one again and again. */
let lastDay = { startMs: NaN, text: "" };

/** `2026-01-31`, the UTC day that holds the instant. */
export function utcDay(atMs: number): string {
  const startMs = utcDayStartMs(atMs);
  if (startMs !== lastDay.startMs) lastDay = { startMs, text: new Date(atMs).toISOString().slice(0, 10) };
  return lastDay.text;
}

/** Start of the UTC day that holds the instant. */
export const utcDayStartMs = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;

/** `2026-01-31T09:30:00.000Z`. */
export const isoTime = (atMs: number): string => new Date(atMs).toISOString();

const ZONED = /(Z|GMT|UTC|[+-]\d{2}:?\d{2})$/i;
const DAY_ALONE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_FIRST = /^\d{4}-\d{2}-\d{2}/;

/** `Date.parse` reads 30 February as 2 March; this check refuses it. */
function isDay(text: string): boolean {
  const atMs = Date.parse(text);
  return Number.isFinite(atMs) && utcDay(atMs) === text;
}

/** Parses an external time; without a zone it is UTC, regardless of the machine's zone. Null if it is invalid. */
export function parseInstant(text: string): number | null {
  const trimmed = text.trim();
  const day = DAY_FIRST.exec(trimmed)?.[0];
  if (day !== undefined && !isDay(day)) return null;
  const zone = ZONED.test(trimmed) || DAY_ALONE.test(trimmed) ? "" : /^\d{4}-/.test(trimmed) ? "Z" : " GMT";
  const atMs = Date.parse(trimmed + zone);
  return Number.isFinite(atMs) ? atMs : null;
}

/** What `parseSpan` reads, without blanks around it. */
export const SPAN = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;
const SPAN_UNIT_MS: Record<string, number> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Reads `250ms`, `30s`, `5m`, `2h`, `1d`. Null when it is none of these. */
export function parseSpan(text: string): number | null {
  const match = SPAN.exec(text.trim());
  const unit = match?.[2];
  return match?.[1] && unit ? Number(match[1]) * (SPAN_UNIT_MS[unit] ?? 0) : null;
}

/** `1d 4h`, `12m 5s`, `840ms`: the two largest parts, for people. */
export function formatSpan(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)}ms`;
  const parts: string[] = [];
  let rest = Math.floor(ms / SECOND_MS);
  for (const [unit, size] of [
    ["d", 86_400],
    ["h", 3_600],
    ["m", 60],
    ["s", 1],
  ] as const) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count}${unit}`);
  }
  return parts.join(" ");
}

/** The span as `parseSpan` reads it back, in the largest unit that leaves no rest: `90s`, `2500ms`, `1d`. */
export function exactSpan(ms: number): string {
  const unit = ["d", "h", "m", "s"].find((name) => ms > 0 && ms % (SPAN_UNIT_MS[name] ?? 1) === 0) ?? "ms";
  return `${ms / (SPAN_UNIT_MS[unit] ?? 1)}${unit}`;
}
