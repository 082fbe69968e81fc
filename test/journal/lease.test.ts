import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openJournal } from "../../src/journal/journal.ts";
import { leaseHolder } from "../../src/journal/lease.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { freshJournalPath, virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";

const attempt = (path: string): unknown => {
  try {
    const journal = openJournal({ path, env: virtualEnv(), runId: "second" });
    onTestFinished(() => journal.close());
    return journal;
  } catch (error) {
    return error;
  }
};

test("a second writer is refused with the first one's process id, and may write after it has closed", () => {
  const path = freshJournalPath();
  const first = openJournal({ path, env: virtualEnv(), runId: "first", pid: 4711 });
  expect(attempt(path)).toMatchObject({
    kind: "in-use",
    message: expect.stringContaining("process 4711 (run first)"),
  });
  expect(first.append(rawRow("boot", {})).seq).toBe(1);
  first.close();
  expect(leaseHolder(path)).toBeNull();
  expect(attempt(path)).toMatchObject({ opened: { state: "ok", rows: 1 } });
});

test("a killed process leaves no lease behind, and its rows are there", async () => {
  const path = freshJournalPath();
  const script = fileURLToPath(new URL("./lease-holder.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, path], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  expect(attempt(path)).toMatchObject({ kind: "in-use", message: expect.stringContaining(`process ${child.pid}`) });
  const reader = readJournal(path);
  expect(reader.latest("boot")?.body).toEqual({ pid: child.pid });
  reader.close();
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(attempt(path)).toMatchObject({ opened: { state: "ok", rows: 1 } });
});
