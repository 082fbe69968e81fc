/** A venue whose position pushes carry its own time: older ones are ignored, newer ones count at once. */
import { test } from "vitest";
import { story } from "../support/agent-story.ts";
import { BTC, position, ready, START_MS } from "../support/agent-world.ts";

test("of two pushes the one with the later time counts, in whichever order they come", () => {
  story(`
    push BTC LONG 0.004 dated 20
    push BTC LONG 0.002 dated 10    -> holds BTC LONG 0.004
    push BTC LONG 0.003 dated 30    -> holds BTC LONG 0.003
  `);
});

test("a late push does not bring back a position that a later one said is flat", () => {
  story(`
    push BTC LONG 0.004 dated 10
    push BTC LONG flat dated 30
    push BTC LONG 0.004 dated 20    -> holds nothing
  `);
});

test("a position that began again a moment after it was flat is held at once", () => {
  // Its end counts at once as well, where a push without a time would wait for a list.
  story(`
    push BTC LONG 0.004 dated 10
    push BTC LONG flat dated 20
    push BTC LONG 0.005 dated 30    -> holds BTC LONG 0.005
    push BTC LONG flat dated 40     -> holds nothing
  `);
});

test("a push older than the list that shows the position changes nothing", () => {
  const listed = { ...position(BTC, "0.004", "60000"), updatedAtMs: START_MS + 50 };
  story(
    `
    push BTC LONG flat dated 40     -> holds BTC LONG 0.004
    push BTC LONG flat dated 60     -> holds nothing
    `,
    ready({}, { positions: [listed] }),
  );
});

test("without a time, a larger size counts at once, a smaller one when list or fill bears it out", () => {
  story(`
    push BTC LONG 0.002
    push BTC LONG 0.004             -> holds BTC LONG 0.004
    push BTC LONG 0.003             -> holds BTC LONG 0.004
    4 s                             -> reads
    list BTC LONG 0.003, no stops   -> holds BTC LONG 0.003
    0.25 s
    fill SELL 0.001 now
    push BTC LONG 0.002             -> holds BTC LONG 0.002
  `);
});
