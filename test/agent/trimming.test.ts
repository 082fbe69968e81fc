/** Exposure that equity no longer covers is reduced once, whichever pushes are lost. */
import { expect, test } from "vitest";
import { rejected } from "../../src/protocol/codes.ts";
import { BTC, holding, position, ready, scripted, settingsOf, target } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

test("a reduction whose fill is reported is not repeated while no reading shows it. Fault U4", () => {
  story(`
    list BTC LONG 0.020
    stop S1 for 0.020
    0.25 s                     -> nothing
    list BTC LONG 0.020, S1, equity 960
    wallet 960
    3 s                        -> places BTC SELL once
    order FILLED
    8 s                        -> nothing
  `);
});

test("a reduction that waits for its turn is not asked for again", () => {
  story(`
    list BTC LONG 0.020
    stop S1 for 0.020
    0.25 s                     -> nothing
    list BTC LONG 0.020, S1, equity 960
    wallet 960
    3 s                        -> places BTC SELL once
    13 s with list BTC LONG 0.020, S1, equity 960 -> nothing
    place unsent
    7 s with list BTC LONG 0.020, S1, equity 960  -> places BTC SELL once
  `);
});

test("a smaller target that is decided again while its order waits is carried out once", () => {
  const settings = settingsOf({
    cadence: { ...settingsOf().cadence, every: 30_000 },
    risk: { ...settingsOf().risk, minHolding: 0 },
  });
  const w = story(
    `
    list BTC LONG 0.006
    stop S1 for 0.006
    wants BTC LONG 0.45
    45 s with list BTC LONG 0.006, S1
    `,
    ready({ settings }),
  );
  expect(w.logs("decision.made")).toHaveLength(2);
  expect(w.of("place").map(({ intent }) => intent.draft.order.side)).toEqual(["SELL"]);
});

test("a reduction that found too little goes four times as far at the next try, up to a tenth of the price", () => {
  const w = ready();
  const held = position(BTC, "0.03", "60000");
  const limits: number[] = [];
  for (let second = 0; second < 45; second++) {
    const before = w.of("place").length;
    w.price(BTC, 60_000);
    w.account({ positions: [held] });
    w.tick(1_000);
    for (const { intent } of w.of("place").slice(before)) {
      limits.push(1 - (intent.draft.order.limitPrice?.toNumber() ?? NaN) / 60_000);
      w.feed({
        kind: "placed",
        clientOrderId: intent.clientOrderId,
        sent: rejected("401020", "nothing there"),
      });
    }
  }
  expect(limits.slice(0, 5).map((away) => Number(away.toFixed(3)))).toEqual([0.002, 0.008, 0.032, 0.1, 0.1]);
});

test("an order that rests while nothing is held is cancelled once equity no longer carries it. Fault V9", () => {
  const targets = [target({ size: 1, urgency: "rest" })];
  story(
    `
    1 s                        -> places BTC
    order OPEN
    1 s                        -> nothing
    wallet 852
    list nothing, equity 852
    1 s                        -> cancels order once
    `,
    ready({
      strategies: { chosen: scripted("s", () => ({ kind: "targets", targets, note: "" })), fallback: holding() },
    }),
  );
});
