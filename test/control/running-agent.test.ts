import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { askAgent, askRunning } from "../../src/control/running-agent.ts";
import { takeRequests } from "../../src/control/requests.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { Clock } from "../../src/core/clock.ts";
import { virtualEnv } from "../journal/support.ts";
import { journalPath, writeRunCard } from "../../src/ops/run-file.ts";

afterEach(() => vi.unstubAllEnvs());

test("the running agent is shown the token of this shell, and none where there is none", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-ask-"));
  const server = createServer((request, response) => {
    response.setHeader("x-ballast-run", "b");
    response.end(JSON.stringify({ shown: request.headers.authorization ?? null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    writeRunCard(dataDir, { pid: 1, boot: "b", statusUrl: `http://127.0.0.1:${port}`, sinceMs: 0 });
    vi.stubEnv("BALLAST_STATUS_TOKEN", "");
    expect(await askAgent(dataDir, "/status")).toEqual({ ok: true, body: { shown: null }, silence: null });
    vi.stubEnv("BALLAST_STATUS_TOKEN", "let-me-in");
    expect(await askAgent(dataDir, "/status")).toEqual({
      ok: true,
      body: { shown: "Bearer let-me-in" },
      silence: null,
    });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Each sleep passes at once. */
function hurried(): Clock & { readonly passedMs: () => number } {
  const clock = virtualClock(0);
  return {
    ...clock,
    sleep: (ms) => {
      clock.advanceSync(ms);
      return Promise.resolve();
    },
    passedMs: clock.monotonicMs,
  };
}

test("a request that a frozen agent does not take is withdrawn after half a minute", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-ask-"));
  const journal = openJournal({ path: journalPath(dataDir), env: virtualEnv(), runId: "frozen" });
  try {
    const clock = hurried();
    const answer = await askRunning({ dataDir }, { kind: "review" }, clock);
    expect(answer).toMatchObject({ ok: false });
    expect(answer.ok ? "" : answer.error).toMatch(/holds this folder but its status port does not answer .*withdrawn/);
    expect(clock.passedMs()).toBeGreaterThanOrEqual(30_000);
    expect(clock.passedMs()).toBeLessThan(31_000);
    expect(readdirSync(path.join(dataDir, "requests"))).toEqual([]);
  } finally {
    journal.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("one that it has taken is given two minutes for its answer", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-ask-"));
  const journal = openJournal({ path: journalPath(dataDir), env: virtualEnv(), runId: "slow" });
  try {
    const clock = hurried();
    const taking = {
      ...clock,
      sleep: (ms: number) => {
        takeRequests(dataDir);
        return clock.sleep(ms);
      },
    };
    expect(await askRunning({ dataDir }, { kind: "review" }, taking)).toMatchObject({ ok: false });
    expect(clock.passedMs()).toBeGreaterThanOrEqual(120_000);
  } finally {
    journal.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
