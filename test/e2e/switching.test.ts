/** Strategies change under real sockets: by saved file and by command, and what is held stays held and protected. */
import { expect, test } from "vitest";
import { describeOutcome, type Outcome } from "../../src/core/outcome.ts";
import { readJournal } from "../../src/journal/reader.ts";
import { practiceClock } from "../../src/daemon/practice-clock.ts";
import { takeAnswer, writeRequest } from "../../src/control/requests.ts";
import {
  ballast,
  folder,
  quickConfig,
  type Ready,
  run,
  type Running,
  serviceEnv,
  simProcess,
  takenDown,
} from "../support/process.ts";
import { clientAt } from "../support/trade-by-hand.ts";

const { started, folders } = takenDown();

const heldPositions = (positions: readonly { symbol: string; side: string; qty: unknown }[]): readonly string[] =>
  positions.map(({ symbol, side, qty }) => `${symbol} ${side} ${String(qty)}`).sort();

/** What the venue itself says, asked by a client of its own; again where the agent's own reads have used up the rate. */
async function atVenue(ready: Ready): Promise<{ positions: readonly string[]; guarded: ReadonlySet<string> }> {
  const clock = await practiceClock(ready.controlUrl, 1);
  if (!clock.ok) throw new Error(clock.error);
  const client = clientAt(ready, clock.value);
  const insist = async <T>(ask: () => Promise<Outcome<T>>): Promise<T> => {
    let last = "";
    for (let turn = 0; turn < 20; turn++) {
      const outcome = await ask();
      if (outcome.kind === "done") return outcome.value;
      last = describeOutcome(outcome);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error(`the venue could not be read: ${last}`);
  };
  try {
    const positions = await insist(() => client.positions());
    const algos = await insist(() => client.openAlgos());
    return {
      positions: heldPositions(positions),
      guarded: new Set(algos.map(({ symbol, positionSide }) => `${symbol} ${positionSide}`)),
    };
  } finally {
    await client.close();
  }
}

interface Status {
  readonly strategy: string;
  readonly positions: readonly { symbol: string; side: string; qty: string; protection: string }[];
}

test("ten switches, by file and by command: positions, stops and beats go on; a restart keeps who decides", async () => {
  const made = folder();
  folders.push(made);
  const data = `${made.dir}/data`;
  const { running: sim, ready } = await simProcess(["--seed", "3", "--speed", "5"]);
  started.push(sim);
  const withUse = (use: string): string => quickConfig({ kind: "service" }).replace("use: momentum", `use: ${use}`);
  const config = made.file("agent.yaml", withUse("momentum"));
  const begin = (): Running => {
    const args = ["run", "--config", config, "--data-dir", data, "--log-format", "json"];
    const agent = ballast([...args, "--practice-clock", ready.controlUrl], serviceEnv(ready));
    started.push(agent);
    return agent;
  };
  const agent = begin();
  await agent.until((line) => line.evt === "position.protected", 90_000, "a protected position");
  const listening = await agent.until((line) => line.evt === "status.listening", 1_000, "the status address");
  const status = async (): Promise<Status> =>
    (await (await fetch(`${String(listening["url"])}/status`)).json()) as Status;
  const before = heldPositions((await status()).positions);

  // Strategies that leave alone what they do not know, so that whatever is lost was lost by a switch.
  const rota = ["hold", "news-event", "hold", "news-event", "hold"];
  for (const [turn, use] of rota.entries()) {
    made.file("agent.yaml", withUse(use));
    const switched = (line: { evt: string }): boolean => line.evt === "strategy.switched";
    await expect.poll(() => agent.lines.filter(switched).length, { timeout: 20_000, interval: 50 }).toBe(turn * 2 + 1);
    const other = turn % 2 === 0 ? "funding-carry" : "mean-reversion";
    writeRequest(data, `q-${turn}`, { kind: "use", strategy: other, handover: "adopt" });
    await expect
      .poll(() => takeAnswer(data, `q-${turn}`), { timeout: 20_000, interval: 50 })
      .toMatchObject({ ok: true, switch: { from: use, to: other, handover: "adopt" } });
  }
  const after = await status();
  expect(after.strategy).toBe("funding-carry");
  for (const positionKey of before) expect(heldPositions(after.positions)).toContain(positionKey);
  await expect
    .poll(async () => (await status()).positions.map(({ protection }) => protection), { timeout: 20_000 })
    .not.toContain("none");
  const venue = await atVenue(ready);
  for (const positionKey of before) {
    expect(venue.positions).toContain(positionKey);
    expect(venue.guarded).toContain(positionKey.split(" ").slice(0, 2).join(" "));
  }

  const refused = await run(["strategy", "use", "holdd", "--data-dir", data]);
  expect(refused.out).toMatch(/did you mean hold/);
  agent.child.kill("SIGTERM");
  expect(await agent.ended).toMatchObject({ code: 0 });
  const journal = readJournal(`${data}/journal.db`);
  try {
    const switches = journal.rows({ kinds: ["switch"] }).filter(({ body }) => "renamed" in (body as object));
    expect(switches).toHaveLength(10);
    const intents = journal.rows({ kinds: ["intent"] }).map((row) => row.body as { event: string; intentId: string });
    const opened = intents.filter(({ event }) => event === "open").map(({ intentId }) => intentId);
    expect(new Set(opened).size).toBe(opened.length);
    const beats = journal.rows({ kinds: ["beat"] }).map((row) => row.atMs);
    // A beat every ten seconds of practice time; the bound leaves room for a busy machine.
    for (const [index, atMs] of beats.slice(1).entries()) expect(atMs - (beats[index] ?? 0)).toBeLessThan(60_000);
  } finally {
    journal.close();
  }
  const again = begin();
  const starting = await again.until((line) => line.evt === "agent.starting", 40_000, "the next start");
  expect(starting["strategy"]).toBe("funding-carry");
}, 240_000);
