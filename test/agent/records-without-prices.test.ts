/** A record of a position need not have its prices: what it leaves out is as it was, and no price of zero. Records §0.2. */
import { expect, test } from "vitest";
import type { World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const entryOf = (w: World): string | undefined => w.agent.status(w.nowMs).positions[0]?.avgPrice;

test.each(["push", "list"])("a %s without the entry price changes neither equity nor the floor", (news) => {
  const w = story(`
    list BTC SHORT 0.004 @ 60000
    1 s
    stop S1 at 61800
    1 s
    ${news} BTC SHORT 0.004 @ 0
    2 s                              -> equity 1000, floor NORMAL
  `);
  expect(entryOf(w)).toBe("60000");
});

test.each(["push", "list"])("a position that a %s without prices shows first is valued at the mark", (news) => {
  const w = story(`
    1 s
    ${news} BTC SHORT 0.004 @ 0
    1 s                              -> protects all, equity 1000, floor NORMAL
  `);
  expect(entryOf(w)).toBe("60000");
});
