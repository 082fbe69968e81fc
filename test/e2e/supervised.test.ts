/** A venue that takes no stop, under real sockets: the price is watched by the agent, and the position is given up in time. */
import { expect, test } from "vitest";
import { readJournal } from "../../src/journal/reader.ts";
import { journalPath } from "../../src/ops/run-file.ts";
import { ballast, folder, quickConfig, run, serviceEnv, simProcess, takenDown } from "../support/process.ts";
import { buyByHand } from "../support/trade-by-hand.ts";

const SOL = "EXCHANGE_A_PERP_SOL_USDT";
const { started, folders } = takenDown();

test("where no stop can be placed the position is watched, closed in time, and reported by status", async () => {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  // Somebody's own order: the agent finds a position that it did not open.
  await buyByHand(ready, SOL, "by-hand-1");
  const refusing = {
    name: "server-error",
    params: { status: 503, methods: ["POST"], path: "/algo/order" },
    for: "10m",
  };
  const set = await fetch(`${ready.controlUrl}/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(refusing),
  });
  expect(set.ok).toBe(true);
  const config = made.file("agent.yaml", quickConfig({ kind: "service", strategy: "hold" }));
  const dataDir = `${made.dir}/data`;
  const agent = ballast(["run", "--config", config, "--data-dir", dataDir, "--log-format", "json"], serviceEnv(ready));
  started.push(agent);
  await agent.until((line) => line.evt === "position.unprotected", 60_000, "a stop that is asked for");
  const closing = await agent.until((line) => line.msg.startsWith("closing "), 60_000, "the close");
  expect(closing.msg).toContain("no stop could be placed in time");
  await agent.until((line) => line.evt === "position.closed", 60_000, "the end of the position");
  const status = JSON.parse((await run(["status", "--json", "--data-dir", dataDir])).out) as {
    positions: unknown[];
    unprotected: { spans: number; longestMs: number };
  };
  expect(status.positions).toEqual([]);
  expect(status.unprotected).toMatchObject({ spans: 1 });
  const journal = readJournal(journalPath(dataDir));
  const rows = journal.rows({ kinds: ["protection"] }).map(({ body }) => body as Record<string, unknown>);
  expect(rows.filter((row) => row["supervised"] === true).length).toBeGreaterThan(0);
  expect(rows.find((row) => row["ended"] === "closed")).toMatchObject({ leg: `${SOL}|LONG` });
}, 240_000);
