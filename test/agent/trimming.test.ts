/** Exposure that equity no longer covers is reduced once, whichever pushes are lost. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { rejected } from "../../src/protocol/codes.ts";
import {
  account,
  BTC,
  holding,
  position,
  ready,
  rulesOf,
  scripted,
  settingsOf,
  target,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore } from "../support/past-facts.ts";

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

test.each([
  ["by the limits", "960", "0.020", []],
  ["for a smaller target", "1000", "0.006", [0.45]],
])("a position is reduced %s in the position mode of its own exchange. Fault U5", (...given) => {
  const [, equity, qty, sizes] = given;
  const other = "EXCHANGE_B_PERP_BTC_USDT";
  const accounts = [account(equity), { ...account("0"), exchange: "EXCHANGE_B", positionMode: "NET" as const }];
  const targets = sizes.map((size) => target({ symbol: other, size }));
  const chosen = scripted("s", () => ({ kind: "targets", targets, note: "" }));
  const settings = settingsOf({ phase: 2, universe: [BTC, other] });
  const w = ready({ settings, strategies: { chosen, fallback: holding() } }, { account: accounts });
  w.price(other, 60_000);
  w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(other)] });
  w.account({ account: accounts, positions: [position(other, qty, "60000")] });
  for (let seconds = 0; seconds < 3; seconds++) w.tick(1_000);
  expect(w.last("place").intent.draft.order).toMatchObject({ side: "SELL", positionSide: "NONE", reduceOnly: true });
  expect(w.of("close")).toHaveLength(0);
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

test("a reduction is of the strategy that opened the position, whichever decides by then", () => {
  const held = { decisionId: "d-old-1", strategy: "momentum", thesis: "it rose", stopPrice: dec("59000") };
  story(
    `
    list BTC LONG 0.020, S1
    wallet 960
    list BTC LONG 0.020, S1, equity 960
    3 s                        -> moves S1, places BTC SELL once, writes intent open momentum once
    `,
    ready({ restored: { positionFacts: heldBefore({ ...held, qty: dec("0.020"), standingAlgoId: "S1" }) } }),
  );
});
