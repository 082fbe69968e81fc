/** docs/OWN-STRATEGY.md followed by the letter: each of its commands, in its order, in a folder of an author's own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { typeProblems } from "../../src/author/type-check.ts";
import type { SymbolView } from "../../src/context/snapshot.ts";
import { BTC, viewOf } from "../../src/strategy/made-snapshot.ts";
import { isLong } from "../support/lengths.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const PAGE = readFileSync(path.join(ROOT, "docs/OWN-STRATEGY.md"), "utf8");

/** The commands of the page, up to the section on other places. */
const COMMANDS = [...(PAGE.split("## Elsewhere")[0] ?? "").matchAll(/```bash\n([\s\S]*?)```/g)]
  .flatMap(([, block = ""]) => block.trim().split("\n"))
  .map((line) => line.split(" "));

/** What `npx` finds in a checkout. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  ballast: [path.join(ROOT, "dist/src/main/ballast.cjs")],
  tsx: ["--import", path.join(ROOT, "node_modules/tsx/dist/esm/index.mjs")],
};

function started(home: string, [npx, program = "", ...args]: readonly string[]): ChildProcess {
  expect(npx).toBe("npx");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  return spawn(process.execPath, [...(PROGRAMS[program] ?? []), ...args], { cwd: home, env });
}

async function finished(child: ChildProcess): Promise<{ readonly code: number | null; readonly text: string }> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (text += part.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, text };
}

const commandOf = (words: string): readonly string[] => {
  const found = COMMANDS.find((command) => command.join(" ").includes(words));
  if (!found) throw new Error(`the page has no command with ${words}`);
  return found;
};

test("its example of bars and indicators has correct types, and reads the bars of a snapshot", async () => {
  const example = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, text = ""]) => text)
    .find((text) => /candles/.test(text));
  const root = mkdtempSync(path.join(tmpdir(), "ballast-page-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = path.join(root, "above-day.ts");
  writeFileSync(file, example ?? "");
  expect(typeProblems(file)).toEqual([]);
  // The loader gives the name its meaning, and takes only plain JavaScript in a test.
  const entry = path.join(ROOT, "src/strategy/authors.ts");
  writeFileSync(file, (example ?? "").replace('"ballast/strategy"', JSON.stringify(entry)));
  const { aboveDay } = (await import(file)) as { aboveDay: (view: SymbolView) => number | null };
  const bars = Array.from({ length: 30 }, (_, at) => {
    return { openMs: (at + 1) * 3_600_000, open: 100, high: 100, low: 100, close: 100, volume: 1 };
  });
  expect(aboveDay(viewOf(BTC, { last: 110, candles: { "1H": bars } }))).toBeCloseTo(0.1);
  expect(aboveDay(viewOf(BTC, { last: 110, candles: { "1H": bars.slice(0, 23) } }))).toBeNull();
});

// In short each of its parts is proven in author.test.ts and own-source.test.ts.
test.runIf(isLong)(
  "its commands write a strategy, check it, and let it open a position on practice",
  async () => {
    const home = mkdtempSync(path.join(tmpdir(), "ballast-page-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    mkdirSync(path.join(home, "node_modules/ballast"), { recursive: true });
    for (const part of ["dist", "package.json", "node_modules"])
      symlinkSync(path.join(ROOT, part), path.join(home, "node_modules/ballast", part));
    expect(COMMANDS.map(([, program, first]) => [program, first])).toEqual([
      ["ballast", "strategy"],
      ["ballast", "strategy"],
      ["tsx", "--test"],
      ["ballast", "run"],
      ["ballast", "status"],
      ["ballast", "explain"],
      ["ballast", "backtest"],
    ]);

    const made = await finished(started(home, commandOf("strategy new")));
    expect(made).toMatchObject({ code: 0, text: expect.stringContaining("wrote own/strategies/my-idea.ts") as string });

    // A draft beside it stops only itself.
    writeFileSync(path.join(home, "own/prompts/draft.md"), "no head yet");
    const run = started(home, commandOf("ballast run"));
    onTestFinished(() => void run.kill("SIGKILL"));
    const lines = createInterface({ input: run.stdout ?? process.stdin });
    const refused: string[] = [];
    lines.on("line", (line) => line.includes('"prompt.refused"') && refused.push(line));
    const opened = new Promise<boolean>((resolve) => {
      lines.on("line", (line) => line.includes('"position.opened"') && resolve(true));
      run.once("close", () => resolve(false));
    });
    // The practice market and the agent on it go on while the rest is done.
    const [checked, tested] = await Promise.all([
      finished(started(home, commandOf("strategy check"))),
      finished(started(home, commandOf("tsx --test"))),
    ]);
    expect(checked, checked.text).toMatchObject({ code: 0, text: expect.stringContaining("my-idea passed") as string });
    expect(checked.text).toMatch(/snapshots {2}100 .* 100 asked the model/);
    expect(checked.text).toMatch(/[1-9]\d* positions opened/);
    expect(checked.text).toMatch(
      /prompt {5}my-idea: \d{3,4} tokens of 8000[^]*price .*: at most 0\.00\d+ USD a question/,
    );
    expect(tested, tested.text).toMatchObject({ code: 0 });

    expect(await opened).toBe(true);
    expect(refused).toEqual([expect.stringContaining("draft.md: line 1: it does not begin with a head")]);
    const status = await finished(started(home, commandOf("ballast status")));
    expect(status, status.text).toMatchObject({ code: 0, text: expect.stringContaining("my-idea") as string });
    const explained = await finished(started(home, commandOf("ballast explain")));
    expect(explained, explained.text).toMatchObject({ code: 0, text: expect.stringContaining("my-idea") as string });
    run.kill("SIGINT");
    expect(await new Promise((resolve) => run.once("close", resolve))).toBe(0);
  },
  300_000,
);
