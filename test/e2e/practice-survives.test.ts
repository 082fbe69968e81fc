/** The practice account outlives its process: stops, kills, and what the verifier says of all runs together. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { ballast, folder, quickConfig, run, type Running, takenDown } from "../support/process.ts";

const { started, folders } = takenDown();
/** `BALLAST_LIVES=20` lives ten stops and ten kills in turn (`npm run lives`); a test run lives a few. */
const LIVES = Number(process.env["BALLAST_LIVES"] ?? 2);

/** Practice time runs ahead of the machine's, and must not go back at a start. */
const SPEED = 3;

interface Status {
  readonly positions: readonly { readonly symbol: string; readonly side: string; readonly stopPrice: string | null }[];
}

test(
  "positions, stops and ids are there after every stop and kill, and nothing is violated",
  async () => {
    const made = folder();
    folders.push(made);
    const trading = quickConfig({ speed: SPEED }).replace(
      /^cadence:.*$/m,
      "cadence: { every: 4s, minGap: 2s, firstAfter: 4s }",
    );
    const config = made.file("agent.yaml", trading);
    const dataDir = `${made.dir}/data`;
    const start = (...more: string[]): Running => {
      const args = ["run", "--config", config, "--data-dir", dataDir, "--log-format", "json", ...more];
      const agent = ballast(args);
      started.push(agent);
      return agent;
    };
    const held = async (): Promise<readonly string[]> => {
      const { positions } = JSON.parse((await run(["status", "--json", "--data-dir", dataDir])).out) as Status;
      return positions.map(({ symbol, side, stopPrice }) => `${symbol} ${side} ${stopPrice}`).sort();
    };
    const end = async (agent: Running, signal: "SIGINT" | "SIGKILL"): Promise<void> => {
      agent.child.kill(signal);
      await agent.ended;
    };
    // Nothing is decided in later lives: what is held then is what the first one left.
    const first = start();
    await first.until((line) => line.evt === "position.protected", 90_000, "a protected position");
    made.file("agent.yaml", quickConfig({ speed: SPEED }).replace("firstAfter: 22s", "firstAfter: 1h"));
    await end(first, "SIGKILL");
    let before: readonly string[] | null = null;
    for (let life = 0; life < LIVES; life++) {
      const agent = start();
      await agent.until((line) => line.evt === "agent.ready", 60_000, `life ${life}`);
      before ??= await held();
      if (life === 0) expect(before.length).toBeGreaterThan(0);
      // A stop may end a position meanwhile, and then the journal has its fill: the verifier compares the two at the end.
      const expected = async (): Promise<boolean> => {
        const closed = started.flatMap(({ lines }) => lines.filter(({ evt }) => evt === "position.closed"));
        const gone = closed.map(({ leg }) => String(leg).replace("|", " "));
        const left = (before ?? []).filter((row) => !gone.some((positionKey) => row.startsWith(`${positionKey} `)));
        return (await held()).join() === left.join();
      };
      await expect.poll(expected, { timeout: 20_000, message: `life ${life}: ${before.join()}` }).toBe(true);
      await end(agent, life % 2 === 0 ? "SIGINT" : "SIGKILL");
    }
    const verdict = await run(["verify", "--data-dir", dataDir]);
    expect(verdict.out).toMatch(/ 0 violated/);
    expect(verdict.code).toBe(0);

    made.file("agent.yaml", quickConfig({ speed: SPEED }).replace("seed: 3", "seed: 4"));
    const refused = start();
    expect((await refused.ended).code).toBe(6);
    expect(refused.lines.at(-1)?.msg).toMatch(/seed 3, now 4.*--fresh/);
    const fresh = start("--fresh");
    const begun = await fresh.until((line) => line.evt === "era.begun", 60_000, "a new era");
    expect(begun["keptIn"]).toBe(`${dataDir}/eras/1`);
    await fresh.until((line) => line.evt === "agent.ready", 60_000, "ready");
    expect(await held()).toEqual([]);
    await end(fresh, "SIGINT");
    expect((await run(["verify", "--data-dir", dataDir])).out).toMatch(/ 0 violated/);
    expect((await run(["verify", "--data-dir", `${dataDir}/eras/1`])).out).toMatch(/ 0 violated/);
    expect(existsSync(`${dataDir}/eras/1/practice/venue-state.jsonl`)).toBe(true);
    expect(readFileSync(`${dataDir}/practice/venue-state.jsonl`, "utf8").split("\n")[0]).toContain('"seed":4');

    // A new account would use the order ids of the old one again, and the journal knows those as other orders.
    rmSync(`${dataDir}/practice/venue-state.jsonl`);
    const stateless = start();
    const gone = await stateless.until(
      (line) => line.evt === "era.begun",
      60_000,
      "an era without the account's state",
    );
    expect(gone["keptIn"]).toBe(`${dataDir}/eras/2`);
    await stateless.until((line) => line.evt === "agent.ready", 60_000, "ready");
    await end(stateless, "SIGINT");
  },
  180_000 + LIVES * 30_000,
);
