import fs from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { JournalError } from "../../src/journal/error.ts";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { SqliteDriver } from "../../src/journal/sqlite-driver.ts";
import { dec } from "../../src/core/decimal.ts";
import { freshJournalPath, START_MS, virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";

function open(path: string, runId = "run-1"): Journal {
  const journal = openJournal({ path, env: virtualEnv(), runId });
  onTestFinished(() => journal.close());
  return journal;
}

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe("appending and reading", () => {
  test("a row comes back as written, with decimals as text and a chained hash", () => {
    const journal = open(freshJournalPath());
    const first = journal.append(rawRow("decision", { size: dec("0.100"), b: 2, a: [1, null] }), "d-1");
    const second = journal.append(rawRow("beat", { n: 1 }));
    expect(first).toMatchObject({ seq: 1, runId: "run-1", atMs: START_MS, kind: "decision", decisionId: "d-1" });
    expect(journal.rows()).toEqual([first, second]);
    expect(journal.rows()[0]?.body).toEqual({ size: "0.1", b: 2, a: [1, null] });
    expect(second.hash).not.toBe(first.hash);
    expect(journal.verify()).toEqual({ ok: true, value: { rows: 2 } });
  });

  test("filters narrow by kind, decision, sequence, time and count", () => {
    const path = freshJournalPath();
    const env = virtualEnv();
    const journal = openJournal({ path, env, runId: "b" });
    onTestFinished(() => journal.close());
    journal.append(rawRow("order", { n: 1 }), "d-1");
    env.clock.advanceSync(1_000);
    journal.append(rawRow("fill", { n: 2 }), "d-1");
    env.clock.advanceSync(1_000);
    journal.append(rawRow("order", { n: 3 }), "d-2");
    const numbers = (rows: readonly { body: unknown }[]): unknown[] => rows.map((row) => (row.body as { n: number }).n);
    expect(numbers(journal.rows({ kinds: ["order"] }))).toEqual([1, 3]);
    expect(numbers(journal.rows({ decisionId: "d-1" }))).toEqual([1, 2]);
    expect(numbers(journal.rows({ sinceSeq: 1 }))).toEqual([2, 3]);
    expect(numbers(journal.rows({ sinceMs: START_MS + 1_000 }))).toEqual([2, 3]);
    expect(numbers(journal.rows({ limit: 2 }))).toEqual([1, 2]);
    expect(numbers(journal.rows({ limit: 2, newest: true }))).toEqual([2, 3]);
    expect(numbers(journal.rows({ kinds: ["order", "fill"], decisionId: "d-1", sinceSeq: 1, limit: 5 }))).toEqual([2]);
    expect(journal.latest("order")?.body).toEqual({ n: 3 });
    expect(journal.latest("stop")).toBeUndefined();
    expect(journal.count()).toBe(3);
  });

  test("many rows in one commit: all of them or none", () => {
    const journal = open(freshJournalPath());
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    expect(() => journal.appendMany([rawRow("order", { n: 1 }), rawRow("order", cyclic)])).toThrow(JournalError);
    expect(journal.count()).toBe(0);
    const rows = journal.appendMany([rawRow("order", { n: 1 }), { ...rawRow("fill", { n: 2 }), decisionId: "d" }]);
    expect(rows.map((row) => row.seq)).toEqual([1, 2]);
    expect(journal.verify().ok).toBe(true);
  });

  test("nobody can change or remove a row by SQL", () => {
    const path = freshJournalPath();
    open(path).append(rawRow("boot", {}));
    const other = new SqliteDriver(path);
    onTestFinished(() => void other.close());
    expect(() => other.exec("UPDATE rows SET body = '{}'")).toThrow("append-only");
    expect(() => other.exec("DELETE FROM rows")).toThrow("append-only");
  });

  test("secrets are masked before they are hashed and written", () => {
    const path = freshJournalPath();
    const redact = (text: string): string => text.replaceAll('hush"hush', "***");
    const journal = openJournal({ path, env: virtualEnv(), runId: "b", redact });
    const row = journal.append(rawRow("wire-out", { header: 'Bearer hush"hush', list: [{ 'hush"hush': 1 }] }));
    expect(row.body).toEqual({ header: "Bearer ***", list: [{ "***": 1 }] });
    journal.close();
    expect(fs.readFileSync(path, "utf8")).not.toContain("hush");
  });
});

describe("opening again", () => {
  test("a reopened journal goes on with the chain under the new run", () => {
    const path = freshJournalPath();
    const first = openJournal({ path, env: virtualEnv(), runId: "run-1" });
    first.append(rawRow("boot", { n: 1 }));
    first.close();
    const second = open(path, "run-2");
    expect(second.opened).toEqual({ state: "ok", rows: 1 });
    expect(second.append(rawRow("boot", { n: 2 }))).toMatchObject({ seq: 2, runId: "run-2" });
    expect(second.verify()).toEqual({ ok: true, value: { rows: 2 } });
  });

  test("a closed journal takes no rows, and closing twice does no harm", () => {
    const journal = openJournal({ path: freshJournalPath(), env: virtualEnv(), runId: "b" });
    journal.close();
    journal.close();
    expect(thrown(() => journal.append(rawRow("boot", {})))).toMatchObject({ kind: "closed" });
  });

  test("a file of a later build is refused with both version numbers, by writer and reader", () => {
    const path = freshJournalPath();
    openJournal({ path, env: virtualEnv(), runId: "b" }).close();
    const db = new SqliteDriver(path);
    db.pragma("user_version = 99");
    db.close();
    const refusal = { kind: "newer-schema", message: expect.stringContaining("schema 99") };
    expect(thrown(() => openJournal({ path, env: virtualEnv(), runId: "b" }))).toMatchObject(refusal);
    expect(thrown(() => readJournal(path))).toMatchObject(refusal);
  });

  test("a file that is no database is refused, and the lease is free again", () => {
    const path = freshJournalPath();
    fs.writeFileSync(path, "this is a text of some length, and certainly not a database at all".repeat(20));
    expect(thrown(() => openJournal({ path, env: virtualEnv(), runId: "b" }))).toMatchObject({ kind: "unreadable" });
    fs.rmSync(path);
    expect(open(path).opened.state).toBe("ok");
  });

  test("a reader sees rows beside the writer and after it", () => {
    const path = freshJournalPath();
    const writer = openJournal({ path, env: virtualEnv(), runId: "b" });
    writer.append(rawRow("boot", { n: 1 }));
    const beside = readJournal(path);
    writer.append(rawRow("order", { n: 2 }));
    expect(beside.latest("order")?.body).toEqual({ n: 2 });
    expect(beside.verify()).toEqual({ ok: true, value: { rows: 2 } });
    beside.close();
    writer.close();
    const after = readJournal(path);
    expect(after.count()).toBe(2);
    after.close();
    expect(thrown(() => readJournal(`${path}.none`))).toMatchObject({ kind: "unreadable" });
  });
});
