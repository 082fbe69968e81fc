import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { pageOf } from "../page.ts";
import { newsRecord } from "./news-record.ts";
import { categories, FEED_LIMIT, FEED_PAGING, feedSpellings, feedWindow } from "./query-fields.ts";

/** News articles of the last 15 days, newest first. Success is code 200, not 200000. */
export const queryNews = endpoint({
  method: "GET",
  path: "/api/v1/feeds/queryNews",
  section: "2 §4; records §13",
  limit: FEED_LIMIT,
  permission: "read",
  successCode: 200,
  paging: FEED_PAGING,
  normalize: feedSpellings,
  request: z.strictObject({ ...feedWindow, categories }),
  reply: pageOf(newsRecord),
});
