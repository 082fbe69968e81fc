/** Margin that openings have taken is not available again, even where the account has not been read since. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { story } from "../support/agent-story.ts";
import { account, ETH, ready, settingsOf, type World } from "../support/agent-world.ts";

const { cadence } = settingsOf();
const often = settingsOf({ cadence: { ...cadence, every: 5_000, minGap: 1_000 } });
const withMargin = (available: string) => ({ account: [{ ...account("1000"), availableMargin: dec(available) }] });

/** An account with margin for one order of 60 USDT at 2x, and the first order is on its way. */
const opened = (): World =>
  story("wants BTC LONG 0.2\nuntil place\nplace done 001", ready({ settings: often }, withMargin("40")));

/** How much of ETH the agent opens next. */
function nextOf(w: World): string {
  story("wants BTC LONG 0.2, ETH LONG 0.2\n6 s", w);
  const drafts = w.of("place").map(({ intent }) => intent.draft.order);
  return drafts.find(({ symbol }) => symbol === ETH)?.qty.toFixed() ?? "nothing";
}

test.each([
  ["on its way", ""],
  ["at rest", "order OPEN"],
  ["filled, as a push of its position shows", "order FILLED dated 2000\npush BTC LONG 0.001 dated 3000"],
])("the margin of an opening that is %s is not used twice", (_, lines) => {
  expect(nextOf(story(lines, opened()))).toBe("0.004");
});

test("what a resting order is to grow by is not available either", () => {
  const w = story("wants BTC LONG 0.2 resting\nuntil place\nrest\n1 s", ready({ settings: often }, withMargin("140")));
  w.account({ ...withMargin("110"), openOrders: [] });
  story("wants BTC LONG 0.4 resting, ETH LONG 0.4\n6 s -> amends order for 0.002, places ETH BUY 0.026", w);
});

test("a reading from after the opening was shown includes its margin", () => {
  const w = story("order OPEN\n1 s", opened());
  w.account({ ...withMargin("40"), openOrders: [] });
  expect(nextOf(w)).toBe("0.024");
});
