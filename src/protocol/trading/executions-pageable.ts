import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { listSpellings } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { executionRecord } from "../records/execution-record.ts";
import { listFilters, orderId, pageFields } from "../request-fields.ts";

/** Fills by page, newest first. */
export const executionsPageable = endpoint({
  method: "GET",
  path: "/api/v1/trading/executions/pageable",
  section: "1 §4.2; records §1.4, §5.8",
  limit: { requests: 1, perMs: 10_000 },
  permission: "read",
  paging: { defaultSize: 100, maxSize: 1000 },
  normalize: listSpellings,
  request: z.strictObject({ orderId: orderId.optional(), ...listFilters, ...pageFields }),
  reply: pageOf(executionRecord),
});
