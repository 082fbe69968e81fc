/** `npm run dev:lab` as a process of its own: a backtest again at every save, of two coins and three hours of a generated market. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const [, ...PROGRAM] = (scripts["dev:lab"] ?? "").split(" ");
const OPTIONS = ["--strategies", "one-side", "--symbols", "BTC,ETH", "--for", "3h"];

const strategy = (leg: string): string => `import { defineStrategy, z } from "ballast/strategy";

export default defineStrategy({
  name: "one-side",
  description: "Holds Bitcoin on one side.",
  needsModel: false,
  settings: z.strictObject({}),
  decide: ({ symbols }) => {
    const bitcoin = symbols.find(({ base }) => base === "BTC");
    if (!bitcoin) return { kind: "abstain", note: "Bitcoin is not watched" };
    const reason = "always the same side";
    const rest = { size: 1, stopDistance: 0.05, targetDistance: null, urgency: "take" as const, reason, evidence: [] };
    return { kind: "targets", targets: [{ symbol: bitcoin.symbol, leg: ${leg}, ...rest }], note: reason };
  },
});
`;

interface Lab {
  save(text: string): void;
  /** What it says until it waits for the next save. */
  untilItWaits(): Promise<string>;
  /** Its exit code after Ctrl-C, once all that it started have ended too. */
  interrupt(): Promise<number | null>;
}

function startLab(text: string): Lab {
  const dir = mkdtempSync(path.join(tmpdir(), "ballast-dev-lab-"));
  const own = path.join(dir, "lab/own");
  const config = path.join(dir, "lab/lab.yaml");
  const file = path.join(own, "strategies/one-side.ts");
  mkdirSync(path.dirname(file), { recursive: true });
  copyFileSync(path.join(ROOT, "config/backtest.yaml"), config);
  // In one step, so that nobody ever sees half of it.
  const save = (saved: string): void => {
    writeFileSync(path.join(dir, "saved"), saved);
    renameSync(path.join(dir, "saved"), file);
  };
  save(text);
  const child: ChildProcessByStdio<null, null, Readable> = spawn(
    process.execPath,
    [...PROGRAM, "--config", config, ...OPTIONS],
    {
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", BALLAST_OWN_DIR: own },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = once(child, "close") as Promise<[number | null]>;
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill();
    await ended;
    rmSync(dir, { recursive: true, force: true });
  });
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  return {
    save,
    untilItWaits: async () => {
      const said: string[] = [];
      for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
        said.push(next.value);
        if (next.value.includes("waiting for a save")) return said.join("\n");
      }
      throw new Error(`it ended:\n${said.join("\n")}`);
    },
    interrupt: async () => {
      child.kill("SIGINT");
      const [code] = await ended;
      return code;
    },
  };
}

const equityIn = (said: string): string => /^one-side: 3h in .* equity (\d+\.\d\d) USDT/m.exec(said)?.[1] ?? said;

test("a save runs it again on the market in memory, an error is shown, and Ctrl-C ends it", async () => {
  const lab = startLab(strategy('"LONG" as const'));
  const first = await lab.untilItWaits();
  expect(first).toContain("reading or making the market");
  const bought = equityIn(first);
  expect(bought).toMatch(/^\d/);

  lab.save(strategy('"SHORT" as const'));
  const second = await lab.untilItWaits();
  expect(second).toContain("one-side.ts was saved");
  expect(second).not.toContain("reading or making the market");
  expect(second).toContain(`, ${bought} before the save`);
  expect(equityIn(second)).toMatch(/^\d/);
  expect(equityIn(second)).not.toBe(bought);

  lab.save(strategy('"LONG" as const (('));
  const broken = await lab.untilItWaits();
  expect(broken).toMatch(/strategy one-side could not be loaded: line 13: /);
  expect(broken).not.toContain("equity");

  lab.save(strategy('"LONG" as const'));
  expect(equityIn(await lab.untilItWaits())).toBe(bought);
  expect(await lab.interrupt()).toBe(0);
}, 30_000);
