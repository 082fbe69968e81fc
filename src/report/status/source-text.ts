/** The owner's own sources in `ballast status`. Knows only the shape of the status object. */
import { formatSpan } from "../../core/time.ts";
import { counted } from "../../core/words.ts";

/** One source of the owner's own data. */
export interface SourceFacts {
  readonly name: string;
  readonly atMs: number | null;
  readonly stale: boolean;
  readonly counts: {
    readonly taken: number;
    readonly malformed: number;
    readonly future: number;
    readonly flood: number;
  };
  readonly faults: number;
  readonly failing: { readonly sinceMs: number; readonly reason: string } | null;
  readonly refused: string | null;
}

/** The age of the source's newest point, what was refused, and why the source delivers nothing if it does not. */
export function sourceText(
  { name, atMs, stale, counts, faults, failing, refused }: SourceFacts,
  nowMs: number,
): string {
  const age = atMs === null ? "no point yet" : `${formatSpan(Math.max(0, nowMs - atMs))} old`;
  const dropped = counts.malformed + counts.future + counts.flood;
  return [
    `${name}: ${stale ? "STALE, " : ""}${age}, ${counted(counts.taken, "point")}`,
    ...(dropped > 0 ? [`${dropped} refused (${refused ?? ""})`] : []),
    ...(faults > 0 ? [counted(faults, "fault")] : []),
    ...(failing ? [`FAILING for ${formatSpan(Math.max(0, nowMs - failing.sinceMs))}: ${failing.reason}`] : []),
  ].join(", ");
}
