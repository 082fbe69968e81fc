/** Resources that a host may read without a tool call: positions, open orders and the audit log, as JSON. */
import type { Client } from "../contract/client.ts";
import { auditRows } from "../contract/audit.ts";
import { runCapability } from "../svc/run-capability.ts";
import { toolCalled } from "./tools.ts";

/** `read` returns the resource's JSON; a resource from a tool is its whole envelope, failures included. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  read(client: Client, signal: AbortSignal): Promise<unknown>;
}

const fromTool =
  (tool: string) =>
  async (client: Client, signal: AbortSignal): Promise<unknown> => {
    const capability = toolCalled(tool);
    return capability ? runCapability(capability, {}, { client, called: tool, signal }) : null;
  };

const AUDIT_ROWS = 100;

/** Positions and orders query the service at each read; the audit log has this machine's newest 100 rows. */
export const RESOURCES: readonly McpResource[] = [
  {
    uri: "svc://positions",
    name: "positions",
    description: "Open positions.",
    read: fromTool("svc/position/query"),
  },
  {
    uri: "svc://orders",
    name: "orders",
    description: "Open orders.",
    read: fromTool("svc/order/open-orders"),
  },
  {
    uri: "svc://audit",
    name: "audit",
    description: "The last calls of this machine, newest first.",
    read: async (client) => ({ rows: auditRows(client, AUDIT_ROWS) }),
  },
];
