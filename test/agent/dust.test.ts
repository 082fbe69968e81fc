/** Dust, a position below the smallest order of the venue, is closed whole, and tried again where that fails. */
import { expect, test } from "vitest";
import { story } from "../support/agent-story.ts";

test("a close of dust that the venue refused is requested again although a stop is live", () => {
  const w = story(`
    list BTC LONG 0.0004
    stop S1
    list BTC LONG 0.0004
    10 s                  -> closes
    close unsent
    list BTC LONG 0.0004
    10 s                  -> closes, moves S1
  `);
  for (const line of w.logs("order.submitted")) expect(line).toContain("dust");
});

test("a position below the venue's smallest order is closed whole, and reported as dust", () => {
  story(`
    list BTC LONG 0.0004, S1 for 0
    25 s with list BTC LONG 0.0004, S1    -> closes BTC LONG 0.0004, logs order.submitted saying dust: 0.0004 held
  `);
});
