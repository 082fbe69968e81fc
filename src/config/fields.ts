/** Fields that say when, and what becomes of positions then. */
import { z } from "zod";

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
