import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { accountRow } from "../records/account-record.ts";

/** Account overview: one record for each exchange account of the portfolio. Total equity is the sum over them. */
export const account = endpoint({
  method: "GET",
  path: "/api/v1/trading/account",
  section: "1 §4.1; records §4.1",
  limit: { requests: 1, perMs: 3_000 },
  permission: "read",
  request: z.strictObject({}),
  reply: z.array(accountRow),
});
