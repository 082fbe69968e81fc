/** The scripts as bash itself uses them: what is offered at a place of the command line. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { programArgs } from "../support/bundled-program.ts";
import { folder, takenDown } from "../support/process.ts";

const HANG_MS = 120_000;
const { folders } = takenDown();

type Program = "ballast" | "svc";

function scriptOf(program: Program, shell: string, env: Record<string, string> = {}): string {
  const { stdout, status } = spawnSync(process.execPath, [...programArgs(program), "completion", shell], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  expect(status).toBe(0);
  return stdout;
}

/** What bash offers for each line; the last word of a line is what has been typed of it. */
function offeredBy(script: string, program: Program, lines: readonly string[]): readonly (readonly string[])[] {
  const asked = lines.map((line) => {
    const words = line.split(" ");
    const quoted = words.map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _${program}; echo "\${COMPREPLY[*]}"`;
  });
  const { stdout, stderr } = spawnSync("bash", ["--norc"], {
    input: `${script}\n${asked.join("\n")}\n`,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split(" ").filter(Boolean));
}

describe("bash completes", () => {
  test("commands, options, their words and strategies of `ballast`", { timeout: HANG_MS }, () => {
    const own = folder();
    folders.push(own);
    mkdirSync(`${own.dir}/strategies`);
    writeFileSync(`${own.dir}/strategies/my-idea.mjs`, "export default {};\n");
    const script = scriptOf("ballast", "bash", { BALLAST_OWN_DIR: own.dir });
    const lines = [
      "ballast stra",
      "ballast config ",
      "ballast run --dat",
      "ballast run --strategy mo",
      "ballast strategy use m",
      "ballast strategy use momentum --handover ",
      "ballast run --log-level e",
      "ballast run --config ",
    ];
    expect(offeredBy(script, "ballast", lines)).toEqual([
      ["strategy"],
      ["check", "show", "schema", "--help"],
      ["--data-dir"],
      ["momentum"],
      ["mean-reversion", "momentum", "my-idea"],
      ["adopt", "wind-down", "close"],
      ["error"],
      [],
    ]);
  });

  test("domains, actions, options and words of `svc`", { timeout: HANG_MS }, () => {
    const lines = [
      "svc mark",
      "svc mcp ",
      "svc mcp config --host vs",
      "svc order place-preview --si",
      "svc order place-preview --side ",
    ];
    expect(offeredBy(scriptOf("svc", "bash"), "svc", lines)).toEqual([
      ["market"],
      ["serve", "config"],
      ["vscode"],
      ["--side"],
      ["BUY", "SELL"],
    ]);
  });
});

test.each<[Program, string]>([
  ["ballast", "zsh"],
  ["ballast", "fish"],
  ["svc", "zsh"],
  ["svc", "fish"],
])("%s writes a script for %s that names its commands", { timeout: HANG_MS }, (program, shell) => {
  const script = scriptOf(program, shell);
  expect(script).toContain(`${program} completion for ${shell}`);
  expect(script).toContain(program === "ballast" ? "why-not" : "place-preview");
});

test("another shell is refused with the ones there are", { timeout: HANG_MS }, () => {
  const { status, stderr } = spawnSync(process.execPath, [...programArgs("ballast"), "completion", "csh"], {
    encoding: "utf8",
    env: {},
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(/Allowed choices are bash, zsh, fish/);
});
