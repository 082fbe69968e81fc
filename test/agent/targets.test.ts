/** Targets go with the stop: one order of two sides that keeps the size of the position, over losses, partial fills and restarts. */
import { expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { BTC, holding, position, ready, scripted, START_MS, type World, target } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore, type HeldBefore } from "../support/past-facts.ts";

const held: HeldBefore = {
  decisionId: "d-1",
  strategy: "s",
  thesis: "up",
  stopPrice: dec("58800"),
  targetPrice: dec("63000"),
  openedAtMs: START_MS,
  qty: dec("0.002"),
  avgPrice: dec("60000"),
  reportedMs: 0,
  standingAlgoId: null,
};
/** As the venue reports one order of both sides. */
const BOTH = "S1 for 0.002 at 58800 target 63000";

function restarted(stops: string, given: Parameters<typeof ready>[0] = {}): World {
  const w = ready({ restored: { positionFacts: heldBefore(held) }, ...given });
  return story(`list BTC LONG 0.002, ${stops}`, w);
}

/** After a restart both sides stand; then this happens. */
const standing = (text: string): World => story(`list BTC LONG 0.002, ${BOTH}\n1 s\n${text}`, restarted(BOTH));

test("a restart asks for nothing where both stand, and for both at their prices where none does", () => {
  const found = story("1 s -> nothing, stop live at 58800", restarted(BOTH));
  expect(found.agent.status(found.nowMs).positions[0]).toMatchObject({ targetPrice: "63000" });
  const bare = story("1 s -> protects all at 58800 target 63000", restarted("no stops"));
  expect(bare.last("protect").order).toMatchObject({
    condition: "ENTIRE_CLOSE_POSITION",
    positionSide: "LONG",
    symbol: BTC,
  });
});

test("a short whose target would be all of the price has none, and its stop is placed by itself", () => {
  const short = target({ leg: "SHORT", targetDistance: 1 });
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [short], note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  w.tick(1_000);
  expect(w.last("place").intent.draft).toMatchObject({ targetPrice: null, stopPrice: expect.anything() as unknown });
  const restored = { positionFacts: heldBefore({ ...held, targetPrice: ZERO }) };
  // What is held here is a long, whose price is beyond a target of zero.
  story("1 s                -> protects all at 58800 target none, closes", restarted("no stops", { restored }));
});

test("parts that fill one after the other grow both sides, and nothing else of the order changes", () => {
  // The second change waits for word of the first: what gets no answer must not use up the venue's slots.
  const w = standing(`
    push BTC LONG 0.003
    4.1 s                  -> moves S1 for 0.003 once
    push BTC LONG 0.005
    4.1 s                  -> nothing
    move done
    4.1 s                  -> moves S1 for 0.005 once
    move done
    stop S1 for 0.005
    5 s                    -> nothing
  `);
  for (const { change } of w.of("amend-protection")) expect(Object.keys(change)).toEqual(["qty"]);
  // Too large protects as well: the last change that the venue takes in its window is kept for one that is too small.
  w.account({ positions: [{ ...position(BTC, "0.001", "60000"), updatedAtMs: w.nowMs }] });
  story(
    `
    4.1 s                  -> nothing
    40 s                   -> moves S1 for 0.001
    `,
    w,
  );
});

test("lost, both come back; a form that the venue refuses gives way to simpler ones", () => {
  const w = standing(`
    stop S1 EXPIRED
    1 s                    -> protects all at 58800 target 63000
    protect refused 400001
    0.25 s                 -> protects 0.002 at 58800 target 63000
  `);
  expect(w.last("protect").order).toMatchObject({ condition: "OCO", side: "SELL" });
  story(
    `
    protect refused 400001
    0.25 s                 -> protects 0.002 at 58800 target none
    stop S1 for 0.002 at 58800
    price 63010
    0.25 s                 -> closes
    `,
    w,
  );
  expect(w.last("protect").order).toMatchObject({ condition: "CONDITIONAL" });
});

test("a refused change of size does not make the forms of stops simpler", () => {
  standing(`
    push BTC LONG 0.003
    4.1 s                  -> moves S1 for 0.003
    move refused 400001
    stop S1 CANCELLED
    4.1 s                  -> protects all
  `);
});

test("gone with the position, and cancelled by name where the venue says nothing", () => {
  story(`
    list BTC LONG 0.002, ${BOTH}
    push BTC LONG flat
    7 s                              -> cancels S1
  `);
});

test("a nearer target that an order adds is watched, though the first one stands at the venue", () => {
  story(`
    list BTC LONG 0.001, S1 at 58800 target 63000
    wants BTC LONG 0.5 stop 0.015 target 0.01
    until place
    place done 301
    order FILLED by 301
    list BTC LONG 0.003, S1
    wants nothing
    price 60500
    3 s                    -> moves S1
    price 60700
    1 s                    -> closes
  `);
});

test.each([
  ["is on its way", "place done 301\n65 s"],
  ["has filled, before its position shows it", "order FILLED by 301\n15 s"],
])("no decision gives up again what a reduction takes that %s", (_, then) => {
  const w = story(`
    list BTC LONG 0.012, S1 for 0
    wants BTC LONG 0.5
    1 s                          -> places BTC SELL
    ${then}
  `);
  expect(w.of("place")).toHaveLength(1);
});
