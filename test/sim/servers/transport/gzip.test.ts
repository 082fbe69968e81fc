/** What one kept state compresses is, byte for byte, what a new state would make of it. */
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gzipped } from "../../../../src/sim/servers/transport/gzip.ts";

test("one text after the other", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 2_000 }), { maxLength: 5 });
  fc.assert(
    fc.property(texts, (list) =>
      list.map(gzipped).every((bytes, at) => bytes.equals(gzipSync(list[at] ?? "", { level: 1 }))),
    ),
  );
});

test("a text larger than the kept state takes, and the one after it", () => {
  for (const text of ["x".repeat(200_000), '{"channel":"BBO"}'])
    expect(gunzipSync(gzipped(text)).toString()).toBe(text);
});
