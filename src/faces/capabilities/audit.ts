/** Reads the audit log. A command only; the tool server offers the log as a resource. */
import { z } from "zod";
import { err, ok } from "../../core/result.ts";
import { auditRows, readAuditRow, storedAuditRow as row } from "../contract/audit.ts";
import { failure } from "../contract/statuses.ts";
import { capability } from "../contract/capability.ts";
import * as fields from "./fields.ts";

const shared = { operationType: "DIAGNOSTIC", riskLevel: "read", tool: null } as const;

/** `audit list` by capability searches only the newest 1,000 rows. The rows are written by `contract/audit.ts`. */
export const auditReads = [
  capability({
    ...shared,
    id: "audit.list",
    command: ["audit", "list"],
    summary: "The last calls of this machine, newest first.",
    inputName: "AuditListInput",
    input: z.strictObject({
      limit: fields.whole(1, 1_000, "Most rows to return; default 50.").optional(),
      capabilityId: fields.text("Only calls of this capability.").optional(),
    }),
    outputName: "AuditList",
    output: z.looseObject({ rows: z.array(row) }),
    run: async ({ client }, { limit = 50, capabilityId }) => {
      const rows = auditRows(client, capabilityId === undefined ? limit : 1_000);
      const wanted = rows.filter((found) => capabilityId === undefined || found.capabilityId === capabilityId);
      return ok({ rows: wanted.slice(0, limit) });
    },
  }),
  capability({
    ...shared,
    id: "audit.show",
    command: ["audit", "show"],
    summary: "One call in full: who, parameters, outcome, evidence.",
    inputName: "AuditShowInput",
    input: z.strictObject({ auditId: fields.text("From an envelope or from audit list.") }),
    outputName: "AuditRow",
    output: row,
    example: { auditId: "…" },
    run: async ({ client }, { auditId }) => {
      const found = client.documents.get("audit", auditId);
      return found ? ok(readAuditRow(found)) : err(failure("NOT_FOUND", "22004", `there is no audit row ${auditId}`));
    },
  }),
];
