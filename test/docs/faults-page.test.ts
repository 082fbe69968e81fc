/** The pages of faults name only files and faults that exist, and both hold every row of the catalogue. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALL_FAULTS } from "../../src/sim/faults/all.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/evidence/FAULTS.md"), "utf8");
const SUMMARY = readFileSync(join(ROOT, "docs/FAULTS.md"), "utf8");
/** How many rows each group has, by its letter. */
const GROUPS = { P: 8, D: 9, C: 7, R: 10, M: 9, U: 8, N: 6, L: 12, V: 11, O: 7, A: 8, E: 5 };

interface Row {
  readonly id: string;
  readonly what: string;
  readonly cause: string;
  readonly proof: string;
}

const rows: readonly Row[] = PAGE.split("\n").flatMap((line) => {
  const [, id = "", what = "", cause = "", proof = ""] = line.split("|").map((cell) => cell.trim());
  return /^[A-Z]\d+$/.test(id) ? [{ id, what, cause, proof }] : [];
});
const quoted = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
const isFile = (name: string): boolean => name.includes("/") || name.includes(".");

test("every row of the catalogue stands once, in order", () => {
  const wanted = Object.entries(GROUPS).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );
  expect(rows.map(({ id }) => id)).toEqual(wanted);
  expect([...SUMMARY.matchAll(/^\| ([A-Z]\d+) +\| \S/gm)].map(([, id]) => id)).toEqual(wanted);
});

describe("each row", () => {
  test.each(rows)("$id has its words, a cause, and a proof that exists", ({ what, cause, proof }) => {
    expect(what.length).toBeGreaterThan(5);
    expect(cause.length).toBeGreaterThan(5);
    const proofs = quoted(proof);
    expect(proofs.length).toBeGreaterThan(0);
    expect([...proofs, ...quoted(cause).filter(isFile)].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

test("every fault that is named exists, and every one that exists is named", () => {
  const named = new Set(rows.flatMap(({ cause }) => quoted(cause).filter((name) => !isFile(name))));
  expect([...named].sort()).toEqual(ALL_FAULTS.map(({ name }) => name).sort());
});

test("files that the text around the rows names exist", () => {
  const paths = quoted(PAGE).filter((name) => /^(test|src|scripts|config|docs)\//.test(name));
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
