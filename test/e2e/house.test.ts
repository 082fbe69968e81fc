/** The watch over the house, with real processes: a data folder that does not know its orders. Faults D6 and O6. */
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { dec } from "../../src/core/decimal.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { silentLog } from "../../src/core/log.ts";
import { Secret } from "../../src/core/secret.ts";
import { createTradingClient } from "../../src/venue/trading-client.ts";
import {
  ballast,
  bringDown,
  type Folder,
  folder,
  quickConfig,
  type Ready,
  run,
  type Running,
  serviceEnv,
  simProcess,
} from "../support/process.ts";

const started: Running[] = [];
const folders: Folder[] = [];
afterEach(async () => {
  await bringDown(started.splice(0));
  for (const made of folders.splice(0)) made.remove();
});

interface Status {
  readonly floorState: string;
  readonly holds: Readonly<Record<string, string>>;
  readonly limits: readonly { readonly limit: string }[];
}

/** An order as an agent of ours gave it, in a run that this data folder knows nothing of. */
async function orderOfALostRun(ready: Ready, clientOrderId: string): Promise<void> {
  const clock = systemClock();
  const entropy = seededEntropy("lost");
  const client = createTradingClient({
    env: { clock, entropy, ids: timedIds(clock.nowMs, entropy) },
    log: silentLog,
    baseUrl: ready.restUrl,
    accessKey: new Secret(ready.accessKey),
    secretKey: new Secret(ready.secretKey),
    exchanges: [],
  });
  await client.measureClock();
  await client.setLeverage("EXCHANGE_A_PERP_SOL_USDT", 2);
  const placed = await client.placeOrder({
    symbol: "EXCHANGE_A_PERP_SOL_USDT",
    side: "BUY",
    positionSide: "LONG",
    orderType: "MARKET",
    qty: dec("1"),
    limitPrice: null,
    timeInForce: null,
    reduceOnly: false,
    clientOrderId,
  });
  expect(placed).toMatchObject({ kind: "done" });
  await client.close();
}

test("orders of ours that the journal lacks: adopted and protected, halted, and opened again only by a person's word", async () => {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  await orderOfALostRun(ready, "i-lostrun-1");
  const config = made.file("agent.yaml", quickConfig({ kind: "service" }));
  const dataDir = `${made.dir}/data`;
  const args = ["run", "--config", config, "--data-dir", dataDir, "--log-format", "json"];
  const agent = ballast(args, serviceEnv(ready));
  started.push(agent);
  await agent.until((line) => line.evt === "drills.passed", 40_000, "the drills");
  const halted = await agent.until((line) => line.evt === "floor.changed", 60_000, "the halt");
  expect(halted.msg).toMatch(/^NORMAL to HALT: the venue holds 1 orders of ours that this journal .* \(i-lostrun-1\)/);
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
