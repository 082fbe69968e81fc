import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { askAgent } from "../../src/control/running-agent.ts";
import { writeRunCard } from "../../src/ops/run-file.ts";

afterEach(() => vi.unstubAllEnvs());

test("the running agent is shown the token of this shell, and none where there is none", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "ballast-ask-"));
  const server = createServer((request, response) => {
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
