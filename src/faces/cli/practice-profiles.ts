/** The profiles of the practice venue (`sim/profiles.ts`, which this room does not know), as the command line offers them. */
import { Option } from "commander";

const PRACTICE_PROFILES = ["documented", "observed", "harsh", "usual"] as const;
/** What each one sets is reported in docs/SIMULATED-SERVICE.md. */
export type PracticeProfile = (typeof PRACTICE_PROFILES)[number];

/** `unnamed` says which one it is when none is named. */
export const profileOption = (unnamed: string): Option =>
  new Option(
    "--profile <name>",
    `fees, delays, policies, leverage, mode, market (docs/SIMULATED-SERVICE.md; default: ${unnamed})`,
  ).choices(PRACTICE_PROFILES);
