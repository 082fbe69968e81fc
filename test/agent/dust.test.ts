/** Dust that could not be closed is tried again. */
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
