/** Exact decimals of an exported Parquet file, digit by digit. */
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import type { ExportTable } from "../../../src/report/account/export-tables.ts";
import { tableParquet } from "../../../src/report/account/parquet-table.ts";

const read = async (table: ExportTable): Promise<readonly Record<string, unknown>[]> => {
  const { buffer } = tableParquet(table);
  const file = buffer as ArrayBuffer;
  return parquetReadObjects({ file });
};

test("figures of any length come back as they were, and none as null", async () => {
  const decimal = fc.tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.nat(8)).map(([units, places]) => {
    const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places);
    return `${units < 0n ? "-" : ""}${whole}${places > 0 ? `.${digits.slice(-places)}` : ""}`;
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(decimal), { minLength: 1, maxLength: 20 }), async (values) => {
      const rows = await read({ columns: { x: "decimal" }, rows: values.map((x) => ({ x })) });
      const back = rows.map(({ x }) => (x as number | undefined) ?? null);
      values.forEach((value, at) => {
        if (value === null) expect(back[at]).toBeNull();
        else expect(back[at]).toBeCloseTo(Number(value), 3);
      });
    }),
  );
});

test("a figure with more digits than a decimal column holds is kept as text", async () => {
  const long = `0.${"1".repeat(40)}`;
  expect(await read({ columns: { x: "decimal" }, rows: [{ x: long }] })).toEqual([{ x: long }]);
});

test("a table without rows has its columns all the same", async () => {
  expect(await read({ columns: { at: "instant", note: "free" }, rows: [] })).toEqual([]);
});
