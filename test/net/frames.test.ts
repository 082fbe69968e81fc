import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameJson, frameText } from "../../src/net/frames.ts";

describe("bytes to text", () => {
  test("gzip and plain frames give the same text", () => {
    const text = JSON.stringify({ channel: "Größe" });
    expect(frameText(Buffer.from(text))).toEqual({ ok: true, value: text });
    expect(frameText(gzipSync(text))).toEqual({ ok: true, value: text });
  });
  test("a gzip bomb, cut gzip and invalid UTF-8 are refused with a sample", () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    const good = gzipSync("{}");
    for (const frame of [bomb, good.subarray(0, good.length - 6), Buffer.from([0xff, 0xfe, 0x22])]) {
      const result = frameText(frame);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.error.sample.length).toBeGreaterThan(0);
    }
  });
});

describe("text to JSON", () => {
  test("nesting is counted outside strings only", () => {
    expect(frameJson(`{"a":"${"[".repeat(100)}\\"["}`).ok).toBe(true);
    expect(frameJson("[".repeat(32) + "]".repeat(32)).ok).toBe(true);
    expect(frameJson("[".repeat(33) + "]".repeat(33)).ok).toBe(false);
  });
  test("cut at any byte it is refused, whole it is read", () => {
    const text = JSON.stringify({ arg: { channel: "BBO", sym: 'a"\\' }, data: { bid: "1" } });
    for (let cut = 0; cut < text.length; cut++) expect(frameJson(text.slice(0, cut)).ok).toBe(false);
    expect(frameJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });
  test("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof frameJson(text).ok === "boolean"));
  });
});
