import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { JournalError } from "../../src/journal/error.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { tailMarkPath } from "../../src/journal/tail-mark.ts";
import { rawRow } from "../support/raw-row.ts";
import { freshJournalPath, virtualEnv } from "./support.ts";

const PAGE_BYTES = 4_096;

function open(journalPath: string, seed = 1): Journal {
  const journal = openJournal({ path: journalPath, env: virtualEnv(seed), runId: "b" });
  onTestFinished(() => journal.close());
  return journal;
}

/** A closed journal of many pages. */
function written(rows: number): string {
  const journalPath = freshJournalPath();
  const journal = open(journalPath);
  const kinds = ["order", "fill", "intent"] as const;
  journal.appendMany(
    Array.from({ length: rows }, (_, n) => rawRow(kinds[n % 3] ?? "order", { n, text: "x".repeat(300) })),
  );
  journal.close();
  return journalPath;
}

/** Overwrites whole pages, as a disk that lost them might; the first page is number 0. */
function wipe(journalPath: string, pages: readonly number[]): void {
  const handle = fs.openSync(journalPath, "r+");
  for (const page of pages) fs.writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, page * PAGE_BYTES);
  fs.closeSync(handle);
}

/** The pages of an index or a table, by the letter that SQLite begins them with. */
function pagesOf(journalPath: string, letter: number): readonly number[] {
  const bytes = fs.readFileSync(journalPath);
  const all = Array.from({ length: bytes.length / PAGE_BYTES }, (_, page) => page);
  return all.filter((page) => page > 0 && bytes[page * PAGE_BYTES] === letter);
}

const INDEX_LEAF = 0x0a;
const TABLE_LEAF = 0x0d;

describe("a malformed journal", () => {
  test("with a broken index is rebuilt without a loss, and the old file is kept", () => {
    const journalPath = written(400);
    wipe(journalPath, pagesOf(journalPath, INDEX_LEAF).slice(-1));
    const before = fs.readFileSync(journalPath);
    const journal = open(journalPath);
    expect(journal.rebuilt).toMatchObject({ rows: 400 });
    expect(journal.opened).toEqual({ state: "ok", rows: 400 });
    expect(journal.verify()).toEqual({ ok: true, value: { rows: 400 } });
    expect(journal.rows({ kinds: ["intent"] })).toHaveLength(133);
    expect(fs.readFileSync(journal.rebuilt?.aside ?? "")).toEqual(before);
    expect(journal.append(rawRow("order", { n: 401 })).seq).toBe(401);
    journal.close();
    const again = open(journalPath);
    expect([again.rebuilt, again.opened.state]).toEqual([null, "ok"]);
  });

  test("with rows that cannot be read keeps those before them, and every opening reports the loss", () => {
    const journalPath = written(400);
    const leaves = pagesOf(journalPath, TABLE_LEAF);
    wipe(journalPath, leaves.slice(Math.floor(leaves.length / 2)));
    const journal = open(journalPath);
    const { rows = 0 } = journal.rebuilt ?? {};
    expect(rows).toBeGreaterThan(50);
    expect(journal.opened).toMatchObject({ state: "tail-lost", rows, lostRows: 400 - rows });
    journal.close();
    const again = open(journalPath);
    expect([again.rebuilt, again.opened.state]).toEqual([null, "tail-lost"]);
    again.acknowledge("compared with the venue");
    again.close();
    expect(open(journalPath).opened.state).toBe("ok");
  });

  test("that is no database any more begins again, as damaged", () => {
    const journalPath = written(30);
    wipe(journalPath, [0]);
    const journal = open(journalPath, 2);
    expect(journal.rebuilt).toMatchObject({ rows: 0 });
    expect(journal.opened).toMatchObject({ state: "damaged", problem: expect.stringContaining("another journal") });
  });

  test("is put in place by the next start if this one died before", () => {
    const journalPath = written(40);
    const whole = written(40);
    fs.copyFileSync(whole, `${journalPath}.rebuilt`);
    fs.copyFileSync(tailMarkPath(whole), tailMarkPath(journalPath));
    wipe(journalPath, [0]);
    fs.writeFileSync(`${journalPath}-wal`, "of the old file");
    expect(open(journalPath).opened).toEqual({ state: "ok", rows: 40 });
    expect(fs.readdirSync(path.dirname(journalPath)).filter((name) => name.includes("rebuilt"))).toEqual([]);
  });

  test("and a file that never was a journal is refused as before", () => {
    const journalPath = freshJournalPath();
    fs.writeFileSync(journalPath, "a letter to somebody, long enough to be looked at as a database file ".repeat(20));
    expect(() => open(journalPath)).toThrow(JournalError);
    expect(fs.readFileSync(journalPath, "utf8")).toContain("a letter to somebody");
  });
});
