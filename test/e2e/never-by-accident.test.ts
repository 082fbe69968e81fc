/** With credentials of the service set, nothing is written there until file, consent and `--live` say so. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isLong } from "../support/lengths.ts";
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
import { buyByHand } from "../support/trade-by-hand.ts";

const { started, folders } = takenDown();
const OWN_WORDS = "My agent may trade this account by itself: 300 USDT in one order, 30000 USDT in one session.";

/** Requests that would change anything, as the service itself saw them. */
async function writesAt(ready: Ready): Promise<readonly string[]> {
  const reply = await fetch(`${ready.controlUrl}/wire-log`);
  const { entries } = (await reply.json()) as { entries: readonly { via: string; call: string }[] };
  return entries.map(({ via, call }) => `${via} ${call}`);
}

test("every shipped file and reading command leaves the account of the service alone", async () => {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  const env = serviceEnv(ready);
  // A position of the owner's own, without a stop: an agent that was let loose would protect or close it.
  await buyByHand(ready, "EXCHANGE_A_PERP_SOL_USDT", "by-hand-1");
  const before = await writesAt(ready);
  expect(before.join()).toMatch(/rest POST .*order/);
  const start = (name: string, file: string, ...more: string[]): Running => {
    const agent = ballast(
      ["run", "--config", file, "--data-dir", `${made.dir}/${name}`, "--log-format", "json", ...more],
      env,
    );
    started.push(agent);
    return agent;
  };
  const filledIn = (file: string, words: string): string =>
    made.file(
      file,
      readFileSync(`config/${file}`, "utf8")
        .replace('consent: ""', `consent: "${words}"`)
        .replace("consentFor: embedded", "consentFor: 127.0.0.1")
        .replace("name: model-1", "name: ballast-sim-1")
        .replace("port: 8787", "port: 0"),
    );
  const practising = (isLong ? ["agent", "backtest"] : ["agent"]).map((name) => start(name, `config/${name}.yaml`));
  const asShipped = await run(["run", "--config", "config/phase1.yaml", "--data-dir", `${made.dir}/shipped`], env);
  expect([asShipped.code, asShipped.out]).toEqual([
    3,
    expect.stringMatching(/model-1: a placeholder for the organiser/),
  ]);
  const unconsented = start("phase1", filledIn("phase1.yaml", ""), "--strategy", "momentum");
  const notLive = start("phase2", filledIn("phase2.yaml", OWN_WORDS), "--strategy", "momentum");
  for (const agent of practising) {
    const opened = await agent.until((line) => line.evt === "venue.opened", 60_000, "the venue");
    expect(opened["embedded"]).toBe(true);
    await agent.until((line) => line.evt === "venue.practice", 5_000, "the word that credentials are not used");
  }
  const observing = (agent: Running) => agent.until((line) => line.evt === "agent.observing", 60_000, "observing");
  expect((await observing(unconsented)).msg).toMatch(/session.consent is empty/);
  expect((await observing(notLive)).msg).toMatch(/has never traded on 127.0.0.1:\d+, .*--live/);
  for (const agent of [unconsented, notLive])
    await agent.until((line) => line.evt === "decision.triggered", 60_000, "a decision to observe");
  // Those that practise have shown where they trade; the rest of the time is for the others.
  for (const { child } of practising) child.kill("SIGKILL");
  const refused = await run(["run", "--config", "config/agent.yaml", "--live"], env);
  expect([refused.code, refused.out]).toEqual([2, expect.stringContaining("--live is for the real service")]);
  // The file as it is shipped: a recording asks no model and needs no consent.
  const records = ["record", "--config", "config/phase2.yaml", "--out", `${made.dir}/recording`, "--for", "2s"];
  const at = (...args: string[]) => run([...args, "--data-dir", `${made.dir}/phase2`], env);
  const [recorded, status, halted] = await Promise.all([run(records, env), at("status"), at("halt", "--all")]);
  expect([recorded.code, recorded.out]).toEqual([0, expect.stringContaining("recording from the service at")]);
  expect(status.out).toMatch(/has never traded on 127.0.0.1/);
  expect(halted.code).toBe(0);
  await Promise.all([at("resume"), at("strategy", "use", "hold", "--handover", "close")]);
  expect(await writesAt(ready)).toEqual(before);
  const wanted = new Set(["order.submitted", "position.closed", "preview.blocked"]);
  expect(notLive.lines.filter((line) => wanted.has(line.evt))).toEqual([]);
}, 240_000);

test("file, own consent and session.live together let it trade, and a restart needs no word", async () => {
  const made = folder();
  folders.push(made);
  const { running, ready } = await simProcess(["--seed", "3"]);
  started.push(running);
  const text = quickConfig({ kind: "service" }).replace(
    /^cadence:.*$/m,
    "cadence: { every: 4s, minGap: 2s, firstAfter: 4s }",
  );
  const config = made.file("agent.yaml", text.replace("live: true", "live: false"));
  const start = (): Running => {
    const args = ["run", "--config", config, "--data-dir", `${made.dir}/data`, "--log-format", "json"];
    const agent = ballast(args, serviceEnv(ready));
    started.push(agent);
    return agent;
  };
  const first = start();
  await first.until((line) => line.evt === "agent.ready", 60_000, "ready");
  expect(await writesAt(ready)).toEqual([]);
  made.file("agent.yaml", text);
  await first.until((line) => line.evt === "account.live", 30_000, "live");
  await first.until((line) => line.evt === "order.submitted", 60_000, "a write");
  expect((await writesAt(ready)).length).toBeGreaterThan(0);
  first.child.kill("SIGTERM");
  await first.ended;
  made.file("agent.yaml", text.replace("live: true", "live: false"));
  const second = start();
  await second.until((line) => line.evt === "agent.ready", 60_000, "ready again");
  expect(second.lines.filter((line) => line.evt === "agent.observing")).toEqual([]);
}, 240_000);
