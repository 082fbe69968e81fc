/** `strategy new` and `strategy check` as an author meets them, in one folder, in processes of their own. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { costWarnings, promptWarnings } from "../../src/author/prompt-warnings.ts";
import { writeStrategy } from "../../src/author/scaffold.ts";
import { trialWarnings } from "../../src/author/trial-warnings.ts";
import { tryOut } from "../../src/author/trial.ts";
import { loadConfig } from "../../src/control/watch-config.ts";
import { loadPrompts } from "../../src/llm/prompts/prompts.ts";
import { loadStrategy } from "../../src/strategy/registry.ts";
import { defineStrategy, type Strategy, type TargetPosition } from "../../src/strategy/strategy.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const home = mkdtempSync(path.join(tmpdir(), "ballast-author-"));
const own = path.join(home, "own");
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** In the author's folder. */
const run = (args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: home, env: { ...process.env, BALLAST_OWN_DIR: "" } }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
const tsx = path.join(ROOT, "node_modules/tsx/dist/esm/index.mjs");
const ballast = (...args: readonly string[]): Promise<Ran> =>
  run([path.join(ROOT, "dist/src/main/ballast.cjs"), "strategy", ...args]);

const edit = (file: string, from: string | RegExp, to: string): void => {
  const before = readFileSync(file, "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
};

interface Checked {
  readonly ok: boolean;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly types: boolean | null;
  readonly trial: {
    readonly snapshots: number;
    readonly repliesRead: number;
    readonly reviewed: number;
    readonly approved: number;
  } | null;
  readonly prompt: {
    readonly promptTokens: number;
    readonly costs: readonly { readonly questionUsd: string }[];
  } | null;
}
const check = async (name: string, snapshots: number): Promise<Checked & { readonly code: number }> => {
  const { code, out } = await ballast("check", name, "--json", "--snapshots", String(snapshots));
  return { code, ...(JSON.parse(out) as Checked) };
};

beforeAll(async () => {
  const made = [await ballast("new", "my-rule"), await ballast("new", "my-model", "--llm")];
  expect(made.map(({ code, err }) => [code, err])).toEqual([
    [0, ""],
    [0, ""],
  ]);
}, 60_000);

test("what is new says what comes next; nothing is overwritten, and no name of the program's own is taken", async () => {
  for (const file of ["strategies/my-model.ts", "prompts/my-model.md", "tests/my-model.test.ts", "my-model.yaml"])
    expect(existsSync(path.join(own, file)), file).toBe(true);
  const before = readFileSync(path.join(own, "strategies/my-rule.ts"), "utf8");
  const [again, taken] = await Promise.all([ballast("new", "my-rule"), ballast("new", "hold")]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("exists already") as string });
  expect(taken).toMatchObject({ code: 2, err: expect.stringContaining("is the name of a shipped strategy") as string });
  expect(readFileSync(path.join(own, "strategies/my-rule.ts"), "utf8")).toBe(before);
}, 60_000);

test("the written configuration names a schema that is there, and says nothing of the shipped file", () => {
  for (const name of ["my-rule", "my-model"]) {
    const text = readFileSync(path.join(own, `${name}.yaml`), "utf8");
    const [, schema = "none"] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(JSON.parse(readFileSync(path.resolve(own, schema), "utf8"))).toHaveProperty("title");
    expect(text).toContain(`# Practises with ${name}: `);
    expect(text).not.toContain("npm start");
    expect(text.match(/\$schema=/g)).toHaveLength(1);
  }
});

test("the schema of a set-up beside the folder is named before the program's", () => {
  const setup = path.join(home, "setup");
  mkdirSync(path.join(setup, "config"), { recursive: true });
  writeFileSync(path.join(setup, "config", "ballast.schema.json"), "{}");
  const written = writeStrategy("beside", { ownDir: path.join(setup, "own"), asksModel: false });
  expect(written).toMatchObject({ ok: true });
  expect(readFileSync(path.join(setup, "own", "beside.yaml"), "utf8")).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/config\/ballast\.schema\.json\n/,
  );
});

test("a rule is good as it is written: its types and its trial", async () => {
  const rule = await check("my-rule", 8);
  expect(rule).toMatchObject({ code: 0, ok: true, problems: [], types: true, trial: { snapshots: 8 }, prompt: null });
}, 120_000);

const bitcoin: TargetPosition = {
  ...{ symbol: "EXCHANGE_A_PERP_BTC_USDT", leg: "LONG", size: 1, stopDistance: 0.02, targetDistance: null },
  ...{ urgency: "take", reason: "always", evidence: [] },
};
const buys: Strategy["decide"] = () => ({ kind: "targets", targets: [bitcoin], note: "" });

/** A long position at every snapshot, or what `decide` says, tried in this process as the check tries it. */
const tried = async (yaml: string, decide = buys) => {
  const file = path.join(own, "tried.yaml");
  writeFileSync(file, yaml);
  const config = loadConfig(file);
  const hold = await loadStrategy("hold", undefined);
  if (!config.ok || !hold.ok) throw new Error("the file and the fallback must load");
  const buyer = defineStrategy({
    ...{ name: "buyer", description: "Wants to hold BTC.", settings: z.strictObject({}), needsModel: false },
    decide,
  });
  const candidate = { strategy: buyer, settings: {} };
  const trial = await tryOut(candidate, { config: config.value, fallback: hold.value, snapshots: 4 });
  if (!trial.ok) throw new Error(trial.error);
  return trial.value;
};

test("a file without a consent has its orders tried as well", async () => {
  const { approved } = await tried("universe: [BTC, ETH, SOL, XRP]\n");
  expect(approved).toBeGreaterThan(0);
});

test("its first snapshot has the past that a live start has, as many bars as a snapshot holds", async () => {
  const seen: Record<string, number>[] = [];
  await tried("universe: [BTC, ETH, SOL, XRP]\n", ({ symbols }) => {
    for (const { candles } of symbols)
      seen.push(Object.fromEntries(Object.entries(candles).map(([interval, bars]) => [interval, bars.length])));
    return { kind: "abstain", note: "" };
  });
  const full = { "1m": 120, "5m": 120, "15m": 120, "1H": 120, "4H": 120 };
  expect(seen.slice(0, 4)).toEqual(Array(4).fill({ ...full, "1D": expect.any(Number) as number }));
  expect(seen[0]?.["1D"]).toBeGreaterThan(20);
});

test("where the limits refuse everything, the check names the limit", async () => {
  const trial = await tried('universe: [BTC, ETH]\nsession: { maxNotionalPerOrder: "1" }\n');
  expect(trial).toMatchObject({ approved: 0 });
  expect(trialWarnings(trial, [])).toEqual([expect.stringMatching(/^the limits refused all .*, most often [a-z-]+: /)]);
});

test("mistakes are named with file and line: a type, a throw, a symbol, a variable of the prompt", async () => {
  cpSync(path.join(own, "strategies/my-rule.ts"), path.join(own, "strategies/wrong.ts"));
  const wrong = path.join(own, "strategies/wrong.ts");
  edit(wrong, 'name: "my-rule"', 'name: "wrong"');
  const mistakes = [
    "const count: string = 5;",
    'if (snapshot.atMs % 10_000 < 5_000) throw new TypeError("oops");',
    'if (count) return { kind: "targets", targets: [{ ...targetFor("DOGE", "LONG", 1), reason: "x" }], note: "" };',
  ];
  edit(wrong, "const taken = takenSymbols", `${mistakes.join("\n    ")}\n    const taken = takenSymbols`);
  edit(path.join(own, "prompts/my-model.md"), "{{ equityUsdt", "{{ equityUsd");
  const lineOf = (file: string, text: string): number =>
    readFileSync(path.join(own, file), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1;
  const [typed, prompted] = await Promise.all([check("wrong", 8), check("my-model", 3)]);
  expect(typed).toMatchObject({ code: 3, ok: false, types: false, trial: { snapshots: 8 } });
  expect(typed.problems.join("\n")).toContain(
    `wrong.ts:${lineOf("strategies/wrong.ts", "const count")}: Type 'number'`,
  );
  const thrown = lineOf("strategies/wrong.ts", "oops");
  expect(typed.problems.join("\n")).toMatch(
    new RegExp(`wrong.ts:${thrown}:\\d+: it threw: oops \\(\\d of 8 snapshots\\)`),
  );
  expect(typed.problems.join("\n")).toMatch(/decide: unknown symbol DOGE/);
  const line = lineOf("prompts/my-model.md", "{{ equityUsd ");
  expect(prompted.problems).toEqual([
    expect.stringMatching(new RegExp(`undefined variable: equityUsd, line:${line},`)),
  ]);
  edit(path.join(own, "prompts/my-model.md"), "{{ equityUsd ", "{{ equityUsdt ");
}, 120_000);

test("the text counts the snapshots in which it failed, and says why types were not checked", async () => {
  cpSync(path.join(own, "strategies/my-rule.ts"), path.join(own, "strategies/throws.ts"));
  edit(path.join(own, "strategies/throws.ts"), 'name: "my-rule"', 'name: "throws"');
  edit(path.join(own, "strategies/throws.ts"), "const exits =", 'throw new Error("oops");\n    const exits =');
  const names = ["throws", "hold", "nobody"];
  const [throws, shipped, unknown] = await Promise.all(names.map((name) => ballast("check", name, "--snapshots", "3")));
  expect(throws?.out).toContain("0 decided at once, 0 asked the model, 0 abstained, 3 failed\n");
  expect(throws?.out).not.toContain("set no target in any snapshot");
  expect(shipped?.out).toContain("types      not checked: a shipped strategy has no file of your own\n");
  expect(shipped?.out).toContain("3 decided at once, 0 asked the model, 0 abstained\n");
  expect(unknown?.out).toContain("types      not checked: there is no strategy of this name\n");
}, 120_000);

test("a prompt without the fence around news or without the echo word is warned of; a whole one is not", () => {
  const file = path.join(own, "prompts/my-model.md");
  const whole = readFileSync(file, "utf8");
  expect(promptWarnings(file)).toEqual([]);
  const bare = path.join(home, "bare.md");
  writeFileSync(bare, whole.replace("<<<{{ gateway.fence }}\n", "").replace("Echo: {{ gateway.echo }}\n", ""));
  expect(promptWarnings(bare)).toEqual([
    expect.stringMatching(/bare\.md:\d+: news stands outside a fence, .*<<<\{\{ gateway\.fence \}\}/),
    expect.stringContaining("the line Echo: {{ gateway.echo }} is missing"),
  ]);
});

test("a model that costs more a day than the limit is warned of", () => {
  const costs = [{ model: "m", questionUsd: "0.01", dayUsd: "21.46" }];
  expect(costWarnings({ costs, dayLimitUsd: "10" })).toEqual([
    expect.stringMatching(/^m may cost 21\.46 USD a day at this cadence, above model\.dayLimitUsd \(10\)/),
  ]);
  expect(costWarnings({ costs, dayLimitUsd: "30" })).toEqual([]);
});

test("a prompt of one's own that is wrong stops only itself, and takes no name of the program's", () => {
  const prompts = path.join(home, "prompts");
  mkdirSync(prompts);
  const good = readFileSync(path.join(own, "prompts/my-model.md"), "utf8");
  writeFileSync(path.join(prompts, "good.md"), good.replace("name: my-model", "name: good"));
  writeFileSync(path.join(prompts, "draft.md"), "no head yet");
  writeFileSync(path.join(prompts, "llm-trader.md"), good.replace("name: my-model", "name: llm-trader"));
  const loaded = loadPrompts(path.join(ROOT, "prompts"), prompts);
  if (!loaded.ok) throw new Error(loaded.error);
  expect(loaded.value.heads.map(({ name }) => name)).toEqual(expect.arrayContaining(["llm-trader", "good"]));
  expect(loaded.value.faults).toEqual([
    expect.stringContaining("one of the program's own"),
    expect.stringMatching(/draft\.md: line 1: it does not begin with a head/),
  ]);
  expect(loaded.value.render("draft", {}, { fence: "f", echo: "e" })).toMatchObject({
    error: expect.stringContaining("draft.md") as string,
  });
});

test("with the package installed, types and tests of an author's folder find it by its name alone", async () => {
  // As `npm install` of the packed package leaves it: by its name, with its types and without its sources.
  const { files } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { files: readonly string[] };
  // What begins with a ! is left out of the package.
  for (const part of [...files.filter((file) => !file.startsWith("!")), "package.json", "node_modules"]) {
    const place = path.join(home, "node_modules/ballast", part);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(ROOT, part), place);
  }
  rmSync(path.join(own, "strategies/wrong.ts"), { force: true });
  const tsc = path.join(ROOT, "node_modules/typescript-7/bin/tsc");
  const types = ["-p", "own", "--types", "node", "--typeRoots", path.join(ROOT, "node_modules/@types")];
  const [typed, ...tests] = await Promise.all([
    run([tsc, ...types]),
    ...["my-rule", "my-model"].map((name) =>
      run(["--import", tsx, "--test", path.join(own, "tests", `${name}.test.ts`)]),
    ),
  ]);
  expect(typed).toMatchObject({ code: 0, out: "" });
  expect(tests.map(({ code, out }) => [code, /^# pass 2$/m.test(out) || /pass 2/.test(out)])).toEqual([
    [0, true],
    [0, true],
  ]);
}, 120_000);
