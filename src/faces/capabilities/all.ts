/** All capabilities, in the order of document 3. A new capability is a record here; command and tool follow from it. */
import { auditReads } from "./audit.ts";
import { automation } from "./automation.ts";
import type { Capability } from "../contract/capability.ts";
import { config } from "./config.ts";
import { diagnostics } from "./diagnostics.ts";
import { marketReads } from "./market.ts";
import { orderReads } from "./orders.ts";
import { portfolioReads } from "./portfolio.ts";
import { positionReads } from "./positions.ts";
import { verifyLive } from "./verify-live.ts";
import { writeCapabilities } from "./write-capabilities.ts";

/** Help and the `schema` command list them in this order. The list contains the listing capability, hence the function. */
export const CAPABILITIES: readonly Capability[] = [
  ...diagnostics(() => CAPABILITIES),
  ...marketReads,
  ...portfolioReads,
  ...orderReads,
  ...positionReads,
  ...writeCapabilities,
  verifyLive,
  ...automation,
  ...config,
  ...auditReads,
];

/** Finds a capability by exactly the words after `svc`. */
export const byCommand = (words: readonly string[]): Capability | undefined =>
  CAPABILITIES.find(({ command }) => command.join(" ") === words.join(" "));
