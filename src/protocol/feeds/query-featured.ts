import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { pageOf } from "../page.ts";
import { featuredRecord } from "./news-record.ts";
import { categories, FEED_LIMIT, FEED_PAGING, feedSpellings, feedWindow } from "./query-fields.ts";

/** Featured (curated) articles of the last 180 days, newest first. Success is code 200, not 200000. */
export const queryFeatured = endpoint({
  method: "GET",
  path: "/api/v1/feeds/queryFeatured",
  section: "2 §4; records §13",
  limit: FEED_LIMIT,
  permission: "read",
  successCode: 200,
  paging: FEED_PAGING,
  normalize: feedSpellings,
  request: z.strictObject({ ...feedWindow, categories }),
  reply: pageOf(featuredRecord),
});
