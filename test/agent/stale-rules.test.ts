/** A refusal that current reference data would have predicted has the rules read again before anything is tried again. */
import { expect, test } from "vitest";
import { BTC, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const PLACED = `
  wants BTC LONG 0.5
  1 s                                  -> places BTC once
`;
const stale = (w: World) => w.agent.status(w.nowMs).staleRules;

test.each(["401015", "401017", "400001", "401011", "401023"])(
  "%s: rules and leverage are read before anything is tried again",
  (code) => {
    const w = story(`${PLACED}
      place refused ${code}            -> nothing, reads rules once, reads leverage
    `);
    w.readsLeverage = false;
    story("5 s with lists -> nothing", w);
    expect(stale(w)).toMatchObject([{ symbol: BTC }]);
  },
);

test("an order rejected after acceptance has the same effect; rules that never come are requested again", () => {
  const w = story(`${PLACED}
    order REJECTED because the symbol is halted    -> nothing, logs order.rejected once
  `);
  expect(stale(w)).toMatchObject([{ symbol: BTC, reason: expect.stringContaining("halted") }]);
  story("11 s with lists -> reads rules once\nrules BTC\n0.25 s", w);
  expect(stale(w)).toEqual([]);
});

test("a duplicate id does not make the rules stale", () => {
  expect(stale(story(`${PLACED}\nplace refused 406010`))).toEqual([]);
});
