/** Where the programs look for a run: the same words for every command. */
import type { Command } from "commander";

/** Left out it stays undefined: `dataDirOf` in `main/` then asks the environment. */
export const dataDirOption = (command: Command): Command =>
  command.option("--data-dir <dir>", "folder of the journal (default: BALLAST_DATA_DIR, else ./data)");
