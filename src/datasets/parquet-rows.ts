/** The rows of a Parquet file as texts, its column names first, as if it were a CSV. Read in stretches, not at once. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type AsyncBuffer, type Compressors, parquetMetadataAsync, parquetReadObjects } from "hyparquet";

/** A row of an imported file as texts. `line` counts from 1, headings included. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const ROWS_AT_ONCE = 50_000;

/** Snappy and plain come with the library. */
const COMPRESSORS: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
};

/** Throws what the disk, a damaged file or an unknown compression throws. */
export async function* parquetRows(file: string): AsyncGenerator<SourceRow, void> {
  const handle = openSync(file, "r");
  try {
    const buffer = bufferOf(handle);
    const metadata = await parquetMetadataAsync(buffer);
    const columns = metadata.schema.slice(1).filter((each) => each.num_children === undefined);
    const names = columns.map(({ name }) => name);
    yield { line: 1, cells: names };
    const count = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < count; rowStart += ROWS_AT_ONCE) {
      const rowEnd = Math.min(count, rowStart + ROWS_AT_ONCE);
      const rows = await parquetReadObjects({ file: buffer, metadata, compressors: COMPRESSORS, rowStart, rowEnd });
      for (const [at, row] of rows.entries())
        yield { line: rowStart + at + 2, cells: names.map((name) => textOf((row as Record<string, unknown>)[name])) };
    }
  } finally {
    closeSync(handle);
  }
}

function bufferOf(handle: number): AsyncBuffer {
  const byteLength = fstatSync(handle).size;
  return {
    byteLength,
    slice: (from, to = byteLength) => {
      const [start, end] = [from < 0 ? byteLength + from : from, to < 0 ? byteLength + to : to];
      const bytes = new Uint8Array(Math.max(0, end - start));
      const got = readSync(handle, bytes, 0, bytes.length, start);
      if (got < bytes.length) throw new Error("the file is shorter than its header says");
      return bytes.buffer;
    },
  };
}

/** Times become ISO texts with their zone, which Parquet always knows as UTC; nothing else than figures and texts is read. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "number" ||
    typeof value === "bigint" ||
    typeof value === "string" ||
    typeof value === "boolean"
    ? String(value)
    : "";
}
