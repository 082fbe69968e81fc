/** Fields of schedules: the time, and the treatment of positions. */
import { z } from "zod";

/** Has no default: the owner must choose the treatment of open positions. */
export const handover = z
  .enum(["adopt", "wind-down", "close"])
  .describe(
    "adopt: the new strategy manages what is open. wind-down: stops and targets stay, nothing is added. close: at once.",
  );

/** Checks only that there are five fields; `cronProblem` checks their values. */
export const cron = z
  .string()
  .regex(/^\S+( \S+){4}$/, "five fields: minute hour day month weekday")
  .describe("When, in UTC: minute hour day month weekday.");
