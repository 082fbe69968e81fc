import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { askStrategy } from "../../src/strategy/guarded.ts";
import { loadStrategy } from "../../src/strategy/registry.ts";
import { BTC, snapshotOf } from "./snapshots.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "outside-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
}

test("one TypeScript file in a folder of one's own is a strategy, with a helper and checked settings", async () => {
  const root = folder();
  cpSync(join(import.meta.dirname, "outside"), root, { recursive: true });
  // Another process, as the program runs: this one has a module loader of the test runner's.
  const script = join(import.meta.dirname, "load-outside.ts");
  const ask = async (settings: object): Promise<unknown> => {
    const args = ["--import", "tsx", script, root, "quiet-hours", JSON.stringify(settings)];
    return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as unknown;
  };
  const [sound, misspelt] = await Promise.all([ask({ size: 0.4 }), ask({ sise: 0.4 })]);
  expect(sound).toMatchObject({ ok: true, value: { targets: [{ symbol: BTC, leg: "LONG", size: 0.4 }] } });
  expect(misspelt).toMatchObject({ ok: false, error: expect.stringContaining("did you mean size?") as string });
});

test("a setting without a default that is not set is named, with what to do", async () => {
  const text = `import { z } from "zod";
    export default { name: "mine", description: "d", needsModel: false, settings: z.strictObject({ size: z.number() }),
      decide: () => ({ kind: "abstain", note: "" }) };`;
  const loaded = await loadStrategy("mine", undefined, folder({ "mine.mjs": text }));
  expect(loaded.ok ? "" : loaded.error).toContain("size is not set and has no default: set it, or ");
});

test("a changed file is loaded again; the program's own names cannot be taken", async () => {
  const text = (name: string, what: string): string =>
    `export default { name: "${name}", description: "${what}", needsModel: false,
      settings: { safeParse: (data) => ({ success: true, data }) }, decide: () => ({ kind: "abstain", note: "" }) };`;
  const root = folder({ "mine.mjs": text("mine", "first"), "hold.mjs": text("hold", "stolen") });
  const first = await loadStrategy("mine", {}, root);
  writeFileSync(join(root, "mine.mjs"), text("mine", "second"));
  const second = await loadStrategy("mine", {}, root);
  expect([first, second].map((each) => each.ok && each.value.strategy.description)).toEqual(["first", "second"]);
  const own = await loadStrategy("hold", {}, root);
  expect(own.ok && own.value.strategy.description).not.toBe("stolen");
});

test("a file whose strategy has another name says which", async () => {
  const text = `import { z } from "zod";
    export default { name: "other", description: "d", needsModel: false, settings: z.strictObject({}),
      decide: () => ({ kind: "abstain", note: "" }) };`;
  const loaded = await loadStrategy("mine", {}, folder({ "mine.mjs": text }));
  expect(loaded.ok ? "" : loaded.error).toContain('name is "other", but its file is called mine; write name: "mine"');
});

test.each([
  ["a room it may not know", 'import x from "../src/venue/call.ts";', "must not import that folder"],
  ["the network", 'import { request } from "node:http";\nexport default request;', "node:http"],
  ["a library of its own", 'import x from "left-pad";', "left-pad"],
  ["a way out of the folder", 'import x from "./../secret.ts";', "is outside the folder"],
  ["itself", 'import x from "./bad.ts";', "in a cycle"],
  ["what is not there", 'import x from "./none.ts";', "could not be loaded"],
  ["nothing, and it is no strategy", "export const x = 1;", "no strategy as default export"],
  ["nothing, and it is no TypeScript", "export default {{{", "could not be loaded"],
])("a file that imports %s is refused with a reason", async (_what, text, reason) => {
  const root = join(folder({ "secret.ts": "export default 1;" }), "inner");
  mkdirSync(root);
  writeFileSync(join(root, "bad.ts"), text);
  const loaded = await loadStrategy("bad", {}, root);
  expect(loaded.ok ? "" : loaded.error).toContain(reason);
});

const plain = (decide: string, more = ""): string => `${more}
  export default { name: "mine", description: "d", needsModel: false,
    settings: { safeParse: (data) => ({ success: true, data }) }, ${decide} };`;

test.each([
  ["decide: async () => ({})", "decide is an async function, but it must answer at once; write it without async"],
  ["decide: () => ({}), *interpret() {}", "interpret is a generator, but it must answer at once"],
])("a strategy whose code would go on outside its time limit is refused: %s", async (members, reason) => {
  const loaded = await loadStrategy("mine", {}, folder({ "mine.mjs": plain(members) }));
  expect(loaded.ok ? "" : loaded.error).toContain(`strategy mine: ${reason}`);
});

test.each([
  ["fetch", 'void fetch("http://127.0.0.1:9/")'],
  ["setTimeout", "setTimeout(() => {}, 1)"],
  ["WebSocket", 'new WebSocket("ws://127.0.0.1:9/")'],
])("a strategy that calls %s gives no decision but a reason, and the program keeps it", async (name, call) => {
  const root = folder({ "mine.mjs": plain(`decide: () => { ${call}; return { kind: "abstain", note: "" }; }`) });
  const loaded = await loadStrategy("mine", {}, root);
  const answer = loaded.ok ? askStrategy(loaded.value, snapshotOf()) : loaded;
  expect(answer.ok ? "" : answer.error).toMatchObject({
    reason: `it threw: ${name} is not available: this code answers at once, without the network and timers`,
  });
  expect(String(globalThis.setTimeout)).not.toContain("not available");
});

test("a function of one's own may have the name of such a global", async () => {
  const own = 'function fetch() { return "mine"; }';
  const text = plain('decide: () => ({ kind: "abstain", note: fetch() })', own);
  const loaded = await loadStrategy("mine", {}, folder({ "mine.mjs": text }));
  expect(loaded.ok && askStrategy(loaded.value, snapshotOf())).toMatchObject({ value: { note: "mine" } });
});

test("a link that leads out of the folder, a folder and a giant are refused", async () => {
  const secret = folder({ "real.ts": "export default {};" });
  const root = folder({ "giant.ts": `// ${"x".repeat(300_000)}` });
  symlinkSync(join(secret, "real.ts"), join(root, "linked.ts"));
  mkdirSync(join(root, "nested.ts"));
  for (const [name, reason] of [
    ["linked", "is outside the folder"],
    ["giant", "larger than"],
    ["nested", "not a regular file"],
  ] as const) {
    const loaded = await loadStrategy(name, {}, root);
    expect(loaded.ok ? "" : loaded.error).toContain(reason);
  }
});

test("without a compiler on an old Node, TypeScript is refused with what to do; JavaScript is not", async () => {
  // Those that are loaded already know of the compiler.
  vi.resetModules();
  vi.doMock("node:module", () => ({ stripTypeScriptTypes: undefined }));
  vi.doMock("../../src/strategy/compiler.ts", () => ({ installedCompiler: () => null }));
  onTestFinished(() => {
    vi.doUnmock("node:module");
    vi.doUnmock("../../src/strategy/compiler.ts");
  });
  const root = folder({
    "mine.ts": "export default {};",
    "plain.mjs": `export default { name: "plain", description: "Plain.", needsModel: false,
      settings: { safeParse: (data) => ({ success: true, data }) }, decide: () => ({ kind: "abstain", note: "" }) };`,
  });
  const { loadStrategy: load } = await import("../../src/strategy/registry.ts");
  const refused = await load("mine", {}, root);
  expect(refused.ok ? "" : refused.error).toMatch(/mine could not be loaded: .*Node 22\.13 or newer.*npm ci.*\.mjs/);
  expect(await load("plain", {}, root)).toMatchObject({ ok: true });
});
