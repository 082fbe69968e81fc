import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { asWritten } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/read.ts";
import { loadSources } from "../../src/control/sources.ts";
import { listSources, loadReader } from "../../src/strategy/source-files.ts";

const configOf = (sources: object) => readConfig(JSON.stringify({ sources }));

function sourcesOf(named: object) {
  const read = configOf(named);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

test("none by default, and what is set comes back as it was written", () => {
  expect(sourcesOf({}).sources).toEqual({});
  const config = sourcesOf({ flows: { file: "flows.csv", every: "30s" } });
  expect(config.sources["flows"]).toEqual({ file: "flows.csv", every: 30_000, staleAfter: 900_000, settings: {} });
  expect(asWritten(config).sources?.["flows"]).toMatchObject({ every: "30s", staleAfter: "15m" });
});

test.each([
  [{ flows: {} }, "exactly one of url, file, recording"],
  [{ flows: { file: "a", url: "https://example.org" } }, "exactly one of url, file, recording"],
  [{ flows: { url: "ftp://example.org" } }, "an http or https address"],
  [{ flows: { file: "a", keyHeader: "x-key" } }, "is only for url"],
  [{ flows: { file: "a", every: "10ms" } }, "at least 1s"],
  [{ flows: { file: "a", staleAfer: "1m" } }, "unknown setting"],
  [{ Flows: { file: "a" } }, "lower-case letters, digits and dashes"],
  [Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`s${n}`, { file: "a" }])), "at most 8 sources"],
])("refused: %j", (sources, reason) => {
  const read = configOf(sources);
  expect(read.ok ? "" : read.error.map((problem) => `${problem.path} ${problem.message}`).join("; ")).toContain(reason);
});

test.each([
  [
    { flows: { file: "a" } },
    {},
    /^sources\.flows: source flows has no file in .*sources; write flows\.ts there \(there are none\)$/,
  ],
  [
    { flows: { recording: "/nowhere/at/all" } },
    {},
    /^sources\.flows: recording \/nowhere\/at\/all cannot be read \(ENOENT\); create it, or correct recording$/,
  ],
  [
    { "net-flows": { url: "https://example.org", keyHeader: "x-key" } },
    {},
    /^sources\.net-flows: keyHeader needs a key in BALLAST_SOURCE_KEY_NET_FLOWS, or in BALLAST_SOURCE_KEY_NET_FLOWS_FILE$/,
  ],
])("cannot be started: %j", async (sources, env, reason) => {
  const loaded = await loadSources(sourcesOf(sources), env);
  expect(loaded.ok ? "" : loaded.error).toMatch(reason);
});

test("a file of one's own is loaded with its settings checked; what is none is refused with a reason", async () => {
  const root = mkdtempSync(path.join(tmpdir(), "ballast-readers-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const text = (name: string): string => `import { z } from "zod";
    export default { name: "${name}", description: "Flows.", settings: z.strictObject({ column: z.number().default(1) }), read: () => [] };`;
  writeFileSync(path.join(root, "flows.mjs"), text("flows"));
  writeFileSync(path.join(root, "other.mjs"), text("flows"));
  writeFileSync(path.join(root, "node.mjs"), 'import fs from "node:fs";\nexport default fs;');
  expect(listSources(root)).toEqual(["flows", "node", "other"]);
  expect(await loadReader("flows", undefined, root)).toMatchObject({ ok: true, value: { settings: { column: 1 } } });
  const error = async (name: string, settings: unknown = {}): Promise<string> => {
    const loaded = await loadReader(name, settings, root);
    return loaded.ok ? "" : loaded.error;
  };
  expect(await error("flows", { colum: 2 })).toMatch(
    /^settings of source flows: colum is not a setting; did you mean column\?$/,
  );
  expect(await error("other")).toContain("no source of that name");
  expect(await error("node")).toContain("node:fs");
  expect(await error("flow")).toContain("did you mean flows?");
});
