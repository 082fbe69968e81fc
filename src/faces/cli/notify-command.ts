/** The command line of `ballast notify`. */
import type { Command } from "commander";

export interface NotifyOptions {
  readonly config: string;
  readonly test: boolean;
  readonly json: boolean;
}

/** Adds the command; its exit code goes through `run`. */
export function addNotify(program: Command, run: (options: NotifyOptions) => Promise<void>): void {
  program
    .command("notify")
    .description("Send a test message through each target of the section notifications.")
    .option("--test", "send it", false)
    .option("--config <file>", "configuration file", "config/agent.yaml")
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nExample:\n  $ ballast notify --test --config config/agent.yaml")
    .exitOverride()
    .action(run);
}
