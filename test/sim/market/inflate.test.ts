/** Unpacking in pieces, within the call, against the runtime's packing. */
import { constants, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DamagedGzip, gunzipped } from "../../../src/sim/market/inflate.ts";

/** A source that gives `bytes` in pieces of a size. */
function inPieces(bytes: Uint8Array, size: number) {
  let at = 0;
  return (): Uint8Array | null => {
    const piece = bytes.subarray(at, at + size);
    at += size;
    return piece.length === 0 ? null : piece;
  };
}

const unpack = (bytes: Uint8Array, size = 1_000): Buffer => Buffer.concat([...gunzipped(inPieces(bytes, size))]);

/** From what repeats itself over wide distances to what cannot be packed. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.tuple(fc.string({ maxLength: 40 }), fc.integer({ min: 1, max: 3_000 })), { maxLength: 6 })
    .map((parts) => Buffer.from(parts.map(([text, times]) => text.repeat(times)).join(""))),
);

const packing = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FIXED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FILTERED,
  ),
  memLevel: fc.constantFrom(1, 8, 9),
});

test("what was packed in any way comes out as it was, in pieces of any size, and member after member", () => {
  fc.assert(
    fc.property(
      fc.array(content, { minLength: 1, maxLength: 3 }),
      packing,
      fc.integer({ min: 1, max: 5_000 }),
      (all, how, size) => {
        const packed = Buffer.concat(all.map((bytes) => gzipSync(bytes, how)));
        expect(unpack(packed, size).equals(Buffer.concat(all))).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

function unpacksTo(packed: Buffer, text: Buffer): boolean {
  try {
    return unpack(packed).equals(text);
  } catch {
    return false;
  }
}

test("a damaged or shortened file is reported, and never hangs or passes for a whole one", () => {
  const text = Buffer.from("1723161256299,bid,58710.20,0.014\n".repeat(2_000));
  const whole = gzipSync(text);
  fc.assert(
    fc.property(fc.integer({ min: 10, max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ by;
      // In a text that repeats, another distance back may give the very same bytes.
      if (!unpacksTo(damaged, text)) expect(() => unpack(damaged)).toThrow(DamagedGzip);
      expect(() => unpack(whole.subarray(0, at))).toThrow(DamagedGzip);
    }),
    { numRuns: 300 },
  );
  expect(() => unpack(Buffer.from("open_time_ms,open"))).toThrow("it is not gzip");
});
