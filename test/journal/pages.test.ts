import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decimal, dec } from "../../src/core/decimal.ts";
import { redactor, Secret } from "../../src/core/secret.ts";
import { decodePage, encodePage } from "../../src/journal/page-codec.ts";
import { openPageStore, prune, readPage } from "../../src/journal/page-store.ts";
import { freshJournalPath } from "./support.ts";

const folder = (): string => path.join(path.dirname(freshJournalPath()), "pages");

describe("a page says the same when it is read back", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.double(),
    fc.integer(),
    fc.tuple(fc.integer(), fc.nat(30)).map(([digits, places]) => new Decimal(digits).div(new Decimal(10).pow(places))),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("tree"), { maxLength: 6 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("$dec", "$rows", "of", "$obj", "$num")), tie("tree"), {
        maxKeys: 5,
        noNullPrototype: true,
      }),
      fc.array(fc.record({ a: tie("tree"), b: leaf }), { minLength: 3, maxLength: 6 }),
    ),
  }));
  test("whatever plain value it is", () =>
    fc.assert(
      fc.property(tree, (value) => {
        const text = encodePage(value);
        expect(encodePage(decodePage(text))).toBe(text);
        expect(decodePage(text)).toEqual(value);
      }),
      { numRuns: 300 },
    ));

  test("decimals stay decimals, infinity stays infinity, tables stay lists", () => {
    const bars = Array.from({ length: 50 }, (_, i) => ({ openMs: i, open: i + 0.5, volume: Infinity }));
    const value = {
      equity: new Decimal("1475.40983606557377049180327868852459016"),
      sum: new Decimal("1e-35"),
      age: Infinity,
      bars,
    };
    const back = decodePage(encodePage(value)) as typeof value;
    expect(back).toEqual(value);
    expect(back.equity.eq(value.equity)).toBe(true);
    expect(encodePage(value).length).toBeLessThan(JSON.stringify(value).length);
  });

  test("code has no place in it", () => {
    expect(decodePage(encodePage({ a: () => 1, b: undefined, c: [undefined, 2] }))).toEqual({ c: [null, 2] });
  });
});

describe("the page store", () => {
  test("gives back what a row names, and reports a page that was changed from one that is gone", async () => {
    const dir = folder();
    const { row, written } = openPageStore(dir).put("d-1.1", { equity: dec("12.5") });
    expect(await written).toMatchObject({ ok: true });
    expect(readPage(dir, row)).toEqual({ ok: true, value: { equity: dec("12.5") } });
    expect(readPage(dir, { ...row, sha256: "0".repeat(64) })).toMatchObject({ ok: false, error: /its hash differs/ });
    fs.writeFileSync(path.join(dir, "d-1.1.json.gz"), "not a page");
    expect(readPage(dir, row).ok).toBe(false);
    fs.rmSync(path.join(dir, "d-1.1.json.gz"));
    expect(readPage(dir, row)).toMatchObject({ ok: false, error: /is gone: pages are kept for a while only/ });
  });

  test("secrets are masked in every text of a page, wherever they stand", async () => {
    const dir = folder();
    const secret = 'sk-"quoted"-0123456789';
    const redact = redactor([new Secret(secret)]);
    const value = {
      asked: { user: `before ${secret} after` },
      rows: [1, 2, 3].map((n) => ({ n, text: secret })),
      [secret]: [secret],
    };
    const { row, written } = openPageStore(dir, { redact }).put("d-1.1", value);
    expect(await written).toMatchObject({ ok: true });
    const back = readPage(dir, row);
    expect(JSON.stringify(back)).not.toContain("quoted");
    expect(back).toMatchObject({ ok: true, value: { asked: { user: 'before sk-"***6789 after' } } });
  });

  test("never leaves its folder, whatever a page is called", async () => {
    const dir = folder();
    const { row, written } = openPageStore(dir).put("../../escaped", 1);
    expect(await written).toMatchObject({ ok: true });
    expect(fs.readdirSync(dir)).toHaveLength(1);
    expect(readPage(dir, row)).toEqual({ ok: true, value: 1 });
  });

  test("keeps to its bounds of age, count and size, the newest first", async () => {
    const dir = folder();
    const store = openPageStore(dir);
    for (let i = 0; i < 6; i++) {
      await store.put(`d-${i}`, "x".repeat(100)).written;
      fs.utimesSync(path.join(dir, `d-${i}.json.gz`), 1_000 + i, 1_000 + i);
    }
    const left = (): string[] => fs.readdirSync(dir).sort();
    prune(dir, { maxAgeMs: 4_000, maxFiles: 100, maxBytes: 1e6 });
    expect(left()).toEqual(["d-1", "d-2", "d-3", "d-4", "d-5"].map((name) => `${name}.json.gz`));
    prune(dir, { maxAgeMs: 1e9, maxFiles: 3, maxBytes: 1e6 });
    expect(left()).toEqual(["d-3", "d-4", "d-5"].map((name) => `${name}.json.gz`));
    const { size } = fs.statSync(path.join(dir, "d-5.json.gz"));
    prune(dir, { maxAgeMs: 1e9, maxFiles: 100, maxBytes: size * 2 });
    expect(left()).toEqual(["d-4", "d-5"].map((name) => `${name}.json.gz`));
  });

  test("a folder that cannot be written is an answer, not an exception", async () => {
    const file = freshJournalPath();
    fs.writeFileSync(file, "");
    expect(await openPageStore(path.join(file, "pages")).put("d-1", 1).written).toMatchObject({ ok: false });
  });
});
