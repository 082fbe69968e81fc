/** The file switch as its user meets it: a real agent that holds positions, a shell, and no program. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ballast, folder, quickConfig, run, takenDown } from "../support/process.ts";

const { started, folders } = takenDown();
const HANG_MS = 240_000;
const WAIT_MS = 100_000;

test(
  "a file FLATTEN in the data folder closes all; the agent stays halted over a restart",
  { timeout: HANG_MS },
  async () => {
    const made = folder();
    folders.push(made);
    const data = `${made.dir}/data`;
    const config = made.file("agent.yaml", quickConfig());
    const begin = () => {
      const agent = ballast(["run", "--config", config, "--data-dir", data, "--log-format", "json"]);
      started.push(agent);
      return agent;
    };
    const agent = begin();
    await agent.until(({ evt }) => evt === "position.protected", WAIT_MS, "a position under its stop");
    writeFileSync(path.join(data, "FLATTEN"), "");
    await agent.until(
      ({ msg }) => msg === "FLATTEN to HALT: everything is closed",
      WAIT_MS,
      "the end of the flattening",
    );
    expect(existsSync(path.join(data, "FLATTEN"))).toBe(false);
    const status = JSON.parse((await run(["status", "--json", "--data-dir", data])).out) as object;
    expect(status).toMatchObject({ floorState: "HALT", positions: [] });
    agent.child.kill("SIGTERM");
    expect((await agent.ended).code).toBe(0);
    const { out } = await run(["journal", "export", "--data-dir", data]);
    const commands = out.split("\n").filter((line) => line.includes('"kind":"operator"'));
    expect(commands.map((line) => (JSON.parse(line) as { body: object }).body)).toEqual([
      { command: "flatten", from: "NORMAL", to: "FLATTEN", withdraws: "all" },
    ]);
    const again = begin();
    await again.until(({ evt }) => evt === "agent.ready", WAIT_MS, "the next run");
    const after = JSON.parse((await run(["status", "--json", "--data-dir", data])).out) as object;
    expect(after).toMatchObject({ floorState: "HALT", positions: [] });
  },
);
