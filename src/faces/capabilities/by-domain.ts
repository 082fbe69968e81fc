/** Loads the capabilities of one domain only: creating all schemas would take most of the time of a short command. */
import type { Capability } from "../contract/capability.ts";

function checksOf(domain: string) {
  return async (): Promise<readonly Capability[]> =>
    (await import("./diagnostics.ts")).checks.filter(({ command }) => command[0] === domain);
}

/** Domains that need no other domain's file. `all.ts` has the others. */
const APART: Readonly<Record<string, () => Promise<readonly Capability[]>>> = {
  audit: async () => (await import("./audit.ts")).auditReads,
  auth: checksOf("auth"),
  automation: async () => (await import("./automation.ts")).automation,
  config: async () => (await import("./config.ts")).config,
  doctor: checksOf("doctor"),
  invocation: checksOf("invocation"),
  market: async () => (await import("./market.ts")).marketReads,
  update: checksOf("update"),
};

export const DOMAINS_APART: readonly string[] = Object.keys(APART);

/** At least the capabilities whose command begins with this word. */
export async function capabilitiesOf(domain: string): Promise<readonly Capability[]> {
  const apart = Object.hasOwn(APART, domain) ? APART[domain] : undefined;
  return apart === undefined ? (await import("./all.ts")).CAPABILITIES : apart();
}
