/** A refusal that current reference data would have predicted has the rules read again before anything is tried again. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { BTC, rulesOf, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { trailed } from "../support/trailed.ts";

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

test("a stop refused for a figure of its symbol has the rules read again, and is placed on the new tick", () => {
  const w = story(`
    list BTC LONG 0.004 @ 60004
    0.25 s                               -> protects all at 58203.9
    protect refused 401015               -> reads rules once, reads leverage
  `);
  expect(stale(w)).toMatchObject([{ symbol: BTC }]);
  w.feed({ kind: "rules", rules: [{ ...rulesOf(BTC), tickSize: dec("10") }] });
  story("0.25 s -> protects 0.004 at 58210", w);
});

test("so has a change of one, and one that is rejected after its reply", () => {
  const w = story("price 60700\n0.25 s -> moves S1 to 60021.1\nmove refused 401015 -> reads rules once", trailed());
  w.feed({ kind: "rules", rules: [{ ...rulesOf(BTC), tickSize: dec("10") }] });
  story("60 s with list BTC LONG 0.004, S1 -> moves S1 to 60020", w);
  story(`
    list BTC LONG 0.004
    0.25 s                               -> protects all
    protect done S1
    stop S1 REJECTED                     -> reads rules once
  `);
});
