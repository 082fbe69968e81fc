/** The tables in a file of somebody's dump: Parquet, or CSV, plain, as gzip, or one or more in a zip. Rows come one at a time. */
import { createReadStream } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse";
import { openPromise } from "yauzl";
import { parquetRows, type SourceRow } from "./parquet-rows.ts";

/** `name` is the file's own, without folders and without `.gz`; `label` is the name shown to people. */
export interface SourceTable {
  readonly name: string;
  readonly label: string;
  readonly rows: AsyncIterable<SourceRow>;
}

async function* rowsOf(bytes: Readable): AsyncGenerator<SourceRow, void> {
  const parser = parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true });
  bytes.on("error", (cause) => parser.destroy(cause));
  for await (const each of bytes.pipe(parser)) {
    const { record, info } = each as { readonly record: string[]; readonly info: { readonly lines: number } };
    yield { line: info.lines, cells: record };
  }
}

async function* zipTables(file: string): AsyncGenerator<SourceTable, void> {
  const zip = await openPromise(file, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!/\.csv$/i.test(entry.fileName)) continue;
      const name = path.posix.basename(entry.fileName);
      const label = `${path.basename(file)}/${name}`;
      yield { name, label, rows: rowsOf(await zip.openReadStreamPromise(entry)) };
    }
  } finally {
    zip.close();
  }
}

/** Throws what the disk or a damaged file throws. Each table's rows are to be read before the next table is asked for. */
export async function* tablesOf(file: string): AsyncGenerator<SourceTable, void> {
  if (/\.zip$/i.test(file)) return yield* zipTables(file);
  if (/\.parquet$/i.test(file)) {
    const label = path.basename(file);
    return yield { name: label, label, rows: parquetRows(file) };
  }
  const bytes = createReadStream(file);
  const packed = /\.gz$/i.test(file);
  const name = path.basename(file).replace(/\.gz$/i, "");
  const unpacked = packed ? bytes.pipe(createGunzip()) : bytes;
  if (packed) bytes.on("error", (cause) => unpacked.destroy(cause));
  yield { name, label: path.basename(file), rows: rowsOf(unpacked) };
}
