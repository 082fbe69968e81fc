/** The whole agent as a newcomer meets it: real processes, real sockets, the embedded venue. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readJournal } from "../../src/journal/reader.ts";
import { figuresMissing } from "../support/figures-in-text.ts";
import { isLong } from "../support/lengths.ts";
import { ballast, type Folder, folder, quickConfig, run, type Running, takenDown } from "../support/process.ts";

const { started, folders } = takenDown();
const place = (): Folder => {
  const made = folder();
  folders.push(made);
  return made;
};
const start = (args: readonly string[], env: Record<string, string> = {}): Running => {
  const running = ballast(args, env);
  started.push(running);
  return running;
};

describe.each(isLong ? ["llm-trader", "momentum"] : ["llm-trader"])("with %s", (strategy) => {
  test("a decision, a fill through preview and submit, a protected position, and a clean stop", async () => {
    const { dir, file } = place();
    const config = file("agent.yaml", quickConfig({ strategy }));
    const agent = start(["run", "--config", config, "--data-dir", `${dir}/data`, "--log-format", "json"]);
    await agent.until((line) => line.evt === "agent.ready", 40_000, "agent.ready");
    const filled = await agent.until((line) => line.evt === "order.filled", 60_000, "a fill");
    const decision = String(filled["decision"]);
    await agent.until((line) => line.evt === "position.protected", 30_000, "a protected position");
    const events = agent.lines.filter((line) => line["decision"] === decision).map((line) => line.evt);
    for (const evt of ["decision.triggered", "decision.made", "review.verdict", "preview.created", "order.submitted"])
      expect(events).toContain(evt);
    if (strategy === "llm-trader")
      expect(events).toEqual(expect.arrayContaining(["model.asked", "model.answered", "budget.spent"]));

    const status = await run(["status", "--json", "--data-dir", `${dir}/data`]);
    const report = JSON.parse(status.out) as {
      running: boolean;
      equityUsdt: string;
      positions: { protection: string; stopPrice: string }[];
      streams: object;
      session: { active: boolean };
    };
    expect(report).toMatchObject({
      running: true,
      floorUsdt: "800",
      session: { active: true },
      streams: { market: true, user: true },
    });
    expect(report.positions[0]).toMatchObject({ protection: "live" });
    expect((await run(["status", "--health", "--data-dir", `${dir}/data`])).code).toBe(0);

    const second = await run(["run", "--config", config, "--data-dir", `${dir}/data`]);
    expect(second).toMatchObject({ code: 5 });

    const story = await run(["explain", decision, "--data-dir", `${dir}/data`]);
    for (const part of ["triggered by", "intent", "preview", "wire-out", "fill"]) expect(story.out).toContain(part);

    const reasons = await run(["reasons", "--format", "json", "--data-dir", `${dir}/data`]);
    const entries = JSON.parse(reasons.out) as { seq: number }[];
    const journal = readJournal(`${dir}/data/journal.db`);
    const writes = journal.rows({ kinds: ["wire-out"] }).map((row) => row.seq);
    journal.close();
    // Read beside the running agent, which may have written on meanwhile.
    expect(entries.map((entry) => entry.seq)).toEqual(writes.slice(0, entries.length));
    expect(entries.length).toBeGreaterThan(1);

    const asked = Date.now();
    agent.child.kill("SIGTERM");
    expect(await agent.ended).toMatchObject({ code: 0 });
    expect(Date.now() - asked).toBeLessThan(10_000);
    expect(existsSync(`${dir}/data/run.json`)).toBe(false);
    expect(agent.lines.flatMap(figuresMissing)).toEqual([]);
    // A slow disk is reported whenever it is slow.
    const lines = agent.lines.filter(({ evt }) => evt !== "journal.trouble");
    expect(lines.slice(-3).map((line) => line.evt)).toEqual(["position.left", "agent.summed", "agent.stopped"]);
    const summed = lines.at(-2);
    expect(summed?.msg).toMatch(
      /equity 1000\.00 to \d+\.\d\d USDT .* \d positions? open\. Look further, each with --data-dir \S+: ballast status/,
    );
    const kept = await run(["logs", "--json", "--data-dir", `${dir}/data`]);
    expect(kept.out.split("\n").slice(-3)).toEqual(agent.lines.slice(-3).map((line) => JSON.stringify(line)));
    const after = await run(["status", "--json", "--data-dir", `${dir}/data`]);
    expect(JSON.parse(after.out)).toMatchObject({
      running: false,
      stopped: { body: { reason: "stopped by SIGTERM" } },
    });
    const again = await run(["explain", decision, "--rerun", "--data-dir", `${dir}/data`]);
    expect(again.out).toContain("Made again from what was kept: the same decision");
    expect(again.code).toBe(0);
  }, 150_000);
});

test("saving the file switches the strategy; a bad file is refused with its line and nothing changes", async () => {
  const { dir, file } = place();
  const config = file("agent.yaml", quickConfig({ strategy: "hold" }));
  const agent = start(["run", "--config", config, "--data-dir", `${dir}/data`, "--log-format", "json"]);
  await agent.until((line) => line.evt === "agent.ready", 40_000, "agent.ready");
  file("agent.yaml", `${quickConfig({ strategy: "hold" })}risk: { maxPositons: 3 }\n`);
  const refused = await agent.until((line) => line.evt === "config.refused", 15_000, "config.refused");
  expect(refused.msg).toMatch(/agent\.yaml:\d+:\d+ risk\.maxPositons: unknown setting; did you mean maxPositions\?/);
  file("agent.yaml", quickConfig({ strategy: "momentum" }));
  await agent.until((line) => line.evt === "strategy.switched", 15_000, "strategy.switched");
  const switched = await agent.until((line) => line.evt === "config.changed", 15_000, "config.changed");
  expect(switched["changed"]).toEqual(["strategy.use"]);
  file("agent.yaml", quickConfig({ strategy: "momentun" }));
  const unknown = await agent.until(
    (line) => line.evt === "config.refused" && line.msg.includes("momentun"),
    15_000,
    "unknown strategy",
  );
  expect(unknown.msg).toMatch(/did you mean momentum/);
}, 120_000);

test("a secret that is pasted into the file is masked in the log, the health and the status", async () => {
  const token = "a-token-of-the-status-page";
  const { dir, file } = place();
  const config = file("agent.yaml", quickConfig({ strategy: "hold" }));
  const args = ["run", "--config", config, "--data-dir", `${dir}/data`, "--log-format", "json"];
  const agent = start(args, { BALLAST_STATUS_TOKEN: token });
  await agent.until((line) => line.evt === "agent.ready", 40_000, "agent.ready");
  file("agent.yaml", `${quickConfig({ strategy: "hold" })}${token}: 1\n`);
  const { msg } = await agent.until((line) => line.evt === "config.refused", 15_000, "config.refused");
  const { url } = await agent.until((line) => line.evt === "status.listening", 1_000, "the status endpoint");
  const shown = await Promise.all(["health", "status"].map(async (at) => (await fetch(`${String(url)}/${at}`)).text()));
  for (const text of [msg, ...shown]) expect(text).toContain("a-to***page: unknown setting");
  expect(shown.join()).not.toContain(token);
}, 120_000);

test("without consent the agent observes, says so, and opens nothing", async () => {
  const { dir, file } = place();
  const config = file("agent.yaml", quickConfig().replace(/consent: .*/, 'consent: ""'));
  const agent = start(["run", "--config", config, "--data-dir", `${dir}/data`, "--log-format", "json"]);
  await agent.until((line) => line.evt === "agent.observing", 40_000, "agent.observing");
  await agent.until(
    (line) => line.evt === "decision.made" && /no automation session/.test(line.msg),
    60_000,
    "a decision that may open nothing",
  );
  expect(agent.lines.filter((line) => line.evt === "order.submitted" && !line.msg.startsWith("leverage"))).toHaveLength(
    0,
  );
  const live = await run(["why-not", "--json", "--data-dir", `${dir}/data`]);
  expect(JSON.parse(live.out)).toMatchObject({
    running: true,
    opened: 0,
    sentence: expect.stringMatching(/opened nothing: .*because nothing may be opened: .*no automation session/),
    now: expect.stringMatching(/consent/),
  });
  agent.child.kill("SIGTERM");
  await agent.ended;
  const after = await run(["why-not", "--data-dir", `${dir}/data`]);
  expect(after.out).toMatch(/no automation session(.|\n)*Now: no agent is running, .*stopped by SIGTERM/);
}, 120_000);
