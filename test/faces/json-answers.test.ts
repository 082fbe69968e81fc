/** With `--json` every command answers one JSON value and nothing beside it: its answer, or why there is none. */
import { afterAll, describe, expect, test } from "vitest";
import { isLong } from "../support/lengths.ts";
import { ballast, folder, quickConfig, run } from "../support/process.ts";

/** Each as it is called, without `--json` and the data folder. A new command with `--json` belongs here. */
const COMMANDS: readonly (readonly string[])[] = [
  ["status"],
  ["status", "--health"],
  ["open"],
  ["explain", "last"],
  ["why", "i-nobody"],
  ["why-not"],
  ["reasons"],
  ["trades"],
  ["budget"],
  ["report"],
  ["export", "trades"],
  ["export", "candles"],
  ["prompt", "diff"],
  ["strategy", "list"],
  ["strategy", "use", "nobody"],
  ["strategy", "shadows"],
  ["lessons"],
  ["lessons", "forget", "l-nobody"],
  ["flatten"],
  ["halt"],
  ["resume"],
];
/** Those whose answer comes from the agent where one runs. */
const ASKS_THE_AGENT = new Set(["status", "open", "flatten", "halt", "resume", "strategy"]);
/** Refused before anything is looked at. */
const MISTAKES: readonly (readonly string[])[] = [
  ["status", "--colour"],
  ["explain"],
  ["trades", "--from", "yesterday"],
  ["trades", "--from", "2026-01-02", "--to", "2026-01-01"],
  ["open", "--data-dir", ""],
  ["init", `${"x/".repeat(3)}y`, "--no-input", "--strategy", "nobody"],
  ["init", "--no-input", "--max-order", "much"],
  ["init", "--no-input", "--venue", "moon"],
];
/** Configuration files that no start would take, with the exit code of a refused configuration. */
const FILES: readonly (readonly [file: string, content: string | null])[] = [
  ["none.yaml", null],
  ["broken.yaml", "phase: ["],
  ["wrong.yaml", "phase: 3\nrisk: { maxPositions: many }\n"],
];

/** What it printed on both streams, read as one value, and its exit code. */
async function answerOf(args: readonly string[]): Promise<{ value: unknown; code: number | null; out: string }> {
  const { out, code } = await run([...args, "--json"]);
  return { value: JSON.parse(out), code, out };
}

async function expectOneValue(args: readonly string[]): Promise<void> {
  const { value, code, out } = await answerOf(args);
  expect(value, out).toBeTypeOf("object");
  const { ok, exitCode, error } = value as { ok?: boolean; exitCode?: number; error?: string };
  if (exitCode === undefined) return expect(ok === false ? code : 0, out).toBe(code);
  expect([ok, exitCode, typeof error], out).toEqual([false, code, "string"]);
}

const made = folder();
const data = `${made.dir}/data`;
afterAll(() => made.remove());

describe("with --json one value comes", () => {
  test("from a running agent, and from its stopped journal", async () => {
    const config = made.file("agent.yaml", quickConfig({ strategy: "hold", speed: 1 }));
    const agent = ballast(["run", "--config", config, "--data-dir", data]);
    await agent.until(({ evt }) => evt === "status.listening", 240_000, "the status port");
    for (const command of COMMANDS) await expectOneValue([...command, "--data-dir", data]);
    agent.child.kill("SIGTERM");
    expect((await agent.ended).code).toBe(0);
    // The others read the folder alone, whoever else does.
    const live = COMMANDS.filter(([name = ""]) => ASKS_THE_AGENT.has(name));
    for (const command of isLong ? COMMANDS : live) await expectOneValue([...command, "--data-dir", data]);
  }, 600_000);

  test("without a data folder", async () => {
    for (const command of COMMANDS) await expectOneValue([...command, "--data-dir", `${made.dir}/none`]);
  }, 600_000);

  test("where the command line is wrong", async () => {
    for (const command of MISTAKES) {
      const { value, code } = await answerOf(command);
      expect([value, code]).toEqual([{ ok: false, exitCode: 2, error: expect.any(String) as string }, 2]);
    }
  }, 300_000);

  test("where a new set-up finds a file in its way, and where a configuration cannot be used", async () => {
    expect((await run(["init", `${made.dir}/own`, "--no-input", "--json"])).code).toBe(0);
    const { value } = await answerOf(["init", `${made.dir}/own`, "--no-input"]);
    expect(value).toMatchObject({
      ok: false,
      exitCode: 1,
      error: expect.stringContaining("are there already") as string,
    });
    for (const [name, content] of FILES) {
      const file = content === null ? `${made.dir}/${name}` : made.file(name, content);
      const shown = await answerOf(["config", "show", file]);
      expect(shown.code).toBe(3);
      expect(shown.value).toMatchObject({ ok: false, exitCode: 3, file, error: expect.any(String) as string });
      expect((shown.value as { findings: object[] }).findings.length, shown.out).toBeGreaterThan(0);
      expect((await answerOf(["config", "check", file])).value).toMatchObject({ ok: false, file });
    }
  }, 300_000);
});
