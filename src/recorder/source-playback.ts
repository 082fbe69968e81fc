/** Reads the recorded points of a source back, so that a backtest sees each point when it was first known. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { SourcePoint } from "./lines.ts";

const FILE_BYTES_MAX = 32 * 1024 * 1024;

/** A file written by hand may leave `seen_ms` out: the point was then known at its own time. */
const line = z.object({
  ts_ms: z.number().positive(),
  seen_ms: z.number().positive().optional(),
  values: z.record(z.string(), z.union([z.number(), z.string()])),
});

/** The file itself, or every month of the source in a folder of recordings, oldest first. Throws if there is none. */
function filesOf(place: string, source: string): readonly string[] {
  if (!statSync(place).isDirectory()) return [place];
  const months = readdirSync(place)
    .filter((file) => file.startsWith(`${source}-`) && /^\d{4}-\d{2}\.jsonl$/.test(file.slice(source.length + 1)))
    .sort();
  if (months.length === 0) throw new Error(`${place} holds no ${source}-YYYY-MM.jsonl`);
  return months.map((file) => path.join(place, file));
}

/** In the order of receipt; `unsound` counts skipped lines. Throws if nothing can be read. */
export function readSourcePoints(
  place: string,
  source: string,
): { readonly points: readonly SourcePoint[]; readonly unsound: number } {
  const points: SourcePoint[] = [];
  let unsound = 0;
  for (const file of filesOf(place, source)) {
    if (statSync(file).size > FILE_BYTES_MAX) throw new Error(`${file} is larger than ${FILE_BYTES_MAX} bytes`);
    for (const text of readFileSync(file, "utf8").split("\n")) {
      const point = text === "" ? null : pointIn(text);
      if (point) points.push(point);
      else if (text !== "") unsound += 1;
    }
  }
  return { points: points.sort((a, b) => a.seenMs - b.seenMs), unsound };
}

function pointIn(text: string): SourcePoint | null {
  try {
    const read = line.safeParse(JSON.parse(text));
    if (!read.success) return null;
    const { ts_ms: atMs, seen_ms: seenMs = atMs, values } = read.data;
    return { atMs, seenMs, values };
  } catch {
    return null;
  }
}
