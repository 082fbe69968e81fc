/** Old rows leave the journal and stay readable, and every moment's files verify. Fault E4. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { archiveDir, listArchives } from "../../src/journal/archives.ts";
import { ROWS_THAT_STAY } from "../../src/journal/archive-rows.ts";
import { GENESIS_HASH, rowHash } from "../../src/journal/chain.ts";
import { exportLines } from "../../src/journal/export.ts";
import { openIntents } from "../../src/restore/restore-intents.ts";
import { type Journal, openJournal } from "../../src/journal/journal.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { SqliteDriver } from "../../src/journal/sqlite-driver.ts";
import type { RowKind } from "../../src/rows/row.ts";
import { freshJournalPath, START_MS, virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";
import { openIntent } from "../support/rows.ts";

const HOUR = 3_600_000;
const now = (): Promise<void> => Promise.resolve();
const KINDS: readonly RowKind[] = ["beat", "order", "intent", "beat", "floor", "fill"];

interface Written {
  readonly path: string;
  readonly journal: Journal;
  readonly env: ReturnType<typeof virtualEnv>;
}

/** A journal of `rows` rows, one a minute. */
function written(rows: number): Written {
  const path = freshJournalPath();
  const env = virtualEnv();
  const journal = openJournal({ path, env, runId: "b" });
  onTestFinished(() => journal.close());
  for (let n = 1; n <= rows; n += 60) {
    const batch = Array.from({ length: Math.min(60, rows - n + 1) }, (_, at) => {
      const kind = KINDS[(n + at) % KINDS.length] ?? "beat";
      return kind === "intent" ? openIntent(n + at) : rawRow(kind, { n: n + at });
    });
    journal.appendMany(batch);
    env.clock.advanceSync(HOUR);
  }
  return { path, journal, env };
}

const numbers = (journal: Pick<Journal, "rows">, filter = {}): number[] =>
  journal.rows(filter).map((row) => (row.body as { n: number }).n);

/** Everything that a reader can ask, before and after: the answers must not differ. */
function answers(journal: Pick<Journal, "rows" | "latest" | "count">): unknown {
  return {
    all: numbers(journal),
    orders: numbers(journal, { kinds: ["order", "fill"] }),
    newest: numbers(journal, { newest: true, limit: 1_500 }),
    newestFloor: numbers(journal, { kinds: ["floor"], newest: true, limit: 300 }),
    oldest: numbers(journal, { limit: 7 }),
    since: numbers(journal, { sinceSeq: 1_234, limit: 3 }),
    late: numbers(journal, { sinceMs: START_MS + 30 * HOUR }).length,
    early: numbers(journal, { sinceMs: START_MS + 2 * HOUR, limit: 2 }),
    latest: journal.latest("intent")?.seq,
    count: journal.count(),
  };
}

describe("archiving", () => {
  test("nobody who asks can know, the chain holds, and the next row links on", async () => {
    const { journal, path } = written(2_400);
    const before = answers(journal);
    const intents = openIntents(journal).length;
    const moved = await journal.archive(START_MS + 15 * HOUR, now);
    expect(moved).toMatchObject({ ok: true, value: { rows: 900 } });
    expect(answers(journal)).toEqual(before);
    expect(openIntents(journal)).toHaveLength(intents);
    expect(journal.verify()).toEqual({ ok: true, value: { rows: 2_400 } });
    expect(journal.append(rawRow("order", { n: 2_401 })).seq).toBe(2_401);
    journal.close();
    const again = openJournal({ path, env: virtualEnv(), runId: "b2" });
    onTestFinished(() => again.close());
    expect(again.opened).toEqual({ state: "ok", rows: 2_401 });
    expect(again.verify().ok).toBe(true);
    const inside = new SqliteDriver(path, { readonly: true });
    onTestFinished(() => void inside.close());
    expect(inside.prepare("SELECT min(seq) AS first FROM rows").get()).toEqual({ first: 901 });
  });

  test("several archives follow each other; nothing old enough is nothing to do", async () => {
    const { journal, path } = written(3_000);
    const before = answers(journal);
    for (const hours of [5, 5, 12, 20]) await journal.archive(START_MS + hours * HOUR, now);
    expect(listArchives(path).map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq])).toEqual([
      [1, 300],
      [301, 720],
      [721, 1_200],
    ]);
    expect(await journal.archive(START_MS, now)).toEqual({ ok: true, value: null });
    expect(answers(journal)).toEqual(before);
    expect(journal.verify().ok).toBe(true);
    const beside = readJournal(path);
    onTestFinished(() => beside.close());
    expect(answers(beside)).toEqual(before);
  });

  test("the newest rows always stay", async () => {
    const { journal } = written(1_300);
    const moved = await journal.archive(START_MS + 1_000 * HOUR, now);
    expect(moved).toMatchObject({ ok: true, value: { rows: 1_300 - ROWS_THAT_STAY } });
    expect(journal.verify().ok).toBe(true);
  });

  test("a copy that does not come to its end leaves nothing behind on the disk", async () => {
    const { journal, path: file } = written(2_400);
    const before = answers(journal);
    let steps = 0;
    const failed = await journal.archive(START_MS + 15 * HOUR, () =>
      ++steps < 2 ? now() : Promise.reject(new Error("database or disk is full")),
    );
    expect(failed).toEqual({ ok: false, error: "database or disk is full" });
    expect(fs.readdirSync(archiveDir(file))).toEqual([]);
    expect(answers(journal)).toEqual(before);
    expect(await journal.archive(START_MS + 15 * HOUR, now)).toMatchObject({ ok: true, value: { rows: 900 } });
  });

  test("rows go on being written between the steps, and stay", async () => {
    const { journal } = written(2_400);
    let added = 0;
    await journal.archive(START_MS + 15 * HOUR, async () => {
      journal.append(rawRow("order", { n: 10_000 + added++ }));
      expect(journal.opened.state).toBe("ok");
    });
    expect(added).toBeGreaterThan(2);
    expect(journal.count()).toBe(2_400 + added);
    expect(numbers(journal)).toHaveLength(2_400 + added);
    expect(journal.verify().ok).toBe(true);
  });
});

/** Copies the files as a crash would leave them. */
function crashed(journalPath: string): string {
  const copy = freshJournalPath();
  fs.cpSync(path.dirname(journalPath), path.dirname(copy), {
    recursive: true,
    filter: (file) => !/\.lock|-shm$/.test(path.basename(file)),
  });
  return copy;
}

test("killed at any step: what is left answers the same, and the next run finishes", async () => {
  const { journal, path: journalPath } = written(2_400);
  const before = answers(journal);
  const copies: string[] = [];
  await journal.archive(START_MS + 20 * HOUR, async () => void copies.push(crashed(journalPath)));
  expect(copies.length).toBeGreaterThan(4);
  for (const copy of copies) {
    const found = openJournal({ path: copy, env: virtualEnv(), runId: "b2" });
    expect(found.opened.state).toBe("ok");
    expect(answers(found)).toEqual(before);
    expect(found.verify()).toEqual({ ok: true, value: { rows: 2_400 } });
    expect(await found.archive(START_MS + 20 * HOUR, now)).toMatchObject({ ok: true });
    expect(answers(found)).toEqual(before);
    expect(found.verify().ok).toBe(true);
    expect(listArchives(copy).map(({ lastSeq }) => lastSeq)).toEqual([1_200]);
    found.close();
  }
});

describe("what must not happen", () => {
  test("rows cannot be removed from the middle or the end, nor the beginning moved back", async () => {
    const { journal, path: journalPath } = written(2_000);
    await journal.archive(START_MS + 10 * HOUR, now);
    const other = new SqliteDriver(journalPath);
    onTestFinished(() => void other.close());
    expect(() => other.exec("DELETE FROM rows WHERE seq = 1500")).toThrow("append-only");
    expect(() => other.exec("DELETE FROM rows WHERE seq = 2000")).toThrow("append-only");
    expect(() => other.exec("UPDATE meta SET value = '5' WHERE key = 'base_seq'")).toThrow("do not come back");
  });

  test("a changed row in an archive is found by verify", async () => {
    const { journal, path: journalPath } = written(2_000);
    await journal.archive(START_MS + 10 * HOUR, now);
    const file = listArchives(journalPath)[0]?.file ?? "";
    const archive = new SqliteDriver(file);
    archive.exec("DROP TRIGGER rows_keep; UPDATE rows SET body = '{}' WHERE seq = 77");
    archive.close();
    expect(journal.verify()).toMatchObject({ ok: false, error: { seq: 77 } });
  });

  test("an archive that does not hold what it should is not trusted, and nothing is removed", async () => {
    const { journal, path: journalPath } = written(2_000);
    const strange = written(2_000);
    await strange.journal.archive(START_MS + 10 * HOUR, now);
    fs.mkdirSync(archiveDir(journalPath), { recursive: true });
    const source = listArchives(strange.path)[0]?.file ?? "";
    const planted = path.join(archiveDir(journalPath), path.basename(source));
    fs.copyFileSync(source, planted);
    const db = new SqliteDriver(planted);
    db.exec("DROP TRIGGER rows_keep; UPDATE rows SET body = '{}' WHERE seq = 600");
    db.close();
    const refused = await journal.archive(START_MS + 10 * HOUR, now);
    expect(refused.ok).toBe(false);
    expect(numbers(journal)).toHaveLength(2_000);
    expect(journal.verify().ok).toBe(true);
  });

  test("archives that were carried away take their rows with them, and the rest still verifies", async () => {
    const { journal, path: journalPath } = written(2_000);
    await journal.archive(START_MS + 10 * HOUR, now);
    fs.rmSync(archiveDir(journalPath), { recursive: true });
    expect(numbers(journal)).toHaveLength(1_400);
    expect(journal.verify().ok).toBe(true);
    expect(journal.count()).toBe(2_000);
  });
});

describe("export", () => {
  test("every row once, oldest first, over archives and journal, and the chain can be checked from the lines", async () => {
    const { journal, path: journalPath } = written(2_400);
    const plain = [...exportLines(journalPath, {})];
    await journal.archive(START_MS + 10 * HOUR, now);
    await journal.archive(START_MS + 20 * HOUR, now);
    const lines = [...exportLines(journalPath, {})];
    expect(lines).toEqual(plain);
    let before = GENESIS_HASH;
    for (const line of lines) {
      const { boot, ...rest } = JSON.parse(line) as Parameters<typeof rowHash>[0] & { boot: string; hash: string };
      const row = { ...rest, runId: boot };
      expect(row.prevHash).toBe(before);
      const text = line.slice(line.indexOf(',"body":') + 8, line.lastIndexOf(',"prevHash":'));
      expect(rowHash({ ...row, body: text })).toBe(row.hash);
      before = row.hash;
    }
  });

  test("rows that leave for an archive while a slow reader waits are reported all the same", async () => {
    const { journal, path: journalPath } = written(2_400);
    const plain = [...exportLines(journalPath, {})];
    const lines = exportLines(journalPath, {});
    const read = [lines.next().value];
    await journal.archive(START_MS + 20 * HOUR, now);
    expect([...read, ...lines]).toEqual(plain);
  });

  test("a span takes the rows from its beginning up to before its end", () => {
    const { path: journalPath } = written(600);
    const lines = [...exportLines(journalPath, { fromMs: START_MS + 2 * HOUR, toMs: START_MS + 4 * HOUR })];
    const found = lines.map((line) => (JSON.parse(line) as { seq: number }).seq);
    expect(found).toEqual(Array.from({ length: 120 }, (_, n) => 121 + n));
  });
});
