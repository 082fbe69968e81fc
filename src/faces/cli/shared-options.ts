/** Options that several commands share. The profiles are those of `sim/profiles.ts`, which this room must not import. */
import { Option, type Command } from "commander";

const PRACTICE_PROFILES = ["documented", "observed", "harsh", "usual"] as const;
/** docs/SIMULATED-SERVICE.md describes each profile. */
export type PracticeProfile = (typeof PRACTICE_PROFILES)[number];

/** `unnamed` describes the default. */
export const profileOption = (unnamed: string): Option =>
  new Option(
    "--profile <name>",
    `fees, delays, policies, leverage, mode, market (docs/SIMULATED-SERVICE.md; default: ${unnamed})`,
  ).choices(PRACTICE_PROFILES);

/** Passes the exit code of a command on. */
export type ReportExit = (work: Promise<number>) => Promise<void>;

/** Undefined if absent: `dataDirOf` in `main/` then reads the environment. */
export const dataDirOption = (command: Command): Command =>
  command.option("--data-dir <dir>", "folder of the journal (default: BALLAST_DATA_DIR, else ./data)");
