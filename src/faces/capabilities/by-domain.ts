/** The capabilities of one domain, without those of the others: making all their schemas is most of what a short command does. */
import type { Capability } from "../contract/capability.ts";

/** Domains that lie in one file. `all.ts` has every other. */
const APART: Readonly<Record<string, () => Promise<readonly Capability[]>>> = {
  audit: async () => (await import("./audit.ts")).auditReads,
  automation: async () => (await import("./automation.ts")).automation,
  config: async () => (await import("./config.ts")).config,
  market: async () => (await import("./market.ts")).marketReads,
};

export const DOMAINS_APART: readonly string[] = Object.keys(APART);

/** Those whose command begins with this word, or more. */
export async function capabilitiesOf(domain: string): Promise<readonly Capability[]> {
  const apart = Object.hasOwn(APART, domain) ? APART[domain] : undefined;
  return apart === undefined ? (await import("./all.ts")).CAPABILITIES : apart();
}
