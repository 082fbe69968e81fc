/** The files of a new strategy in the owner's folder: all are written or none, and no existing file is overwritten. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isMap, isScalar, parseDocument } from "yaml";
import { CONFIG_SCHEMA_FILE } from "../control/config-schema.ts";
import { err, ok, type Result } from "../core/result.ts";
import { PACKAGE_ROOT } from "../ops/paths.ts";
import { modelPrompt, modelStrategy, modelTest } from "./model-template.ts";
import { ruleStrategy, ruleTest } from "./rule-template.ts";

/** The paths of one strategy's files. */
export interface StrategyFiles {
  readonly strategy: string;
  /** Only for a strategy that asks a model. */
  readonly prompt: string;
  readonly test: string;
  /** A configuration that runs it on practice. */
  readonly config: string;
}

export const filesOf = (name: string, ownDir: string): StrategyFiles => ({
  strategy: path.join(ownDir, "strategies", `${name}.ts`),
  prompt: path.join(ownDir, "prompts", `${name}.md`),
  test: path.join(ownDir, "tests", `${name}.test.ts`),
  config: path.join(ownDir, `${name}.yaml`),
});

/** As strict as the program is with strategies: types that can be stripped. */
const TSCONFIG = {
  compilerOptions: {
    ...{ target: "ES2023", module: "NodeNext", strict: true, noEmit: true, skipLibCheck: true },
    ...{ allowImportingTsExtensions: true, verbatimModuleSyntax: true, erasableSyntaxOnly: true },
  },
  include: ["strategies", "sources", "tests"],
};

/** The schema that editors check the configuration by: the copy of a set-up beside the folder, else the program's own. */
function schemaFor(ownDir: string): string {
  const copy = path.join(path.dirname(ownDir), "config", CONFIG_SCHEMA_FILE);
  const file = existsSync(copy) ? copy : path.join(PACKAGE_ROOT, "config", CONFIG_SCHEMA_FILE);
  return path.relative(ownDir, file).replaceAll("\\", "/");
}

/** The shipped practice configuration with this strategy; its comments stay. */
function configWith(name: string, ownDir: string): string {
  const document = parseDocument(readFileSync(path.join(PACKAGE_ROOT, "config", "agent.yaml"), "utf8"));
  // What the shipped file says about itself stands before its first setting and is not true of this one.
  const [first] = isMap(document.contents) ? document.contents.items : [];
  if (isScalar(first?.key)) first.key.commentBefore = null;
  document.commentBefore = [
    ` yaml-language-server: $schema=${schemaFor(ownDir)}`,
    ` Practises with ${name}: the embedded venue, no account, no network. Every setting: docs/CONFIGURATION.md.`,
  ].join("\n");
  document.setIn(["venue", "kind"], "embedded");
  document.setIn(["strategy", "use"], name);
  document.setIn(["strategy", "settings", name], document.createNode({}));
  return document.toString({ lineWidth: 120, flowCollectionPadding: false });
}

/** Files for editors, the compiler and tests; the program does not need them to load strategies. */
function surroundings(ownDir: string): readonly (readonly [string, string])[] {
  const text = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;
  const tsconfig = [path.join(ownDir, "tsconfig.json"), text(TSCONFIG)] as const;
  // Inside a checkout the package resolves by its own name, unless another package lies between.
  const isWithin = !path.relative(PACKAGE_ROOT, ownDir).startsWith("..");
  return isWithin
    ? [tsconfig]
    : [tsconfig, [path.join(ownDir, "package.json"), text({ private: true, type: "module" })]];
}

/** Paths of the written files, in reading order. The error names the file that already exists. */
export function writeStrategy(
  name: string,
  { ownDir, asksModel }: { readonly ownDir: string; readonly asksModel: boolean },
): Result<readonly string[], string> {
  const at = filesOf(name, ownDir);
  const files: readonly (readonly [string, string])[] = asksModel
    ? [
        [at.strategy, modelStrategy(name)],
        [at.prompt, modelPrompt(name)],
        [at.test, modelTest(name)],
        [at.config, configWith(name, ownDir)],
      ]
    : [
        [at.strategy, ruleStrategy(name)],
        [at.test, ruleTest(name)],
        [at.config, configWith(name, ownDir)],
      ];
  const [there] = files.map(([file]) => file).filter((file) => existsSync(file));
  if (there !== undefined)
    return err(`${there} exists already and is not overwritten; choose another name, or move it`);
  const all = [...files, ...surroundings(ownDir).filter(([file]) => !existsSync(file))];
  try {
    for (const [file, text] of all) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: "wx" });
    }
  } catch (cause) {
    return err(`${ownDir} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return ok(all.map(([file]) => file));
}
