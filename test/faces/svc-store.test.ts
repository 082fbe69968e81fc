/** The documents of the client layer: nothing is lost between processes, and a busy store is reported as such. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDocumentStore } from "../../src/journal/document-store.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "svc-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("four processes count without losing one", async () => {
  const file = path.join(folder, "many", "svc.db");
  openDocumentStore(file).close();
  const worker = path.resolve("test/faces/svc-store-worker.ts");
  const ends = Array.from(
    { length: 4 },
    () =>
      new Promise<number | null>((resolve) => {
        const child = spawn(process.execPath, ["--import", "tsx", worker, file, "40"], { stdio: "ignore" });
        child.once("close", resolve);
      }),
  );
  expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
  const store = openDocumentStore(file);
  expect(store.get("count", "one")?.body).toBe(160);
  store.close();
}, 60_000);

test("documents are kept by kind, newest first, and forgotten by age", () => {
  const store = openDocumentStore(path.join(folder, "svc.db"));
  for (const atMs of [1, 3, 2]) store.put("row", { id: `r${atMs}`, body: { atMs }, atMs });
  expect(store.putNew("row", { id: "r1", body: null, atMs: 9 })).toBe(false);
  expect(store.putNew("other", { id: "r1", body: null, atMs: 9 })).toBe(true);
  expect(store.list("row", 2).map(({ id }) => id)).toEqual(["r3", "r2"]);
  store.forget("row", 2);
  expect(store.list("row", 9).map(({ id }) => id)).toEqual(["r3", "r2"]);
  const undone = (): void =>
    store.atomically(() => {
      store.remove("row", "r2");
      throw new Error("no");
    });
  expect(undone).toThrow("no");
  expect(store.get("row", "r2")?.body).toEqual({ atMs: 2 });
  expect([store.remove("row", "r2"), store.remove("row", "r2")]).toEqual([true, false]);
  store.close();
});
