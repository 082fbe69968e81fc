/** Every help page of both programs: it fits a terminal of 80 columns and has an example. */
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { fitHelp } from "../../src/core/wrap-text.ts";
import { CAPABILITIES } from "../../src/faces/capabilities/all.ts";
import { ballastCommands, groupsOf, type Programs, runBallastCli } from "../../src/faces/cli/ballast-cli.ts";
import { commandsOf } from "../../src/faces/cli/completion-command.ts";
import { runSvc, type SvcProgram } from "../../src/faces/svc/command-line.ts";
import { EXIT_MEANING } from "../../src/ops/exit-codes.ts";

const NONE = {} as Programs;
const TEXT = {
  version: "1.0.0",
  exitCodes: Object.values(EXIT_MEANING)
    .map((meaning, code) => `  ${code}  ${meaning}`)
    .join("\n"),
};
/** A comment that a line break ends early: the shell would run its rest. */
const cutComment = / # .*\\$/m;
const tooWide = (page: string): readonly string[] => page.split("\n").filter((line) => line.length > 80);

async function ballastPage(words: readonly string[]): Promise<string> {
  const said: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  expect(await runBallastCli([...words, "--help"], NONE, TEXT)).toBe(0);
  spy.mockRestore();
  return said.join("");
}

async function svcPageOf(words: readonly string[]): Promise<string> {
  const said: string[] = [];
  const program = { io: { out: (text: string) => said.push(text) }, version: "1.0.0" } as unknown as SvcProgram;
  expect(await runSvc([...words, "--help"], program)).toBe(0);
  return said.join("");
}

describe("of `ballast`", () => {
  const commands = commandsOf(
    ballastCommands(NONE, TEXT, () => Promise.resolve()),
    [],
  ).map(({ command }) => command.split(" ").filter(Boolean));

  test.each(groupsOf(NONE, () => Promise.resolve()).filter(({ names }) => names.length > 0))(
    "$names are built together",
    ({ names }) => {
      for (const name of names) {
        const built = ballastCommands(NONE, TEXT, () => Promise.resolve(), name);
        expect(built.commands.map((command) => command.name())).toEqual(names);
      }
    },
  );

  test("there are many", () => expect(commands.length).toBeGreaterThan(40));
  test.each(commands.map((words) => [words.join(" "), words] as const))("%s --help", async (_name, words) => {
    const page = await ballastPage(words);
    expect(tooWide(page)).toEqual([]);
    expect(page).toMatch(/Examples?:\n +\$ /);
    expect(page).not.toMatch(cutComment);
  });
});

describe("of `svc`", () => {
  const commands = [
    ...CAPABILITIES.map(({ command }) => command),
    ["mcp", "serve"],
    ["mcp", "config"],
    ["completion"],
    [],
  ];
  test.each(commands.map((words) => [words.join(" "), words] as const))("%s --help", async (_name, words) => {
    const page = await svcPageOf(words);
    expect(tooWide(page)).toEqual([]);
    expect(page).toMatch(/Examples?:\n +svc /);
  });

  test("a domain's page lists all of its commands, and the one that its name alone runs", async () => {
    const page = await svcPageOf(["order"]);
    const ofOrder = CAPABILITIES.filter(({ command }) => command[0] === "order");
    for (const { command } of ofOrder) expect(page).toContain(`\n  ${command.join(" ")} `);
    expect(page).toContain("Without an action: svc order open-orders.\n");
    expect(tooWide(page)).toEqual([]);
  });
});

test("an example that is broken over lines is still the same command", () => {
  const value = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.dictionary(value, value, { minKeys: 4, maxKeys: 12 }), (input) => {
      const fitted = fitHelp(`  svc order place --input '${JSON.stringify(input)}' --json`);
      const joined = fitted.replaceAll(" \\\n", " ");
      expect(JSON.parse(/'([^']*)'/.exec(joined)?.[1] ?? "")).toEqual(input);
      expect(tooWide(fitted)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
