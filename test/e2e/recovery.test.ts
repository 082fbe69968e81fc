/** Killed in the middle, cut off from the venue, frozen: what must hold all the same, with real processes. */
import { expect, test } from "vitest";
import {
  ballast,
  folder,
  quickConfig,
  type Ready,
  type Running,
  serviceEnv,
  simProcess,
  takenDown,
} from "../support/process.ts";

const { started, folders } = takenDown();

interface WireWrite {
  readonly call: string;
  readonly params: { readonly clientOrderId?: string };
}

/** Every place request that reached the venue, by client order id. */
async function placedIds(ready: Ready): Promise<readonly string[]> {
  const reply = await fetch(`${ready.controlUrl}/wire-log`);
  const { entries } = (await reply.json()) as { entries: readonly WireWrite[] };
  return entries
    .filter((entry) => entry.call === "POST /api/v1/trading/order")
    .map((entry) => entry.params.clientOrderId ?? "");
}

async function withSim(speed: number): Promise<{ ready: Ready; sim: Running; agent: () => Running; dir: string }> {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3", "--speed", String(speed)]);
  started.push(running);
  const config = made.file("agent.yaml", quickConfig({ kind: "service" }));
  const agent = (): Running => {
    const next = ballast(
      [
        "run",
        "--config",
        config,
        "--data-dir",
        `${made.dir}/data`,
        "--log-format",
        "json",
        "--practice-clock",
        ready.controlUrl,
      ],
      serviceEnv(ready),
    );
    started.push(next);
    return next;
  };
  return { ready, sim: running, agent, dir: made.dir };
}

const pageOf = (agent: Running) => agent.until((line) => line.evt === "status.listening", 10_000, "an address");

test("kill -9 with an order on its way: no second order, positions adopted, protection present", async () => {
  const { ready, agent } = await withSim(5);
  const first = agent();
  await first.until(
    (line) => line.evt === "order.submitted" && line.msg.startsWith("place"),
    90_000,
    "an order on its way",
  );
  first.child.kill("SIGKILL");
  await first.ended;
  const second = agent();
  await second.until((line) => line.evt === "agent.ready", 60_000, "ready again");
  // No port was set: whoever has the page open finds the agent where it was.
  expect((await pageOf(second)).msg).toBe((await pageOf(first)).msg);
  await second.until((line) => line.evt === "position.protected", 60_000, "protection");
  const ids = await placedIds(ready);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
  const status = await statusOf(second);
  for (const position of status.positions) expect(position.protection).toBe("live");
}, 240_000);

async function statusOf(
  agent: Running,
): Promise<{ positions: { protection: string }[]; streams: Record<string, boolean> }> {
  const line = await agent.until((found) => found.evt === "status.listening", 1_000, "the status address");
  return (await fetch(`${String(line["url"])}/status`)).json() as Promise<{
    positions: { protection: string }[];
    streams: Record<string, boolean>;
  }>;
}

test("the venue stands still for half a minute: the agent waits, opens nothing, reconnects and goes on", async () => {
  const { sim, agent } = await withSim(5);
  const running = agent();
  await running.until((line) => line.evt === "agent.ready", 60_000, "ready");
  sim.child.kill("SIGSTOP");
  const seen = running.lines.length;
  await running.until(
    (line) => line.evt === "stream.down" && running.lines.indexOf(line) >= seen,
    60_000,
    "a stream found dead",
  );
  const dark = running.lines.length;
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const opened = running.lines.slice(dark).filter((line) => line.evt === "order.filled");
  expect(opened).toHaveLength(0);
  sim.child.kill("SIGCONT");
  await running.until(
    (line) => line.evt === "stream.up" && line["stream"] === "user" && running.lines.indexOf(line) > dark,
    60_000,
    "the user stream back",
  );
  await running.until(
    (line) => line.evt === "decision.made" && running.lines.indexOf(line) > dark + 2,
    60_000,
    "a decision after the outage",
  );
  await expect
    .poll(async () => (await statusOf(running)).streams, { timeout: 60_000, interval: 500 })
    .toMatchObject({ market: true, user: true, news: true });
}, 240_000);
