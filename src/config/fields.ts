/** What settings are made of: amounts, spans, shares, times. */
import { z } from "zod";
import { DECIMAL_PATTERN } from "../core/decimal.ts";
import { parseSpan } from "../core/time.ts";

const DECIMAL_RULE = 'write it as a quoted plain decimal, for example "100" or "0.5"';
const SPAN_RULE = "write a span such as 30s, 5m, 2h or 1d";

/** Money and quantities are written as quoted decimals, so that no float ever stands for them. */
export const decimal = (what: string) => z.string(DECIMAL_RULE).regex(DECIMAL_PATTERN, DECIMAL_RULE).describe(what);

/** Stays text in the settings, such as `30s` or `2h`; `parseSpan` makes ms of it. */
export const span = (what: string) =>
  z
    .string(SPAN_RULE)
    .refine((text) => parseSpan(text) !== null, SPAN_RULE)
    .describe(what);

/** 0 and 1 are included. */
export const fraction = (what: string) => z.number().min(0).max(1).describe(what);

/** Has no default: what becomes of open positions must have been said. */
export const handover = z
  .enum(["adopt", "wind-down", "close"])
  .describe(
    "adopt: the new strategy manages what is open. wind-down: stops and targets stay, nothing is added. close: at once.",
  );

/** Counts the five fields only; `cronProblem` in `main/` judges what they say. */
export const cron = z
  .string()
  .regex(/^\S+( \S+){4}$/, "five fields: minute hour day month weekday")
  .describe("When, in UTC: minute hour day month weekday.");
