/** The command line of `ballast doctor`. */
import type { Command } from "commander";
import { dataDirOption } from "./shared-options.ts";

export interface DoctorOptions {
  readonly config: string;
  readonly json: boolean;
  readonly dataDir?: string;
}

/** Adds the command; its exit code goes through `run`. */
export function addDoctor(program: Command, run: (options: DoctorOptions) => Promise<void>): void {
  dataDirOption(
    program
      .command("doctor")
      .description(
        "Check a set-up before it trades: keys, clock, symbols, model, prices, disk, port. It places and changes nothing, and asks the model one short question.",
      ),
  )
    .option("--config <file>", "configuration file", "config/agent.yaml")
    .option("--json", "one JSON object", false)
    .addHelpText("after", "\nExit code 1 if a check fails.\n\nExample:\n  $ ballast doctor --config config/agent.yaml")
    .action(run);
}
