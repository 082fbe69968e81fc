import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { pageOf } from "../page.ts";
import { hotRecord } from "./news-record.ts";
import { FEED_LIMIT, FEED_PAGING, feedSpellings, feedWindow } from "./query-fields.ts";

/** Hot-topic items (they have no categories) of the last 7 days, newest first. Success is code 200, not 200000. */
export const queryHot = endpoint({
  method: "GET",
  path: "/api/v1/feeds/queryHot",
  section: "2 §4; records §13",
  limit: FEED_LIMIT,
  permission: "read",
  successCode: 200,
  paging: FEED_PAGING,
  normalize: feedSpellings,
  request: z.strictObject({ ...feedWindow }),
  reply: pageOf(hotRecord),
});
