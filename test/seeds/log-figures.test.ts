/** What lives full of faults say in their logs: each line says to a person what it says to a machine. */
import { expect, test } from "vitest";
import type { Log } from "../../src/core/log.ts";
import { figuresMissing } from "../support/figures-in-text.ts";
import { drawPlan } from "./plan.ts";
import { runPlan } from "./run.ts";

test("every figure of a line's fields is in its text", async () => {
  const missing: string[] = [];
  const seen = new Set<string>();
  const log: Log = {
    event: (level, evt, msg, fields = {}) => {
      seen.add(evt);
      missing.push(...figuresMissing({ ...fields, evt, level, msg }));
    },
  };
  for (const seed of [1, 3, 4]) await runPlan({ ...drawPlan("short", seed), strategy: "llm-trader" }, log);
  expect(missing).toEqual([]);
  for (const evt of ["order.filled", "model.answered", "budget.spent", "sim.fault", "stream.down", "venue.retry"])
    expect(seen, evt).toContain(evt);
}, 60_000);
