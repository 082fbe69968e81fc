/** An exported table as a Parquet file: instants are timestamps, and money and prices are DECIMAL columns, which lose no digit. */
import { type ColumnSource, parquetWriteBuffer, type SchemaElement } from "hyparquet-writer";
import { parseInstant } from "../../core/time.ts";
import type { ExportCell, ColumnKind, ExportTable } from "./export-tables.ts";

/** Most digits of a DECIMAL that every reader takes; they fit into sixteen bytes. */
const MOST_DIGITS = 38;
const DECIMAL_BYTES = 16;
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?$/;

interface Column {
  readonly element: Omit<SchemaElement, "name">;
  readonly data: readonly (string | number | bigint | Date | null)[];
}

/** Every column may lack values. */
export function tableParquet({ columns, rows }: ExportTable): Uint8Array {
  const written = Object.entries(columns).map(([name, kind]) => ({
    name,
    ...column(
      kind,
      rows.map((row) => row[name] ?? null),
    ),
  }));
  const schema: SchemaElement[] = [
    { name: "root", num_children: written.length },
    ...written.map(({ name, element }): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...element })),
  ];
  const columnData = written.map(({ name, data }): ColumnSource => ({ name, data: [...data] }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, createdBy: "ballast" }));
}

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;

function column(kind: ColumnKind, cells: readonly ExportCell[]): Column {
  switch (kind) {
    case "number":
      return { element: { type: "DOUBLE" }, data: cells.map((cell) => (cell === null ? null : Number(cell))) };
    case "instant":
      return {
        element: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
        data: cells.map((cell) => {
          const atMs = cell === null ? null : parseInstant(String(cell));
          return atMs === null ? null : new Date(atMs);
        }),
      };
    case "decimal":
      return decimals(cells) ?? texts(cells);
    case "text":
    case "free":
      return texts(cells);
  }
}

const texts = (cells: readonly ExportCell[]): Column => ({
  element: TEXT,
  data: cells.map((cell) => (cell === null ? null : String(cell))),
});

/** With as many places as the longest needs; null where a cell is no plain decimal, or has more digits than fit. */
function decimals(cells: readonly ExportCell[]): Column | null {
  const read = cells.map((cell) => (cell === null ? null : DECIMAL_TEXT.exec(String(cell))));
  const scale = Math.max(0, ...read.map((found) => found?.[3]?.length ?? 0));
  const data: (bigint | null)[] = [];
  for (const [at, found] of read.entries()) {
    if (cells[at] === null) data.push(null);
    else {
      const digits = `${found?.[2] ?? ""}${(found?.[3] ?? "").padEnd(scale, "0")}`;
      if (!found || digits.length > MOST_DIGITS) return null;
      data.push(BigInt(`${found[1] ?? ""}${digits}`));
    }
  }
  const layout = { type: "FIXED_LEN_BYTE_ARRAY", type_length: DECIMAL_BYTES } as const;
  return { element: { ...layout, converted_type: "DECIMAL", scale, precision: MOST_DIGITS }, data };
}
