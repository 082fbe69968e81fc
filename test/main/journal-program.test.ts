/** `ballast journal export` and `archive` as an operator meets them. */
import { afterEach, expect, test } from "vitest";
import { openJournal } from "../../src/journal/journal.ts";
import { START_MS, virtualEnv } from "../journal/support.ts";
import { type Folder, folder, run } from "../support/process.ts";
import { rawRow } from "../support/raw-row.ts";

const folders: Folder[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) made.remove();
});

test("rows of a day as lines, archived or not; what is held by an agent is not archived", async () => {
  const made = folder();
  folders.push(made);
  const env = virtualEnv();
  const journal = openJournal({ path: `${made.dir}/journal.db`, env, runId: "b" });
  for (let day = 0; day < 3; day++) {
    journal.appendMany(Array.from({ length: 600 }, (_, n) => rawRow("order", { day, n })));
    env.clock.advanceSync(86_400_000);
  }
  const held = await run(["journal", "archive", "--data-dir", made.dir]);
  expect(held).toMatchObject({ code: 5, out: expect.stringContaining("is being written by process") });
  journal.close();

  const archived = await run(["journal", "archive", "--keep", "15d", "--data-dir", made.dir]);
  expect(archived).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^800 rows are in .*journal\.archive.*\.db now\./m),
  });
  const day = new Date(START_MS + 86_400_000).toISOString().slice(0, 10);
  const next = new Date(START_MS + 2 * 86_400_000).toISOString();
  const exported = await run(["journal", "export", "--from", day, "--to", next, "--data-dir", made.dir]);
  expect(exported.code).toBe(0);
  const rows = exported.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { seq: number; body: { day: number } });
  expect(rows).toHaveLength(600);
  expect(new Set(rows.map((row) => row.body.day))).toEqual(new Set([1]));
  expect(rows[0]?.seq).toBe(601);

  const wrong = await run(["journal", "export", "--from", "yesterday", "--data-dir", made.dir]);
  expect(wrong).toMatchObject({ code: 2, out: expect.stringContaining("write 2026-01-31") });
  const nothing = await run(["journal", "export", "--data-dir", `${made.dir}/none`]);
  expect(nothing).toMatchObject({ code: 1, out: expect.stringContaining("there is no journal") });
}, 120_000);
