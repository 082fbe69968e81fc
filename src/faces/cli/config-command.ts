/** `ballast config`: check, show, schema. */
import type { Command } from "commander";
import type { ReportExit } from "./shared-options.ts";

interface CheckOptions {
  readonly config?: string;
  readonly json: boolean;
}

export interface ShowOptions {
  readonly config?: string;
  /** Show the origin of each setting, and the environment. */
  readonly origin: boolean;
  readonly json: boolean;
}

export interface ConfigPrograms {
  configCheck(file: string, options: { json: boolean }): Promise<number>;
  configShow(file: string, options: ShowOptions): Promise<number>;
  configSchema(): Promise<number>;
}

const FILE = "config/agent.yaml";
const CONFIG = ["--config <file>", "the same file, as `ballast run` names it"] as const;

/** Refuses two files. */
function named(file: string | undefined, { config }: { readonly config?: string }, command: Command): string {
  if (file !== undefined && config !== undefined && file !== config)
    command.error(`error: two files are named, ${file} and ${config}. Name one.`);
  return file ?? config ?? FILE;
}

/** The default file is that of `ballast run`. */
export function addConfig(program: Command, programs: ConfigPrograms, answer: ReportExit): void {
  const config = program
    .command("config")
    .description("Check configuration files, and show the settings in force.")
    .addHelpText("after", "\nExample:\n  $ ballast config check config/phase1.yaml")
    .exitOverride();
  config
    .command("check [file]")
    .description("Read a configuration file and list its errors by line and rule.")
    .option(...CONFIG)
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nExample:\n  $ ballast config check config/phase1.yaml")
    .exitOverride()
    .action((file: string | undefined, options: CheckOptions, command: Command) =>
      answer(programs.configCheck(named(file, options, command), options)),
    );
  config
    .command("show [file]")
    .description("Print every setting that a start would use, defaults included.")
    .option(...CONFIG)
    .option("--origin", "show the origin of each: the file's line, the default, the environment", false)
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nSecrets are masked.\n\nExample:\n  $ ballast config show config/phase1.yaml --origin")
    .exitOverride()
    .action((file: string | undefined, options: ShowOptions, command: Command) =>
      answer(programs.configShow(named(file, options, command), options)),
    );
  config
    .command("schema")
    .description("Print the JSON Schema of the configuration file, for editors.")
    .addHelpText("after", "\nExample:\n  $ ballast config schema > config/ballast.schema.json")
    .exitOverride()
    .action(() => answer(programs.configSchema()));
}
