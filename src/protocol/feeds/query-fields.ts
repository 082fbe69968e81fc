/** The fields and limits that the three feed queries share. Spec: 2 §4, §8; records §13. */
import { z } from "zod";
import { listSpellings } from "../normalize.ts";
import { epochMs, pageFields } from "../request-fields.ts";

/** Both ends inclusive; the filter looks at publishTime [guess]. A start older than the retention is clamped silently. */
export const feedWindow = { startTime: epochMs.optional(), endTime: epochMs.optional(), ...pageFields };

/** Comma list of category ids; unknown ids match nothing, blank means all [guess]. */
export const categories = z
  .string()
  .regex(/^\d{1,6}(,\d{1,6})*$/, "category ids separated by commas")
  .optional();

/** A feed query tolerates the same spellings as a trading list: page, size and times as numbers too. */
export const feedSpellings = listSpellings;

/** Not documented: 10 requests per 10 s per key [guess]. */
export const FEED_LIMIT = { requests: 10, perMs: 10_000 } as const;

/** 1-based page, 20 items when no size is given (2 §8); more than 30 is refused with 30012 (records §13). */
export const FEED_PAGING = { defaultSize: 20, maxSize: 30 } as const;

const DAY_MS = 86_400_000;
/** How far back each query reaches; an older start is moved up silently. 2 §4. */
export const FEED_RETENTION_MS = { news: 15 * DAY_MS, hot: 7 * DAY_MS, featured: 180 * DAY_MS } as const;
