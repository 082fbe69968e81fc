/** Whether a log line says to a person what it says to a machine: each figure of its fields stands in its text. */
import type { Line } from "./process.ts";

/** Ids, instants and counters of attempts are no figures that a person needs to read. */
const NO_FIGURE = /(Id|Ids|AtMs|At|Since|since|sinceMs|pid|attempt|seq|exitCode|hash|stream|key|scale)$/;
const UNITS = [1, 1_000, 60_000, 3_600_000, 0.01];

const isNear = (shown: number, meant: number): boolean =>
  Math.abs(shown - meant) <= 0.051 * Math.max(1, Math.abs(meant));

/** Figures that the text does not show, as `evt name value`; a rounded figure counts, and seconds for milliseconds. */
export function figuresMissing({ evt, msg, level, ...fields }: Line): readonly string[] {
  const shown = (msg.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  return Object.entries(fields).flatMap(([name, value]) => {
    const isFigure = typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
    if (!isFigure || NO_FIGURE.test(name) || level === "debug") return [];
    const figure = Number(value);
    // "No position stays open" says it as well.
    if (figure === 0) return [];
    return shown.some((one) => UNITS.some((unit) => isNear(Math.abs(one), Math.abs(figure) / unit)))
      ? []
      : [`${evt} ${name} ${String(value)}: ${msg}`];
  });
}
