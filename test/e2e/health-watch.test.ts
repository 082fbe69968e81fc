/** The health watch with real processes: a data folder that lacks its own orders. Faults D6 and O6. */
import { expect, test } from "vitest";
import { ballast, folder, quickConfig, run, serviceEnv, simProcess, takenDown } from "../support/process.ts";
import { buyByHand } from "../support/trade-by-hand.ts";

const { started, folders } = takenDown();

interface Status {
  readonly floorState: string;
  readonly holds: Readonly<Record<string, string>>;
  readonly limits: readonly { readonly limit: string }[];
}

test("our orders that the journal lacks are adopted and protected; a person reopens after the halt", async () => {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  // As an agent of ours would have given it, in a run that this data folder knows nothing of.
  await buyByHand(ready, "EXCHANGE_A_PERP_SOL_USDT", "i-lostrun-1");
  const config = made.file("agent.yaml", quickConfig({ kind: "service" }));
  const dataDir = `${made.dir}/data`;
  const args = ["run", "--config", config, "--data-dir", dataDir, "--log-format", "json"];
  const agent = ballast(args, serviceEnv(ready));
  started.push(agent);
  await agent.until((line) => line.evt === "drills.passed", 40_000, "the drills");
  const halted = await agent.until((line) => line.evt === "floor.changed", 60_000, "the halt");
  expect(halted.msg).toMatch(/^NORMAL to HALT: the venue holds 1 order of ours that this journal .* \(i-lostrun-1\)/);
  await agent.until((line) => line.evt === "position.protected", 60_000, "a stop on what was found");
  const status = async (): Promise<Status> =>
    JSON.parse((await run(["status", "--json", "--data-dir", dataDir])).out) as Status;
  const now = await status();
  expect(now).toMatchObject({ floorState: "HALT", holds: {} });
  expect(now.limits.map((count) => count.limit)).toContain("cushion");
  expect(agent.lines.filter((line) => line.evt === "order.submitted" && line.msg.startsWith("place"))).toEqual([]);
  expect((await run(["resume", "--data-dir", dataDir])).code).toBe(0);
  expect((await status()).floorState).not.toBe("HALT");
}, 240_000);
