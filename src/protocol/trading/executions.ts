import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { listSpellings } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { executionRecord } from "../records/execution-record.ts";
import { countText, listFilters, orderId } from "../request-fields.ts";

/** Fills as a plain array, newest first. About 7 days are kept; an older `begin` is refused with 400001. */
export const executions = endpoint({
  method: "GET",
  path: "/api/v1/trading/executions",
  section: "1 §4.2; records §1.4, §5.8",
  limit: { requests: 1, perMs: 10_000 },
  permission: "read",
  paging: { defaultSize: 100, maxSize: 1000 },
  normalize: listSpellings,
  request: z.strictObject({
    orderId: orderId.optional(),
    ...listFilters,
    /** The most items to return: 100 when absent, at most 1000 [guess]. */
    limit: countText.optional(),
  }),
  reply: pageOf(executionRecord),
});
