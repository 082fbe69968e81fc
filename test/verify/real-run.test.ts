/** A real agent against a real service, each a process of its own; what they leave is judged by the command itself. */
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ballast, folder, quickConfig, run, serviceEnv, simProcess, takenDown } from "../support/process.ts";

const { started, folders } = takenDown();

interface Reported {
  readonly violated: number;
  readonly rows: number;
  readonly invariants: readonly { readonly id: string; readonly verdict: { readonly kind: string } }[];
}

// What a loaded machine does to a real process is no fault of the agent: one more try.
test(
  "a short run with a protected position is clean, and a stray frame is not",
  { timeout: 300_000, retry: 1 },
  async () => {
    const made = folder();
    folders.push(made);
    const { dir, file } = made;
    const { running: sim, ready } = await simProcess(["--seed", "3", "--speed", "1", "--record", `${dir}/record`]);
    started.push(sim);
    const config = file("agent.yaml", quickConfig({ kind: "service", strategy: "momentum" }));
    const data = ["--data-dir", `${dir}/data`, "--log-format", "json", "--practice-clock", ready.controlUrl];
    const agent = ballast(["run", "--config", config, ...data], serviceEnv(ready));
    started.push(agent);
    await agent.until((line) => line.evt === "position.protected", 120_000, "a protected position");
    const seen = agent.lines.length;
    await agent.until(
      (line) => line.evt === "decision.made" && agent.lines.indexOf(line) > seen,
      60_000,
      "another decision",
    );
    agent.child.kill("SIGTERM");
    expect(await agent.ended).toMatchObject({ code: 0 });
    sim.child.kill("SIGTERM");
    await sim.ended;

    mkdirSync(`${dir}/sinks`);
    writeFileSync(`${dir}/sinks/agent.jsonl`, agent.lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const secrets = file("secrets", [ready.secretKey, ready.accessKey, ready.aiKey].join("\n"));
    const outside = ["--wire", "wire", "--ledger", "venue", "--model-ledger", "model"];
    const files = outside.map((word) => (word.startsWith("--") ? word : `${dir}/record/${word}.jsonl`));
    const reported = await run([
      "verify",
      ...["--journal", `${dir}/data/journal.db`, ...files, "--sinks", `${dir}/sinks`, "--secrets", secrets],
      ...["--skew", "500ms", "--format", "json"],
    ]);
    const verification = JSON.parse(reported.out) as Reported;
    expect(verification.invariants.filter(({ verdict }) => verdict.kind === "violated")).toEqual([]);
    expect(reported.code).toBe(0);
    expect(verification.invariants).toHaveLength(37);
    expect(verification.invariants.filter(({ verdict }) => verdict.kind === "held").length).toBeGreaterThanOrEqual(33);

    const swapped = await run([
      "verify",
      "--journal",
      `${dir}/data/journal.db`,
      "--wire",
      file("none.jsonl", wrongFrame),
    ]);
    expect(swapped.code).toBe(1);
    expect(swapped.out).toMatch(/I1 .*VIOLATED, 1 time/);
    expect(swapped.out).toMatch(/I5 .*not judged: needs the venue ledger/);
  },
);

const wrongFrame = `${JSON.stringify({ seq: 1, atMs: 1, call: "POST /api/v1/trading/order", accountId: null, params: { sym: "X", side: "BUY" }, result: "200000" })}\n`;

test("what cannot be read is said, with an exit code of its own", async () => {
  const made = folder();
  folders.push(made);
  expect(await run(["verify", "--data-dir", `${made.dir}/nowhere`])).toMatchObject({ code: 2 });
  expect(await run(["verify", "--journal", `${made.dir}/none.db`])).toMatchObject({ code: 2 });
  const text = made.file("journal.db", "this is no database, but it is long enough to look like one".repeat(40));
  expect(await run(["verify", "--journal", text])).toMatchObject({ code: 4 });
}, 60_000);
