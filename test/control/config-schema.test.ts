/** The schema that editors read, judged by a validator as editors have one. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Ajv from "ajv";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config/read.ts";
import { CONFIG_SCHEMA_FILE, configSchema, configSchemaText } from "../../src/control/config-schema.ts";
import { SCORING_SCHEMA_FILE, scoringFileSchema } from "../../src/control/scoring-file.ts";
import { ALL_FAULTS } from "../../src/sim/faults/all.ts";
import { listStrategies } from "../../src/strategy/registry.ts";
import { programArgs } from "../support/bundled-program.ts";
import { SCENARIO_SCHEMA_FILE, scenarioFileSchema } from "../../src/sim/faults/scenario.ts";

const FILE = `config/${CONFIG_SCHEMA_FILE}`;
/** Which schema the files of a folder name. */
const SCHEMA_OF: Readonly<Record<string, string>> = {
  config: FILE,
  "config/scenarios": `config/${SCENARIO_SCHEMA_FILE}`,
  "config/scoring": `config/${SCORING_SCHEMA_FILE}`,
  "deploy/config": FILE,
};
/** Every file of settings that the package ships. */
const SHIPPED = ["config", "deploy/config"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => path.join(folder, name)),
);
const schemaIn = (file: string): object => JSON.parse(readFileSync(file, "utf8")) as object;
const schema = schemaIn(FILE);

const MADE = {
  [`config/${SCENARIO_SCHEMA_FILE}`]: scenarioFileSchema(ALL_FAULTS),
  [`config/${SCORING_SCHEMA_FILE}`]: scoringFileSchema(),
};

/** What an editor would underline, as `path rule`. */
function underlined(text: string, by: object = schema): readonly string[] {
  const ajv = new Ajv({ allErrors: true, format: "full" });
  ajv.validate(by, parse(text));
  return (ajv.errors ?? []).map(({ dataPath, message, params }) => {
    const { additionalProperty } = params as { additionalProperty?: string };
    return `${dataPath} ${message ?? ""}${additionalProperty === undefined ? "" : ` ${additionalProperty}`}`;
  });
}

test("the schemas in the tree are those that the code makes (npm run docs)", async () => {
  const made = { [FILE]: await configSchema(), ...MADE };
  for (const [file, from] of Object.entries(made))
    expect(readFileSync(file, "utf8"), file).toBe(configSchemaText(from));
});

test("the files that name a schema are all that are shipped", () => {
  expect([...new Set(SHIPPED.map((name) => path.dirname(name)))].sort()).toEqual(Object.keys(SCHEMA_OF));
  expect(SHIPPED.length).toBeGreaterThan(15);
});

test.each(SHIPPED)("%s names its schema in the first line, and is good by it", (name) => {
  const text = readFileSync(name, "utf8");
  const [, named = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
  const file = path.join(path.dirname(name), named);
  expect(file).toBe(SCHEMA_OF[path.dirname(name)]);
  expect(underlined(text, schemaIn(file))).toEqual([]);
});

describe("a scenario", () => {
  const steps = (text: string): readonly string[] =>
    underlined(`name: x\ndescription: one fault of a test\nfaults: [${text}]`, MADE[`config/${SCENARIO_SCHEMA_FILE}`]);

  test("names a fault that there is, with parameters that it has", () => {
    expect(steps("{ at: 30s, fault: price-gap, params: { symbol: BTC, move: -0.1 } }")).toEqual([]);
    expect(steps("{ at: 30s, fault: price-gaps }").join()).toContain(".faults[0].fault should");
    expect(steps("{ at: 30s, fault: price-gap, params: { mov: -0.1 } }")).toContain(
      ".faults[0].params should NOT have additional properties mov",
    );
    expect(steps("{ at: soon, fault: price-gap }").join()).toContain(".faults[0].at should match pattern");
  });

  test("may name every fault of the service, each with what it does", () => {
    for (const { name, description } of ALL_FAULTS) {
      expect(steps(`{ at: 1s, fault: ${name} }`), name).toEqual([]);
      expect(description, name).not.toBe("");
    }
  });
});

test.each([
  [
    "a weight above one",
    (good: string) => good.replace("sharpe: 0.40", "sharpe: 1.40"),
    ".weights.sharpe should be <= 1",
  ],
  ["a missing section", (good: string) => good.replace(/^uptime.*$/m, ""), " should have required property 'uptime'"],
  ["an unknown setting", (good: string) => `${good}\nprizes: 3\n`, " should NOT have additional properties prizes"],
])("%s is underlined in a scoring file", (_what, spoil, found) => {
  const good = readFileSync("config/scoring/track-a.yaml", "utf8");
  expect(underlined(spoil(good), MADE[`config/${SCORING_SCHEMA_FILE}`])).toContain(found);
});

test("the schema is among what the package ships", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  expect(files).toContain("config");
});

describe("the settings of a strategy", () => {
  const setting = (settings: string): string => `strategy:\n  settings:\n    momentum: ${settings}\n`;

  test("are known of every shipped strategy, with a meaning for each", () => {
    const { definitions } = schema as {
      definitions: Record<string, { properties: Record<string, { description?: string }> }>;
    };
    expect(Object.keys(definitions)).toEqual(listStrategies().map((name) => `${name}-settings`));
    const silent = Object.entries(definitions).flatMap(([name, { properties }]) =>
      Object.entries(properties).flatMap(([field, { description }]) => (description ? [] : [`${name} ${field}`])),
    );
    expect(silent).toEqual([]);
  });

  test("are judged by the strategy that they are for", () => {
    expect(underlined(setting("{ horizon: fast, entryScore: 0.7 }"))).toEqual([]);
    expect(underlined(setting("{ horizn: fast }"))).toEqual([
      ".strategy.settings.momentum should NOT have additional properties horizn",
    ]);
    expect(underlined(setting("{ horizon: sideways }")).join()).toContain(
      ".strategy.settings.momentum.horizon should be equal to one of the allowed values",
    );
    expect(underlined("strategy: { settings: { my-own: { anything: 1 } } }")).toEqual([]);
  });

  test("are judged by `use` for a shadow, and by its name for a member of an ensemble", () => {
    const shadow = (use: string): string =>
      `strategy: { shadows: [hold, { use: ${use}, as: quick, settings: { horizon: fast } }] }`;
    expect(underlined(shadow("momentum"))).toEqual([]);
    expect(underlined(shadow("my-own"))).toEqual([]);
    expect(underlined(shadow("hold")).join()).toContain("settings should NOT have additional properties horizon");
    const member = (settings: string): string =>
      `strategy: { settings: { ensemble: { members: { momentum: { settings: ${settings} }, hold: {} } } } }`;
    expect(underlined(member("{ horizon: fast }"))).toEqual([]);
    expect(underlined(member("{ horizn: fast }"))).toEqual([
      ".strategy.settings.ensemble.members.momentum.settings should NOT have additional properties horizn",
    ]);
  });

  test("of the owner's own strategies join in at `ballast config schema`", { timeout: 120_000 }, () => {
    const own = mkdtempSync(path.join(tmpdir(), "ballast-schema-"));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    mkdirSync(path.join(own, "strategies"));
    writeFileSync(
      path.join(own, "strategies/patient.mjs"),
      `import { z } from "zod";
const settings = z.strictObject({ patience: z.number().max(9).default(1).describe("Hours to wait.") });
const decide = () => ({ kind: "targets", targets: [], note: "waits" });
export default { name: "patient", description: "Waits.", settings, needsModel: false, decide };\n`,
    );
    writeFileSync(path.join(own, "strategies/broken.mjs"), "export default {\n");
    const printed = spawnSync(process.execPath, [...programArgs("ballast"), "config", "schema"], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", BALLAST_OWN_DIR: own },
    });
    const both = JSON.parse(printed.stdout) as { definitions: object };
    expect(underlined("strategy: { use: patient, settings: { patient: { patience: 3 } } }", both)).toEqual([]);
    expect(underlined("strategy: { settings: { patient: { patience: 30 } } }", both)).toEqual([
      ".strategy.settings.patient.patience should be <= 9",
    ]);
    expect(Object.keys(both.definitions)).not.toContain("broken-settings");
  });
});

test.each([
  ["an unknown section", "phases: 1"],
  ["an unknown setting", "risk: { maxPosition: 3 }"],
  ["a number for money", "session: { maxNotionalPerOrder: 400 }"],
  ["a span without its unit", "cadence: { every: '30' }"],
  ["a phase that is none", "phase: 3"],
  ["a venue that is none", "venue: { kind: auto }"],
  ["a day that is no instant", "competition: { start: tomorrow }"],
  ["a schedule without a handover", "strategy: { schedule: [{ cron: '0 4 * * *', use: hold }] }"],
])("%s is underlined as it would be refused", (_what, text) => {
  expect(readConfig(text).ok).toBe(false);
  expect(underlined(text)).not.toEqual([]);
});
