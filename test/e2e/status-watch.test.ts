/** `ballast status --watch` as a process: report after report, until Ctrl-C. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { writeRunCard } from "../../src/ops/run-file.ts";
import { writtenRun } from "../report/explained-run.ts";
import { ballast, type Running, takenDown } from "../support/process.ts";

const { started } = takenDown();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const PATIENCE_MS = 40_000;

function watching(dataDir: string, ...more: readonly string[]): Running {
  const running = ballast(["status", "--watch", "--data-dir", dataDir, ...more]);
  started.push(running);
  return running;
}

/** Something that answers `/status` with a count of its answers. */
async function countingAgent(dataDir: string): Promise<Server> {
  let answered = 0;
  const server = createServer((_request, response) => {
    response.setHeader("x-ballast-run", "b");
    response.end(JSON.stringify({ answered: ++answered }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  writeRunCard(dataDir, { pid: 1, boot: "b", statusUrl: `http://127.0.0.1:${port}`, sinceMs: 0 });
  return server;
}

test("it reports a running agent again and again, says when that stopped, and ends with Ctrl-C", async () => {
  const run = writtenRun();
  run.row("equity", { equityUsdt: "1012.5", positions: 0, anchors: null });
  await run.close();
  const server = await countingAgent(run.dataDir);
  const watcher = watching(run.dataDir, "--json");
  await watcher.until((line) => line["running"] === true && line["answered"] === 2, PATIENCE_MS, "a second report");
  expect(watcher.lines.map((line) => line["answered"])).toEqual([1, 2]);
  server.closeAllConnections();
  server.close();
  const stopped = await watcher.until((line) => line["running"] === false, PATIENCE_MS, "a report of the journal");
  expect(stopped["equityUsdt"]).toBe("1012.5");
  watcher.child.kill("SIGINT");
  expect(await watcher.ended).toEqual({ code: null, signal: "SIGINT" });
  expect(watcher.text).toEqual([]);
});

test("without a terminal the reports of a stopped agent follow each other as plain text", async () => {
  const run = writtenRun();
  run.row("equity", { equityUsdt: "1012.5", positions: 0, anchors: null });
  await run.close();
  const watcher = watching(run.dataDir);
  const frames = (): number => watcher.text.filter((line) => line.startsWith("No agent is running.")).length;
  await expect.poll(frames, { timeout: PATIENCE_MS }).toBeGreaterThan(1);
  watcher.child.kill("SIGINT");
  expect((await watcher.ended).signal).toBe("SIGINT");
  expect(watcher.text.filter((line) => line.includes("last equity"))[1]).toContain("1012.5 USDT");
  expect(watcher.text.join("\n")).not.toContain("\u001b");
});
