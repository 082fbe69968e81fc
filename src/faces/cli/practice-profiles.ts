/** The profiles of the practice venue (`sim/profiles.ts`, which this room must not import) as an option. */
import { Option } from "commander";

const PRACTICE_PROFILES = ["documented", "observed", "harsh", "usual"] as const;
/** docs/SIMULATED-SERVICE.md describes each profile. */
export type PracticeProfile = (typeof PRACTICE_PROFILES)[number];

/** `unnamed` describes the default. */
export const profileOption = (unnamed: string): Option =>
  new Option(
    "--profile <name>",
    `fees, delays, policies, leverage, mode, market (docs/SIMULATED-SERVICE.md; default: ${unnamed})`,
  ).choices(PRACTICE_PROFILES);
