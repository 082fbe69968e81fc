/** The data folder option, identical for every command. */
import type { Command } from "commander";

/** Absent it stays undefined: `dataDirOf` in `main/` then reads the environment. */
export const dataDirOption = (command: Command): Command =>
  command.option("--data-dir <dir>", "folder of the journal (default: BALLAST_DATA_DIR, else ./data)");
