import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { inOrder, listSpellings, renamed } from "../normalize.ts";
import { pageOf } from "../page.ts";
import { assetRecord } from "../records/asset-record.ts";
import { exchange, pageFields } from "../request-fields.ts";

/** What the portfolio holds: one record for each coin of each exchange account. */
export const portfolioAssets = endpoint({
  method: "GET",
  path: "/api/v1/trading/portfolio/assets",
  section: "1 §4.1; records §4.4",
  limit: { requests: 4, perMs: 1_000 },
  permission: "read",
  paging: { defaultSize: 1000, maxSize: 1000 },
  normalize: inOrder(renamed({ pageNum: "page" }), listSpellings),
  request: z.strictObject({ exchangeType: exchange.optional(), ...pageFields }),
  reply: pageOf(assetRecord),
});
