/** Starts that must wait or must not happen, with the real program; none of them gets as far as a venue. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { openJournal } from "../../src/journal/journal.ts";
import { SqliteDriver } from "../../src/journal/sqlite-driver.ts";
import { startNotePath } from "../../src/ops/start-backoff.ts";
import { virtualEnv } from "../journal/support.ts";
import { ballast, folder, quickConfig, type Running, takenDown } from "../support/process.ts";
import { rawRow } from "../support/raw-row.ts";
import { endedIntent, wholeRow } from "../support/rows.ts";

const { started, folders } = takenDown();

const SERVICE = {
  SVC_API_HOST: "http://127.0.0.1:9",
  SVC_ACCESS_KEY: "some-live-access-key",
  SVC_SECRET_KEY: "some-live-secret-key",
};

function place(): { dataDir: string; start: (env?: Record<string, string>) => Running } {
  const made = folder();
  folders.push(made);
  const config = (kind: string): string => made.file("agent.yaml", quickConfig({ kind }));
  const dataDir = `${made.dir}/data`;
  mkdirSync(dataDir);
  const start = (env: Record<string, string> = {}): Running => {
    const file = config(env["SVC_API_HOST"] ? "service" : "embedded");
    const running = ballast(["run", "--config", file, "--data-dir", dataDir, "--log-format", "json"], env);
    started.push(running);
    return running;
  };
  return { dataDir, start };
}

test("in a crash loop the start waits, says so, and a stop in the wait is a stop", async () => {
  const { dataDir, start } = place();
  const note = { stage: "starting", startedAtMs: Date.now(), badStarts: 9 };
  writeFileSync(startNotePath(dataDir), JSON.stringify(note));
  const agent = start();
  const line = await agent.until((found) => found.evt === "boot.delayed", 40_000, "boot.delayed");
  expect(line.msg).toMatch(/^9 runs in a row ended badly; waiting \d\d s$/);
  agent.child.kill("SIGTERM");
  expect(await agent.ended).toMatchObject({ code: 0 });
  expect(agent.lines.map((found) => found.evt)).not.toContain("sim.ready");
  expect(JSON.parse(readFileSync(startNotePath(dataDir), "utf8"))).toEqual(note);
}, 60_000);

test("a Ctrl-C that arrives twice, from the terminal and from npm, is a clean stop", async () => {
  const { start } = place();
  const agent = start();
  await agent.until((found) => found.evt === "venue.opened", 40_000, "venue.opened");
  agent.child.kill("SIGINT");
  await setTimeout(5);
  agent.child.kill("SIGINT");
  expect(await agent.ended).toEqual({ code: 0, signal: null });
  expect(agent.lines.map((found) => found.evt)).toContain("agent.stopped");
}, 60_000);

test("a live key on the folder of practice is refused with advice, and the venue is asked nothing", async () => {
  const { dataDir, start } = place();
  const journal = openJournal({ path: `${dataDir}/journal.db`, env: virtualEnv(), runId: "b" });
  const pin = { venue: "embedded", host: null, key: null, portfolios: null };
  journal.append(rawRow("config", { event: "account", pin }));
  journal.close();
  const agent = start(SERVICE);
  expect(await agent.ended).toMatchObject({ code: 6 });
  expect(agent.lines.at(-1)?.msg).toMatch(/belongs to the embedded practice venue.*--data-dir/);
  expect(agent.lines.map((found) => found.evt)).not.toContain("stream.up");
}, 60_000);

test("a journal of a later build is refused with both versions", async () => {
  const { dataDir, start } = place();
  openJournal({ path: `${dataDir}/journal.db`, env: virtualEnv(), runId: "b" }).close();
  const db = new SqliteDriver(`${dataDir}/journal.db`);
  db.pragma("user_version = 99");
  db.close();
  const agent = start();
  expect(await agent.ended).toMatchObject({ code: 4 });
  expect(agent.text.join("\n")).toMatch(/has journal schema 99; this build knows up to \d+\./);
}, 60_000);

test("a row that no longer fits is named, though it is of an order that ended long ago", async () => {
  const { dataDir, start } = place();
  const journal = openJournal({ path: `${dataDir}/journal.db`, env: virtualEnv(), runId: "b" });
  journal.append(wholeRow("intent", { event: "open", clientOrderId: "agent-1", notional: "much" }));
  journal.append(endedIntent(1));
  journal.close();
  const agent = start();
  expect(await agent.ended).toMatchObject({ code: 4 });
  expect(agent.text.join("\n")).toMatch(/row 1 of kind intent: notional: .*much/);
}, 60_000);

test("a status endpoint on the network without a token is refused: it would answer nobody", async () => {
  const { dataDir } = place();
  const config = folders.at(-1)?.file("network.yaml", `${quickConfig()}status: { host: 192.0.2.7 }\n`) ?? "";
  for (const command of [
    ["run", "--config", config, "--data-dir", dataDir],
    ["config", "check", config],
  ]) {
    const asked = ballast(command, {});
    started.push(asked);
    expect(await asked.ended).toMatchObject({ code: 3 });
    expect(asked.text.join("\n")).toMatch(
      /status\.host: 192\.0\.2\.7 .* set BALLAST_STATUS_TOKEN, or use 127\.0\.0\.1/,
    );
  }
  const token = ballast(["config", "check", config], { BALLAST_STATUS_TOKEN: "a-token-of-some-length" });
  started.push(token);
  expect(await token.ended).toMatchObject({ code: 0 });
});

test("a SIGHUP during the start does not end it: the file is read again once it runs", async () => {
  const { dataDir, start } = place();
  writeFileSync(startNotePath(dataDir), JSON.stringify({ stage: "starting", startedAtMs: Date.now(), badStarts: 2 }));
  const agent = start();
  await agent.until((found) => found.evt === "boot.delayed", 40_000, "boot.delayed");
  const file = `${dataDir}/../agent.yaml`;
  writeFileSync(file, "nonsense: 1\n");
  agent.child.kill("SIGHUP");
  await agent.until((found) => found.evt === "config.refused", 40_000, "config.refused");
}, 60_000);
