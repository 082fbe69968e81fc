import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { tailMarkPath } from "../../src/journal/tail-mark.ts";
import { SqliteDriver } from "../../src/journal/sqlite-driver.ts";
import { freshJournalPath, virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";

const open = (journalPath: string): Journal => openJournal({ path: journalPath, env: virtualEnv(), runId: "b" });

/** A closed journal of `count` rows. */
function written(count: number, seed = 1): string {
  const journalPath = freshJournalPath();
  const journal = openJournal({ path: journalPath, env: virtualEnv(seed), runId: "b" });
  for (let n = 1; n <= count; n++) journal.append(rawRow("order", { n, text: `row ${n}` }), `d-${n % 3}`);
  journal.close();
  return journalPath;
}

/** Changes a journal behind its back, as a bad disk or a person with a tool might. */
function tamper(journalPath: string, sql: string, ...values: readonly unknown[]): void {
  const db = new SqliteDriver(journalPath);
  db.exec("DROP TRIGGER IF EXISTS rows_keep; DROP TRIGGER IF EXISTS rows_stay");
  db.prepare(sql).run(...values);
  db.close();
}

/** Copies the files of a journal as they are now, which is what a crash leaves. */
function crashed(journalPath: string): string {
  const copy = freshJournalPath();
  const folder = path.dirname(journalPath);
  for (const file of fs.readdirSync(folder)) {
    if (file.endsWith(".lock") || file.endsWith(".lock.json") || file.endsWith("-shm")) continue;
    fs.copyFileSync(path.join(folder, file), path.join(path.dirname(copy), file));
  }
  return copy;
}

const stateOf = (journalPath: string): string => {
  const journal = open(journalPath);
  journal.close();
  return journal.opened.state;
};

describe("the chain", () => {
  test("finds any single flipped character in any column of any row", () => {
    const columns = ["boot", "kind", "decision_id", "body", "prev_hash", "hash"] as const;
    const source = written(6);
    const flip = fc.record({
      seq: fc.integer({ min: 1, max: 6 }),
      column: fc.constantFrom(...columns),
      at: fc.nat(),
      bit: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(flip, ({ seq, column, at, bit }) => {
        const copy = crashed(source);
        const db = new SqliteDriver(copy);
        const row = db.prepare(`SELECT ${column} AS text FROM rows WHERE seq = ?`).get(seq) as { text: string };
        db.close();
        const index = at % row.text.length;
        const changed = String.fromCharCode(row.text.charCodeAt(index) ^ (1 << bit));
        tamper(
          copy,
          `UPDATE rows SET ${column} = ? WHERE seq = ?`,
          row.text.slice(0, index) + changed + row.text.slice(index + 1),
          seq,
        );
        const reader = readJournal(copy);
        const verified = reader.verify();
        reader.close();
        expect(verified.ok).toBe(false);
        if (!verified.ok) expect([seq, seq + 1]).toContain(verified.error.seq);
      }),
      { numRuns: 30 },
    );
  });

  test.each(["at_ms", "mono_ms"])("finds a changed %s", (column) => {
    const journalPath = written(3);
    tamper(journalPath, `UPDATE rows SET ${column} = ${column} + 1 WHERE seq = 2`);
    expect(stateOf(journalPath)).toBe("damaged");
  });

  test("finds a row taken out of the middle, and names its place", () => {
    const journalPath = written(5);
    tamper(journalPath, "DELETE FROM rows WHERE seq = 3");
    const reader = readJournal(journalPath);
    onTestFinished(() => reader.close());
    expect(reader.verify()).toMatchObject({
      ok: false,
      error: { seq: 3, problem: expect.stringContaining("row 3 is missing") },
    });
  });

  test("opening looks only at the end, verify at everything", () => {
    const journalPath = freshJournalPath();
    const journal = open(journalPath);
    journal.appendMany(Array.from({ length: 700 }, (_, n) => rawRow("order", { n })));
    journal.close();
    tamper(journalPath, "UPDATE rows SET body = '{}' WHERE seq = 5");
    const again = open(journalPath);
    onTestFinished(() => again.close());
    expect(again.opened.state).toBe("ok");
    expect(again.verify()).toMatchObject({ ok: false, error: { seq: 5 } });
  });
});

describe("the tail mark", () => {
  test("rows gone from the end are noticed, and a restart does not forget it", () => {
    const journalPath = written(5);
    tamper(journalPath, "DELETE FROM rows WHERE seq > 3");
    const journal = open(journalPath);
    expect(journal.opened).toMatchObject({ state: "tail-lost", rows: 3, lostRows: 2 });
    journal.append(rawRow("reconcile", { note: "asked the venue" }));
    journal.close();
    expect(stateOf(journalPath)).not.toBe("ok");
    const second = open(journalPath);
    second.acknowledge("compared with the venue, all equal");
    second.close();
    expect(stateOf(journalPath)).toBe("ok");
  });

  test("a write-ahead log cut at any byte leaves a prefix, and the loss is seen", () => {
    const journalPath = freshJournalPath();
    const journal = open(journalPath);
    for (let n = 1; n <= 12; n++) journal.append(rawRow("intent", { n }));
    const source = crashed(journalPath);
    journal.close();
    const size = fs.statSync(`${source}-wal`).size;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: size - 1 }), (bytes) => {
        const copy = crashed(source);
        fs.truncateSync(`${copy}-wal`, bytes);
        const cut = (() => {
          try {
            return open(copy);
          } catch {
            return null;
          }
        })();
        if (!cut) return;
        expect(cut.opened.state).not.toBe("ok");
        expect(cut.rows().map((row) => row.seq)).toEqual(Array.from({ length: cut.count() }, (_, n) => n + 1));
        cut.close();
      }),
      { numRuns: 20 },
    );
  });

  test("a crash without a close loses nothing that was appended", () => {
    const journalPath = freshJournalPath();
    const journal = open(journalPath);
    onTestFinished(() => journal.close());
    for (let n = 1; n <= 10; n++) {
      journal.append(rawRow(n % 2 === 0 ? "beat" : "intent", { n }));
      const after = open(crashed(journalPath));
      expect(after.opened).toEqual({ state: "ok", rows: n });
      expect(after.verify()).toEqual({ ok: true, value: { rows: n } });
      after.close();
    }
  });

  test("light rows do not move the mark, the next heavy one does", () => {
    const journalPath = freshJournalPath();
    const journal = open(journalPath);
    const marked = (): number =>
      (JSON.parse(fs.readFileSync(tailMarkPath(journalPath), "utf8")) as { seq: number }).seq;
    journal.append(rawRow("intent", {}));
    journal.append(rawRow("beat", {}));
    expect(marked()).toBe(1);
    journal.append(rawRow("fill", {}));
    expect(marked()).toBe(3);
    journal.close();
  });

  test.each<[string, (file: string) => void]>([
    ["missing", (file) => fs.rmSync(file)],
    ["unreadable", (file) => fs.writeFileSync(file, "{")],
    ["of another journal", (file) => fs.copyFileSync(tailMarkPath(written(3, 2)), file)],
  ])("a mark that is %s is damage", (_name, spoil) => {
    const journalPath = written(3);
    spoil(tailMarkPath(journalPath));
    expect(stateOf(journalPath)).toBe("damaged");
  });
});
