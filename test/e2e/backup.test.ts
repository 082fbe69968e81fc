/** A backup taken beside a running agent, a start from it, and the metrics of that agent. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { METRICS } from "../../src/daemon/metrics.ts";
import { readJournal } from "../../src/journal/reader.ts";
import {
  ballast,
  folder,
  quickConfig,
  run,
  type Running,
  serviceEnv,
  simProcess,
  takenDown,
} from "../support/process.ts";

const { started, folders } = takenDown();

test("an agent starts from a backup of a running one; its metrics are those of the page", async () => {
  const made = folder();
  folders.push(made);
  const { running: sim, ready } = await simProcess(["--seed", "3", "--speed", "5"]);
  started.push(sim);
  const config = made.file("agent.yaml", quickConfig({ kind: "service" }));
  const agent = (dir: string): Running => {
    const clock = ["--log-format", "json", "--practice-clock", ready.controlUrl];
    const next = ballast(["run", "--config", config, "--data-dir", dir, ...clock], serviceEnv(ready));
    started.push(next);
    return next;
  };
  const first = agent(`${made.dir}/data`);
  const { url } = await first.until((line) => line.evt === "status.listening", 60_000, "a status port");
  await first.until((line) => line.evt === "position.protected", 90_000, "a protected position");

  const scraped = await fetch(`${String(url)}/metrics`);
  expect(scraped.headers.get("content-type")).toContain("text/plain");
  const text = await scraped.text();
  for (const { name, kind } of METRICS) expect(text).toContain(`# TYPE ${name} ${kind}\n`);
  expect(text).toMatch(/^ballast_equity_usdt \d+/m);
  expect(text).toMatch(/^ballast_positions [1-9]/m);
  expect(text).toMatch(/^ballast_position_unrealized_usdt\{symbol="\w+",side="(LONG|SHORT)"\} -?\d/m);

  const copy = `${made.dir}/backup.db`;
  const backedUp = await run(["backup", copy, "--data-dir", `${made.dir}/data`, "--json"]);
  expect(backedUp.code).toBe(0);
  const { rows } = JSON.parse(backedUp.out) as { rows: number };
  expect(rows).toBeGreaterThan(50);
  expect(existsSync(`${copy}-wal`)).toBe(false);
  const again = await run(["backup", copy, "--data-dir", `${made.dir}/data`]);
  expect(again).toMatchObject({ code: 4, out: expect.stringContaining("exists; name a file that does not") });

  first.child.kill("SIGKILL");
  await first.ended;
  const restored = `${made.dir}/restored`;
  mkdirSync(restored);
  copyFileSync(copy, `${restored}/journal.db`);
  copyFileSync(`${made.dir}/backup.tail`, `${restored}/journal.tail`);
  const journal = readJournal(`${restored}/journal.db`);
  expect(journal.opened).toEqual({ state: "ok", rows });
  expect(journal.verify()).toMatchObject({ ok: true, value: { rows } });
  journal.close();

  const second = agent(restored);
  await second.until((line) => line.evt === "agent.ready", 90_000, "ready on the restored journal");
  const opened = second.lines.find((line) => line.evt === "journal.opened");
  expect(opened?.msg).toContain(`${rows} rows`);
  const troubles = second.lines.filter(({ evt, msg }) => evt === "journal.trouble" && !msg.startsWith("a commit took"));
  expect(troubles).toEqual([]);
}, 300_000);

test("what is no journal is not backed up, and leaves nothing behind", async () => {
  const made = folder();
  folders.push(made);
  const none = await run(["backup", `${made.dir}/copy.db`, "--data-dir", `${made.dir}/none`]);
  expect(none).toMatchObject({ code: 1, out: expect.stringContaining("there is no journal") });
  mkdirSync(`${made.dir}/odd`);
  writeFileSync(`${made.dir}/odd/journal.db`, "no database at all, only text that goes on for a while");
  const odd = await run(["backup", `${made.dir}/copy.db`, "--data-dir", `${made.dir}/odd`]);
  expect(odd.code).toBe(4);
  expect(existsSync(`${made.dir}/copy.db`) || existsSync(`${made.dir}/copy.db.part`)).toBe(false);
}, 60_000);
