/** The small parts of the writing half, each by itself: chain, tail mark, reserve, lease card, faults, proofs of absence. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chainProblem, GENESIS_HASH, journalRow, rowHash, type StoredRow, storedRow } from "../../src/journal/chain.ts";
import { committerOf, type CommitOptions, realDisk } from "../../src/journal/committer.ts";
import { guarded, JournalError } from "../../src/journal/error.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { isLeaseHeld, leaseHolder, takeLease } from "../../src/journal/lease.ts";
import { noReserve, reserveBeside, reservePath } from "../../src/journal/reserve.ts";
import { migrate } from "../../src/journal/schema.ts";
import { syncDirectory, readTailMark, tailMarkPath, writeTailMark } from "../../src/journal/tail-mark.ts";
import { type JournalTrouble, troubles } from "../../src/journal/trouble.ts";
import { SqliteDriver } from "../../src/journal/sqlite-driver.ts";
import { freshJournalPath, START_MS, virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

describe("the chain", () => {
  const bare = {
    seq: 5,
    runId: "b",
    atMs: 1,
    monoMs: 2,
    kind: "order",
    decisionId: null,
    body: "{}",
    prevHash: "abc",
  } as const;
  const row: StoredRow = { ...bare, hash: rowHash(bare) };
  const before = { seq: 4, hash: "abc" };

  test("takes a row that follows, and says what is wrong with one that does not", () => {
    expect(chainProblem(row, before)).toBeNull();
    expect(chainProblem(row, { seq: 3, hash: "abc" })).toBe("row 4 is missing, found row 5 instead");
    expect(chainProblem(row, { seq: 5, hash: "abc" })).toBe("row 6 is missing, found row 5 instead");
    expect(chainProblem(row, { seq: 4, hash: "abd" })).toBe("row 5 does not follow the row before it");
    expect(chainProblem({ ...row, body: "[]" }, before)).toBe("row 5 was changed after it was written");
    const odd = { ...bare, kind: "odd" as "order" };
    expect(chainProblem({ ...odd, hash: rowHash(odd) }, before)).toBe('row 5 has the unknown kind "odd"');
  });

  test("every column counts in the hash", () => {
    const other: Record<keyof typeof bare, unknown> = {
      seq: 6,
      runId: "c",
      atMs: 2,
      monoMs: 3,
      kind: "fill",
      decisionId: "d",
      body: "[]",
      prevHash: "abd",
    };
    const hashes = Object.entries(other).map(([column, value]) => rowHash({ ...bare, [column]: value }));
    expect(new Set([row.hash, ...hashes]).size).toBe(9);
  });

  test("reads a table row as it is found, and a body that is no JSON as null", () => {
    const found = {
      seq: 7,
      boot: "b-2",
      at_ms: 10.5,
      mono_ms: 3,
      kind: "fill",
      decision_id: "d-1",
      body: '{"n":1}',
      prev_hash: "p",
      hash: "h",
    };
    const stored = storedRow(found);
    expect(stored).toEqual({
      seq: 7,
      runId: "b-2",
      atMs: 10.5,
      monoMs: 3,
      kind: "fill",
      decisionId: "d-1",
      body: '{"n":1}',
      prevHash: "p",
      hash: "h",
    });
    expect(storedRow({ ...found, decision_id: null }).decisionId).toBeNull();
    expect(storedRow({ seq: 1, decision_id: null })).toMatchObject({ runId: "", kind: "", body: "", hash: "" });
    expect(journalRow(stored)).toEqual({
      seq: 7,
      runId: "b-2",
      atMs: 10.5,
      monoMs: 3,
      kind: "fill",
      decisionId: "d-1",
      body: { n: 1 },
      hash: "h",
    });
    expect(journalRow({ ...stored, body: "{" }).body).toBeNull();
  });

  test("begins behind 64 zeros, and a row's hash covers times to the millisecond's fraction", () => {
    const journal = openJournal({ path: freshJournalPath(), env: virtualEnv(), runId: "b" });
    onTestFinished(() => journal.close());
    const { hash } = journal.append(rawRow("boot", { n: 1 }));
    const first = { ...bare, seq: 1, atMs: START_MS, monoMs: 0, kind: "boot", body: '{"n":1}', prevHash: GENESIS_HASH };
    expect(GENESIS_HASH).toBe("0000000000000000000000000000000000000000000000000000000000000000");
    expect(hash).toBe(rowHash(first as Omit<StoredRow, "hash">));
  });
});

describe("the tail mark", () => {
  const mark = { journalId: "j-1", seq: 3, hash: "h" };

  test("lies beside the journal, for its owner only, and leaves no draft behind", () => {
    const journalPath = freshJournalPath();
    const file = tailMarkPath(journalPath);
    expect(file).toBe(path.join(path.dirname(journalPath), "journal.tail"));
    expect(readTailMark(file)).toBeNull();
    writeTailMark(file, mark);
    expect(readTailMark(file)).toEqual(mark);
    expect(modeOf(file)).toBe(0o600);
    writeTailMark(file, { ...mark, seq: 4 });
    expect(readTailMark(file)?.seq).toBe(4);
    expect(fs.readdirSync(path.dirname(file))).toEqual(["journal.tail"]);
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "7"],
    ["null", "null"],
    ["no id", '{"seq":3,"hash":"h"}'],
    ["a seq that is no whole number", '{"journalId":"j","seq":"3","hash":"h"}'],
    ["a broken seq", '{"journalId":"j","seq":3.5,"hash":"h"}'],
    ["no hash", '{"journalId":"j","seq":3}'],
    ["nothing", ""],
  ])("with %s in it says the worst: rows without end are missing", (_what, text) => {
    const file = tailMarkPath(freshJournalPath());
    fs.writeFileSync(file, text);
    expect(readTailMark(file)).toEqual({ journalId: "", seq: Infinity, hash: "" });
  });

  test("is on the disk before it takes the old one's place, and its folder after it", () => {
    const file = tailMarkPath(freshJournalPath());
    const calls: string[] = [];
    const names = new Map<number, string>();
    const { openSync, fsyncSync, renameSync, closeSync } = fs;
    const spies = [
      vi.spyOn(fs, "openSync").mockImplementation((name, ...rest) => {
        const handle = openSync(name, ...rest);
        names.set(handle, path.basename(String(name)));
        return handle;
      }),
      vi.spyOn(fs, "fsyncSync").mockImplementation((handle) => {
        calls.push(`sync ${names.get(handle) ?? "?"}`);
        fsyncSync(handle);
      }),
      vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
        calls.push("rename");
        renameSync(from, to);
      }),
      vi.spyOn(fs, "closeSync").mockImplementation((handle) => {
        names.delete(handle);
        closeSync(handle);
      }),
    ];
    onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
    writeTailMark(file, mark);
    expect(calls).toEqual(["sync journal.tail.new", "rename", `sync ${path.basename(path.dirname(file))}`]);
    expect([...names.values()]).toEqual([]);
  });

  test("that cannot be synced is an error, and no file handle is left open", () => {
    const file = tailMarkPath(freshJournalPath());
    const open = new Set<number>();
    const { openSync, closeSync } = fs;
    const spies = [
      vi.spyOn(fs, "openSync").mockImplementation((...given) => {
        const handle = openSync(...given);
        open.add(handle);
        return handle;
      }),
      vi.spyOn(fs, "closeSync").mockImplementation((handle) => {
        open.delete(handle);
        closeSync(handle);
      }),
      vi.spyOn(fs, "fsyncSync").mockImplementation(() => {
        throw new Error("EIO");
      }),
    ];
    onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
    expect(() => writeTailMark(file, mark)).toThrow("EIO");
    expect(() => syncDirectory(path.dirname(file))).toThrow("EIO");
    expect(open.size).toBe(0);
    expect(fs.existsSync(file)).toBe(false);
  });
});

describe("rows and the mark behind them", () => {
  function opened(change: Partial<CommitOptions> = {}): {
    journal: Journal;
    marks: number[];
    reported: JournalTrouble[];
  } {
    const marks: number[] = [];
    const reported: JournalTrouble[] = [];
    const disk = {
      open: realDisk.open,
      mark: (file: string, mark: Parameters<typeof writeTailMark>[1]): void => {
        marks.push(mark.seq);
        realDisk.mark(file, mark);
      },
    };
    const journal = openJournal({ path: freshJournalPath(), env: virtualEnv(), runId: "b", disk, ...change });
    onTestFinished(() => journal.close());
    journal.onTrouble((trouble) => reported.push(trouble));
    return { journal, marks, reported };
  }

  test("light rows leave it, the next heavy row moves it past them, a mixed commit to its end", () => {
    const { journal, marks } = opened();
    journal.append(rawRow("beat", {}));
    journal.append(rawRow("news", {}));
    expect(marks).toEqual([0]);
    journal.append(rawRow("intent", {}));
    journal.appendMany([rawRow("order", {}), rawRow("beat", {})]);
    expect(marks).toEqual([0, 3, 5]);
  });

  test("after a loss it stays where it is until the loss is acknowledged, and follows the rows from there on", () => {
    const journalPath = freshJournalPath();
    openJournal({ path: journalPath, env: virtualEnv(), runId: "b" }).close();
    const ahead = { journalId: readTailMark(tailMarkPath(journalPath))?.journalId ?? "", seq: 9, hash: "h" };
    writeTailMark(tailMarkPath(journalPath), ahead);
    const { journal, marks } = opened({ path: journalPath });
    expect(journal.opened.state).not.toBe("ok");
    journal.append(rawRow("order", {}));
    expect([marks, readTailMark(tailMarkPath(journalPath))?.seq]).toEqual([[], 9]);
    journal.acknowledge("rows were lost");
    journal.append(rawRow("order", {}));
    expect(marks).toEqual([2, 3]);
  });

  test("a committer is closed once", () => {
    const journalPath = freshJournalPath();
    const db = realDisk.open(journalPath);
    onTestFinished(() => db.close());
    migrate(db, journalPath, "j-1");
    const committer = committerOf(db, true, { path: journalPath, env: virtualEnv(), runId: "b" });
    expect([committer.close(), committer.close()]).toEqual([true, false]);
  });

  test("no rows are no commit: nothing is written, marked or reported", () => {
    const { journal, marks, reported } = opened();
    expect(journal.appendMany([])).toEqual([]);
    expect([journal.count(), marks, reported]).toEqual([0, [0], []]);
  });

  test("carry the instants of both clocks, and the decision where there is one", () => {
    const env = virtualEnv();
    const { journal } = opened({ env });
    env.clock.advanceSync(1_500);
    expect(journal.append(rawRow("order", {}))).toMatchObject({ atMs: START_MS + 1_500, decisionId: null });
    expect(journal.append(rawRow("order", {}), "d-1")).toMatchObject({ decisionId: "d-1" });
  });

  test("bodies keep numbers, booleans, null and nested lists; with a mask, texts alone are masked", () => {
    const body = { a: [1, true, null, ["key", { b: "key" }]], key: "x key y" };
    expect(opened().journal.append(rawRow("order", body)).body).toEqual(body);
    const redact = (text: string): string => text.replaceAll("key", "***");
    expect(opened({ redact }).journal.append(rawRow("order", body)).body).toEqual({
      a: [1, true, null, ["***", { b: "***" }]],
      "***": "x *** y",
    });
  });

  test("a commit of half a second is reported as slow, one a moment shorter is not", () => {
    const env = virtualEnv();
    const took = { ms: 499 };
    const disk = {
      ...realDisk,
      mark: (file: string, mark: Parameters<typeof writeTailMark>[1]): void => {
        if (mark.seq > 0) env.clock.advanceSync(took.ms);
        realDisk.mark(file, mark);
      },
    };
    const { journal, reported } = opened({ env, disk });
    journal.append(rawRow("order", {}));
    expect(reported).toEqual([]);
    took.ms = 500;
    journal.append(rawRow("order", {}));
    expect(reported).toEqual([{ kind: "slow", tookMs: 500 }]);
  });

  test("a lock is waited for a moment and not for seconds", () => {
    const file = freshJournalPath();
    const journal = openJournal({ path: file, env: virtualEnv(), runId: "b" });
    onTestFinished(() => journal.close());
    const other = new SqliteDriver(file);
    onTestFinished(() => void other.close());
    other.exec("BEGIN IMMEDIATE");
    const error = thrown(() => journal.append(rawRow("order", {})));
    expect(error).toMatchObject({ kind: "write-failed", fault: "busy" });
    expect((error as JournalError).message).toMatch(/^cannot write journal\.db: /);
  });

  test("trouble is counted again once a row has been written, and reported with its words", () => {
    const codes = ["SQLITE_BUSY", "SQLITE_BUSY", null, "SQLITE_BUSY", "SQLITE_FULL", "SQLITE_BUSY", null];
    const disk = {
      ...realDisk,
      open: (file: string) => {
        const db = realDisk.open(file);
        return {
          ...db,
          run: (sql: string, ...values: readonly (string | number | null)[]): void => {
            const code = sql.startsWith("INSERT INTO rows") ? codes.shift() : null;
            if (code) throw Object.assign(new Error(`the disk says ${code}`), { code });
            db.run(sql, ...values);
          },
        };
      },
    };
    const { journal, reported } = opened({ disk });
    for (let n = 0; n < 7; n++) thrown(() => journal.append(rawRow("beat", {})));
    expect(reported).toMatchObject([
      { kind: "busy", inARow: 1, message: expect.stringContaining("the disk says SQLITE_BUSY") },
      { kind: "busy", inARow: 2 },
      { kind: "mended" },
      { kind: "busy", inARow: 1 },
      { kind: "full", reserveFreed: false, message: expect.stringContaining("the disk says SQLITE_FULL") },
      { kind: "busy", inARow: 1 },
      { kind: "mended" },
    ]);
  });

  test("after a failed disk the words of a refusal say so; after a close they say that", () => {
    const disk = {
      ...realDisk,
      mark: (_file: string, mark: { readonly seq: number }): void => {
        if (mark.seq > 0) throw Object.assign(new Error("broken"), { code: "EIO" });
      },
    };
    const { journal, reported } = opened({ disk });
    thrown(() => journal.append(rawRow("order", {})));
    expect(reported).toMatchObject([{ kind: "io", message: expect.stringContaining("broken") }]);
    expect(thrown(() => journal.append(rawRow("order", {})))).toMatchObject({
      kind: "closed",
      message: expect.stringContaining("takes no rows: the disk failed"),
    });
    const closed = opened().journal;
    closed.close();
    expect(thrown(() => closed.append(rawRow("order", {})))).toMatchObject({
      kind: "closed",
      message: expect.stringContaining("takes no rows: it is closed"),
    });
  });
});

describe("the reserve", () => {
  test("stands as real bytes for its owner only, is given back once, and stands up again", () => {
    const journalPath = freshJournalPath();
    const reserve = reserveBeside(journalPath, 5_000);
    const file = reservePath(journalPath);
    expect(file).toBe(path.join(path.dirname(journalPath), "journal.reserve"));
    expect(reserve.free()).toBe(false);
    expect(reserve.keep()).toBe(true);
    expect([fs.statSync(file).size, modeOf(file)]).toEqual([5_000, 0o600]);
    const { mtimeMs, ino } = fs.statSync(file);
    expect(reserve.keep()).toBe(true);
    expect(fs.statSync(file)).toMatchObject({ mtimeMs, ino });
    expect([reserve.free(), reserve.free()]).toEqual([true, false]);
    expect(fs.existsSync(file)).toBe(false);
  });

  test("too small is made whole, and one larger than asked for is left", () => {
    const journalPath = freshJournalPath();
    fs.writeFileSync(reservePath(journalPath), "xyz");
    expect(reserveBeside(journalPath, 10).keep()).toBe(true);
    expect(fs.statSync(reservePath(journalPath)).size).toBe(10);
    expect(reserveBeside(journalPath, 4).keep()).toBe(true);
    expect(fs.statSync(reservePath(journalPath)).size).toBe(10);
  });

  test("without room does not stand, and leaves no part of itself", () => {
    const journalPath = freshJournalPath();
    const spy = vi.spyOn(fs, "writeFileSync").mockImplementation((file) => {
      fs.closeSync(fs.openSync(String(file), "w"));
      throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    });
    onTestFinished(() => void spy.mockRestore());
    expect(reserveBeside(journalPath, 10).keep()).toBe(false);
    expect(fs.existsSync(reservePath(journalPath))).toBe(false);
  });

  test("is kept by the journal where one is asked for, and none is there otherwise", () => {
    const journalPath = freshJournalPath();
    const journal = openJournal({ path: journalPath, env: virtualEnv(), runId: "b" });
    expect([fs.existsSync(reservePath(journalPath)), journal.keepReserve()]).toEqual([false, false]);
    journal.close();
    const kept = openJournal({ path: journalPath, env: virtualEnv(), runId: "b", reserveBytes: 1 });
    onTestFinished(() => kept.close());
    fs.rmSync(reservePath(journalPath));
    expect(kept.keepReserve()).toBe(true);
    expect(fs.existsSync(reservePath(journalPath))).toBe(true);
    expect([noReserve.free(), noReserve.keep()]).toEqual([false, false]);
  });
});

describe("the lease card", () => {
  const holder = { pid: 7, boot: "b", sinceMs: 5 };

  test("names the holder while the lease is held, for its owner only, and not afterwards", () => {
    const journalPath = freshJournalPath();
    expect(leaseHolder(journalPath)).toBeNull();
    const lease = takeLease(journalPath, holder);
    expect(lease.holder).toEqual(holder);
    expect(leaseHolder(journalPath)).toEqual(holder);
    expect(modeOf(path.join(path.dirname(journalPath), "journal.lock.json"))).toBe(0o600);
    lease.release();
    expect(leaseHolder(journalPath)).toBeNull();
  });

  test("that was removed by hand hinders no release, and a second taker learns who holds it", () => {
    const journalPath = freshJournalPath();
    const lease = takeLease(journalPath, holder);
    expect(thrown(() => takeLease(journalPath, holder))).toMatchObject({
      message: expect.stringContaining("is being written by process 7 (run b). One agent per account"),
    });
    fs.rmSync(path.join(path.dirname(journalPath), "journal.lock.json"));
    expect(thrown(() => lease.release())).toBeNull();
    takeLease(journalPath, holder).release();
  });

  test("is not what says whether the lease is held: the lock is", () => {
    const journalPath = freshJournalPath();
    expect(isLeaseHeld(journalPath)).toBe(false);
    const lease = takeLease(journalPath, holder);
    fs.rmSync(path.join(path.dirname(journalPath), "journal.lock.json"));
    expect(isLeaseHeld(journalPath)).toBe(true);
    lease.release();
    expect(isLeaseHeld(journalPath)).toBe(false);
  });

  test("released twice does not take the next holder's card away", () => {
    const journalPath = freshJournalPath();
    const first = takeLease(journalPath, holder);
    first.release();
    const second = takeLease(journalPath, { ...holder, pid: 8 });
    first.release();
    expect(leaseHolder(journalPath)?.pid).toBe(8);
    expect(thrown(() => takeLease(journalPath, holder))).toMatchObject({ kind: "in-use" });
    second.release();
  });

  test.each([
    ["no JSON", "{"],
    ["no process id", '{"boot":"b","sinceMs":5}'],
    ["no run", '{"pid":7,"sinceMs":5}'],
    ["no instant", '{"pid":7,"boot":"b"}'],
  ])("with %s names nobody, and the lease is still held", (_what, text) => {
    const journalPath = freshJournalPath();
    const lease = takeLease(journalPath, holder);
    onTestFinished(() => lease.release());
    fs.writeFileSync(path.join(path.dirname(journalPath), "journal.lock.json"), text);
    expect(leaseHolder(journalPath)).toBeNull();
    expect(thrown(() => takeLease(journalPath, holder))).toMatchObject({
      kind: "in-use",
      message: expect.stringContaining("is being written by another process. One agent per account"),
    });
  });
});

describe("what the disk said", () => {
  test.each([
    ["SQLITE_FULL", "full"],
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
    ["SQLITE_BUSY", "busy"],
    ["SQLITE_BUSY_SNAPSHOT", "busy"],
    ["SQLITE_LOCKED", "busy"],
    ["SQLITE_IOERR_FSYNC", "io"],
    ["SQLITE_CORRUPT", "io"],
    ["EIO", "io"],
    ["EROFS", "io"],
    // Codes of the program itself, not of a disk.
    ["ERR_INVALID_ARG_TYPE", null],
    ["XSQLITE_FULL", null],
    ["SQLITE_FULL!", null],
    ["SQLITE_", null],
    ["E", null],
    [["EIO"], null],
    [7, null],
    [undefined, null],
  ])("%j is the fault %j", (code, fault) => {
    expect(new JournalError("write-failed", "m", Object.assign(new Error("x"), { code })).fault).toBe(fault);
  });

  test("an error of ours keeps its fault when it is the cause of another, and no cause is no fault", () => {
    const inner = new JournalError("write-failed", "m", Object.assign(new Error("x"), { code: "EIO" }));
    expect(new JournalError("unreadable", "n", inner)).toMatchObject({
      fault: "io",
      cause: inner,
      name: "JournalError",
    });
    const bare = new JournalError("closed", "m");
    expect(bare.fault).toBeNull();
    expect("cause" in bare).toBe(false);
    expect(new JournalError("closed", "m", null).fault).toBeNull();
  });

  test("guarded work answers its value, names what was being done, and lets an error of ours pass as it is", () => {
    expect(guarded("unreadable", "cannot read", () => 5)).toBe(5);
    const plain = new Error("why");
    const fail = (error: unknown) => (): never => {
      throw error;
    };
    expect(thrown(() => guarded("unreadable", "cannot read", fail(plain)))).toMatchObject({
      kind: "unreadable",
      message: "cannot read: why",
      cause: plain,
    });
    expect(thrown(() => guarded("unreadable", "cannot read", fail("a word")))).toMatchObject({
      message: "cannot read: a word",
    });
    const ours = new JournalError("closed", "m");
    expect(thrown(() => guarded("unreadable", "cannot read", fail(ours)))).toBe(ours);
  });

  test("every listener is reported", () => {
    const { listen, report } = troubles();
    const reported: string[] = [];
    listen(({ kind }) => reported.push(`a ${kind}`));
    listen(({ kind }) => reported.push(`b ${kind}`));
    report({ kind: "mended" });
    expect(reported).toEqual(["a mended", "b mended"]);
  });
});
