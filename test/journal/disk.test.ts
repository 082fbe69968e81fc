/** A disk that fails in the ways disks fail: full, locked by another, broken, slow. Faults D1, D2, D8, D9. */
import fs from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { type JournalDisk, realDisk } from "../../src/journal/committer.ts";
import { JournalError } from "../../src/journal/error.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { reservePath } from "../../src/journal/reserve.ts";
import { openSqlite } from "../../src/journal/sqlite.ts";
import type { JournalTrouble } from "../../src/journal/trouble.ts";
import { SqliteDriver } from "../../src/journal/sqlite-driver.ts";
import { freshJournalPath, virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";

const coded = (code: string): Error => Object.assign(new Error(`the disk says ${code}`), { code });

/** Refuses what `fails` names, counting inserts and marks from 1; null lets it pass. */
function failing(fails: (what: "row" | "mark", nth: number) => string | null): JournalDisk {
  const count = { row: 0, mark: 0 };
  const meet = (what: "row" | "mark"): void => {
    count[what] += 1;
    const code = fails(what, count[what]);
    if (code !== null) throw coded(code);
  };
  return {
    open: (path) => {
      const db = realDisk.open(path);
      return {
        ...db,
        run: (sql, ...values) => {
          if (sql.startsWith("INSERT INTO rows")) meet("row");
          db.run(sql, ...values);
        },
      };
    },
    mark: (file, mark) => {
      if (mark.seq > 0) meet("mark");
      realDisk.mark(file, mark);
    },
  };
}

interface TestJournal {
  readonly journal: Journal;
  readonly reported: JournalTrouble[];
  readonly path: string;
}

function open(disk: JournalDisk, reserveBytes = 0): TestJournal {
  const path = freshJournalPath();
  const env = virtualEnv();
  const journal = openJournal({ path, env, runId: "b", disk, reserveBytes });
  onTestFinished(() => journal.close());
  const reported: JournalTrouble[] = [];
  journal.onTrouble((trouble) => reported.push(trouble));
  return { journal, reported, path };
}

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

/** What the writer believes, a fresh reader of the same files must find. */
function survives(path: string, journal: Journal): void {
  const verified = journal.verify();
  expect(verified.ok).toBe(true);
  journal.close();
  const again = openJournal({ path, env: virtualEnv(), runId: "b2" });
  expect(again.opened).toMatchObject({ state: "ok" });
  expect(again.verify().ok).toBe(true);
  again.close();
}

describe("a full disk", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("at write %i: that row fails, no other, and the chain holds", (n) => {
    const { journal, path } = open(failing((what, nth) => (what === "row" && nth === n ? "SQLITE_FULL" : null)));
    const durable: number[] = [];
    for (let at = 1; at <= 8; at++) {
      const error = thrown(() => durable.push((journal.append(rawRow("intent", { at })).body as { at: number }).at));
      if (at === n) expect(error).toMatchObject({ kind: "write-failed", fault: "full", rowsStand: false });
      else expect(error).toBeNull();
    }
    expect(journal.rows().map((row) => (row.body as { at: number }).at)).toEqual(durable);
    expect(durable).not.toContain(n);
    survives(path, journal);
  });

  test("with a reserve: it is given back, and the very row that met the full disk is written", () => {
    const full = (path: string): JournalDisk =>
      failing((what) => (what === "row" && fs.existsSync(reservePath(path)) ? "SQLITE_FULL" : null));
    const path = freshJournalPath();
    const journal = openJournal({ path, env: virtualEnv(), runId: "b", disk: full(path), reserveBytes: 65_536 });
    onTestFinished(() => journal.close());
    const reported: JournalTrouble[] = [];
    journal.onTrouble((trouble) => reported.push(trouble));
    expect(fs.statSync(reservePath(path)).size).toBe(65_536);
    expect(journal.append(rawRow("floor", { to: "HALT" })).seq).toBe(1);
    expect(fs.existsSync(reservePath(path))).toBe(false);
    expect(reported.map((trouble) => trouble.kind)).toEqual(["full", "mended"]);
    expect(reported[0]).toMatchObject({ reserveFreed: true });
  });

  test("another program that takes what becomes free gets no more than a part: later rows are written too", () => {
    const path = freshJournalPath();
    const left = (): number => (fs.existsSync(reservePath(path)) ? fs.statSync(reservePath(path)).size : 0);
    let free = 0;
    let known = 0;
    // Each row needs a page; whatever is free after it is gone before the next one.
    const taken = failing((what) => {
      if (what !== "row") return null;
      free += known - left();
      known = left();
      if (free < 4_096) return "SQLITE_FULL";
      free = 0;
      return null;
    });
    const journal = openJournal({ path, env: virtualEnv(), runId: "b", disk: taken, reserveBytes: 1_048_576 });
    onTestFinished(() => journal.close());
    known = left();
    for (let n = 0; n < 8; n++) journal.append(rawRow("protection", { n }));
    expect(journal.count()).toBe(8);
    expect(left()).toBe(0);
    expect(thrown(() => journal.append(rawRow("protection", { n: 8 })))).toMatchObject({ fault: "full" });
  });

  test("a full disk at the tail mark is met with the reserve too, and the row stands once", () => {
    const { journal, path } = open(
      failing((what, nth) => (what === "mark" && nth === 1 ? "ENOSPC" : null)),
      4_096,
    );
    journal.append(rawRow("intent", { n: 1 }));
    journal.append(rawRow("intent", { n: 2 }));
    expect(journal.count()).toBe(2);
    survives(path, journal);
  });

  test("without a reserve the row stands where only its mark found no room, and its writer gets it", () => {
    const { journal } = open(failing((what, nth) => (what === "mark" && nth === 1 ? "ENOSPC" : null)));
    const error = thrown(() => journal.append(rawRow("intent", { n: 1 })));
    expect(error).toMatchObject({ kind: "write-failed", fault: "full", rowsStand: true });
    journal.append(rawRow("intent", { n: 2 }));
    expect(journal.rows().map(({ body }) => body)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("a database that really has no page left says full, and goes on when it has", () => {
    const path = freshJournalPath();
    const disk: JournalDisk = {
      ...realDisk,
      open: (file) => {
        const db = openSqlite(file);
        db.script("PRAGMA max_page_count = 24");
        return db;
      },
    };
    const journal = openJournal({ path, env: virtualEnv(), runId: "b", disk });
    onTestFinished(() => journal.close());
    let error: unknown = null;
    let rows = 0;
    while (error === null && rows < 500) {
      error = thrown(() => journal.append(rawRow("decision", { text: "x".repeat(900) })));
      if (error === null) rows += 1;
    }
    expect(error).toMatchObject({ kind: "write-failed", fault: "full" });
    expect(rows).toBeGreaterThan(5);
    expect(journal.count()).toBe(rows);
    survives(path, journal);
  });
});

describe("a disk that breaks", () => {
  test.each([
    ["row", "SQLITE_IOERR_FSYNC"],
    ["row", "SQLITE_IOERR_WRITE"],
    ["row", "SQLITE_CORRUPT"],
    ["mark", "EIO"],
    ["mark", "EROFS"],
  ] as const)("at a %s with %s: nothing is written ever after, though it would work again", (where, code) => {
    const { journal, reported } = open(failing((what, nth) => (what === where && nth === 2 ? code : null)));
    journal.append(rawRow("intent", { n: 1 }));
    expect(thrown(() => journal.append(rawRow("intent", { n: 2 })))).toMatchObject({
      kind: "write-failed",
      fault: "io",
    });
    expect(reported).toMatchObject([{ kind: "io" }]);
    expect(thrown(() => journal.append(rawRow("intent", { n: 3 })))).toMatchObject({ kind: "closed" });
    expect(thrown(() => journal.appendMany([]))).toMatchObject({ kind: "closed" });
  });

  test("a body that cannot be written down is no fault of the disk", () => {
    const { journal, reported } = open(realDisk);
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const error = thrown(() => journal.append(rawRow("order", cyclic)));
    expect(error).toBeInstanceOf(JournalError);
    expect(error).toMatchObject({ fault: null });
    expect(reported).toEqual([]);
    expect(journal.append(rawRow("order", {})).seq).toBe(1);
  });
});

describe("a lock held by another process", () => {
  test("fails rows one by one, counts them, and says when it is over", () => {
    const path = freshJournalPath();
    const disk: JournalDisk = { ...realDisk, open: (file) => openSqlite(file, { busyMs: 5 }) };
    const journal = openJournal({ path, env: virtualEnv(), runId: "b", disk });
    onTestFinished(() => journal.close());
    const reported: JournalTrouble[] = [];
    journal.onTrouble((trouble) => reported.push(trouble));
    journal.append(rawRow("intent", { n: 0 }));
    const other = new SqliteDriver(path);
    onTestFinished(() => void other.close());
    other.exec("BEGIN IMMEDIATE");
    for (let n = 1; n <= 3; n++)
      expect(thrown(() => journal.append(rawRow("intent", { n })))).toMatchObject({
        kind: "write-failed",
        fault: "busy",
      });
    other.exec("ROLLBACK");
    expect(journal.append(rawRow("intent", { n: 4 })).seq).toBe(2);
    expect(reported.map((trouble) => (trouble.kind === "busy" ? trouble.inARow : trouble.kind))).toEqual([
      1,
      2,
      3,
      "mended",
    ]);
  });
});

test("a sync that takes long is reported with its time", () => {
  const env = virtualEnv();
  const disk: JournalDisk = {
    ...realDisk,
    mark: (file, mark) => {
      if (mark.seq > 0) env.clock.advanceSync(1_800);
      realDisk.mark(file, mark);
    },
  };
  const journal = openJournal({ path: freshJournalPath(), env, runId: "b", disk });
  onTestFinished(() => journal.close());
  const reported: JournalTrouble[] = [];
  journal.onTrouble((trouble) => reported.push(trouble));
  journal.append(rawRow("beat", {}));
  expect(reported).toEqual([]);
  journal.append(rawRow("wire-out", {}));
  expect(reported).toEqual([{ kind: "slow", tookMs: 1_800 }]);
});

test("a log that grew behind a long reader is cut back once the reader has gone", () => {
  const path = freshJournalPath();
  const journal = openJournal({ path, env: virtualEnv(), runId: "b" });
  onTestFinished(() => journal.close());
  journal.append(rawRow("boot", {}));
  const reader = new SqliteDriver(path, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM rows").get();
  const many = Array.from({ length: 400 }, () => rawRow("decision", { text: "y".repeat(4_000) }));
  for (let round = 0; round < 10; round++) journal.appendMany(many);
  const wal = (): number => fs.statSync(`${path}-wal`).size;
  expect(wal()).toBeGreaterThan(12 * 1_048_576);
  reader.exec("COMMIT");
  reader.close();
  journal.appendMany(many);
  journal.appendMany(many);
  expect(wal()).toBeLessThan(12 * 1_048_576);
});
