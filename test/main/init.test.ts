/** `ballast init` as a newcomer meets it: real processes in an empty folder, and what it writes is used at once. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { composeProblems } from "../../scripts/image/deploy-problems.mjs";
import { readConfig } from "../../src/config/read.ts";
import { programArgs } from "../support/bundled-program.ts";
import { ballast, folder, takenDown } from "../support/process.ts";

const HANG_MS = 240_000;
const { started, folders } = takenDown();

function place(): string {
  const made = folder();
  folders.push(made);
  return made.dir;
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function command(cwd: string, args: readonly string[], input = "", env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...programArgs("ballast"), ...args], {
    cwd,
    input,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  return { code: status, out: stdout, err: stderr };
}

const filesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .sort();
const textsIn = (dir: string): readonly string[] =>
  filesIn(dir).map((name) => readFileSync(path.join(dir, name), "utf8"));

test(
  "what it writes without a question passes the check and starts, with the owner's prompt",
  { timeout: HANG_MS },
  async () => {
    const dir = path.join(place(), "my-agent");
    const made = command(path.dirname(dir), ["init", "my-agent", "--no-input"]);
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(filesIn(dir)).toEqual(
      expect.arrayContaining([
        ".env.example",
        ".gitignore",
        "config/agent.yaml",
        "config/ballast.schema.json",
        "docker-compose.yml",
        "own/prompts/my-trader.md",
      ]),
    );
    expect(made.out).toMatch(/Next:\n {2}1\. cd my-agent\n {2}2\. .*config check\n/);
    expect(command(dir, ["config", "check"])).toMatchObject({ code: 0, out: "config/agent.yaml is good.\n" });
    const config = readFileSync(path.join(dir, "config/agent.yaml"), "utf8");
    expect(composeProblems(readFileSync(path.join(dir, "docker-compose.yml"), "utf8"), config)).toEqual([]);

    const asked = command(dir, [
      "strategy",
      "check",
      "llm-trader",
      "--config",
      "config/agent.yaml",
      "--snapshots",
      "2",
    ]);
    expect(asked.out).toMatch(/^prompt +my-trader: \d+ tokens/m);

    // Other tests may hold the port.
    writeFileSync(path.join(dir, "config/agent.yaml"), config.replace("port: 8787", "port: 0"));
    const agent = ballast(
      ["run", "--config", `${dir}/config/agent.yaml`, "--data-dir", `${dir}/data`, "--log-format", "json"],
      { BALLAST_OWN_DIR: `${dir}/own` },
    );
    started.push(agent);
    await agent.until((line) => line.evt === "agent.ready", HANG_MS / 2, "ready");

    rmSync(path.join(dir, "own/prompts/my-trader.md"));
    const without = command(dir, ["config", "check"]);
    expect(without.code).toBe(3);
    expect(without.err).toMatch(
      /strategy llm-trader: prompt is my-trader, and there is no .*my-trader\.md .*write the file/,
    );
  },
);

test("a second time nothing is overwritten, and what is in the way is named", { timeout: HANG_MS }, () => {
  const dir = place();
  writeFileSync(path.join(dir, ".gitignore"), "mine\n");
  expect(command(dir, ["init", "--no-input", "--place", "machine", "--strategy", "momentum"]).code).toBe(0);
  expect(readFileSync(path.join(dir, ".gitignore"), "utf8")).toBe("mine\n");
  expect(existsSync(path.join(dir, "docker-compose.yml"))).toBe(false);
  const before = textsIn(dir);
  const again = command(dir, ["init", "--no-input"]);
  expect(again.code).toBe(1);
  expect(again.err).toMatch(
    /config\/agent\.yaml, .* are there already, and nothing is overwritten: name another folder/,
  );
  expect(textsIn(dir)).toEqual(before);
});

test("for the real service it asks on until each answer is good, and the check agrees", { timeout: HANG_MS }, () => {
  const dir = path.join(place(), "live");
  const consent = "As owner I let the agent trade by itself with up to 250 USDT an order, 9000 USDT in all.";
  const said = [
    ...[
      "servise",
      "service",
      "no host",
      "https://api.example.com/",
      "",
      "momentum",
      "model-1",
      "real-model",
      "0.5,2,0.1",
    ],
    ...["250", "100", "9000", "Go ahead.", consent, "machine"],
  ];
  const made = command(path.dirname(dir), ["init", "live"], `${said.join("\n")}\n`);
  expect(made.err).toMatch(/"servise" is none of practice, service; did you mean service\?/);
  expect(made.err).toMatch(/"no host" is not a host of a trading service/);
  expect(made.err).toMatch(/model-1: a placeholder for the organiser/);
  expect(made.err).toMatch(/does not name 250 and 9000/);
  expect(made.code).toBe(0);
  const read = readConfig(readFileSync(path.join(dir, "config/agent.yaml"), "utf8"));
  expect(read).toMatchObject({
    ok: true,
    value: {
      venue: { kind: "service" },
      strategy: { use: "momentum" },
      session: { consent, consentFor: "api.example.com", live: false },
      model: { names: [{ name: "real-model" }] },
    },
  });
  expect(readFileSync(path.join(dir, ".env.example"), "utf8")).toContain("\nSVC_API_HOST=https://api.example.com\n");
  const service = {
    SVC_API_HOST: "https://api.example.com",
    SVC_ACCESS_KEY: "k".repeat(8),
    SVC_SECRET_KEY: "s".repeat(8),
  };
  expect(command(dir, ["config", "check"], "", service)).toMatchObject({ code: 0, err: "" });
});

test.each([
  [
    "an answer that nobody can guess",
    ["--no-input", "--venue", "service"],
    /--api-host: is needed: What is the address .*[^.]\. Nothing was written\.$/m,
  ],
  ["an input that ends", [], /--venue: the input ended .*--no-input uses the suggestions/],
  ["a near answer", ["--no-input", "--strategy", "llm-tradr"], /; did you mean llm-trader\? Nothing was written\.$/m],
  ["a bad answer of an option", ["--no-input", "--max-order", "lots"], /--max-order: .*quoted plain decimal/],
])("without %s nothing is written", { timeout: HANG_MS }, (_what, args, message) => {
  const dir = path.join(place(), "new");
  const made = command(path.dirname(dir), ["init", "new", ...args]);
  expect(made.code).toBe(2);
  expect(made.err).toMatch(message);
  expect(existsSync(dir)).toBe(false);
});
