/** Every position has a stop at the venue that covers it; without one it is watched here, and closed in time. */
import { describe, expect, test } from "vitest";
import { story } from "../support/agent-story.ts";
import { dec } from "../../src/core/decimal.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { account, BTC, position, ready, rulesOf, settingsOf, standingStop } from "../support/agent-world.ts";

/** A long position of 0.004 BTC with its stop at 58200. */
const GUARDED = `
  list BTC LONG 0.004
  0.25 s                       -> protects all
  stop S1
`;

describe("a position", () => {
  test("gets a venue-side stop at once, at the default distance when no decision gave one", () => {
    const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all at 58200 once
      stop S1                  -> nothing, stop live at 58200, logs position.protected once
    `);
    expect(w.last("protect").order).toMatchObject({
      ...{ condition: "ENTIRE_CLOSE_POSITION", qty: dec("0"), positionSide: "LONG" },
      ...{ reduceOnly: true, triggerType: "MARK_PRICE" },
    });
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({ unprotectedForMs: null });
  });

  test("keeps its stop beside a target that somebody else placed as a lone trigger. Fault O4", () => {
    story(`${GUARDED}
      stop H7 at 63000
      10 s                     -> nothing
      list BTC LONG 0.004, H7 at 63000, S1
      1 s                      -> nothing, holds BTC LONG 0.004, stop live at 58200
    `);
  });

  test("under water is not protected by a target of somebody else below its entry", () => {
    story(`
      price 59000
      1 s
      list BTC LONG 0.004, H7 at 59500
      0.25 s                   -> protects all at 58200
      stop S1
      stop H7 at 59600
      20 s with list BTC LONG 0.004, S1, H7 at 59600 -> nothing, stop live at 58200
    `);
  });

  test("is protected by a trailed stop of somebody else, also while the mark crosses it", () => {
    story(`
      price 63000
      1 s
      list BTC LONG 0.004, H7 at 61000
      2 s                      -> nothing, stop live at 61000
      price 60900
      3 s with list BTC LONG 0.004, H7 at 61000 -> nothing, stop live at 61000
    `);
  });

  test("that is held at a profit knows its own stop above the entry. Fault O4", () => {
    story(`
      list BTC LONG 0.004
      0.25 s
      price 63000
      1 s
      stop S1 at 61000
      1 s                      -> stop live at 61000
    `);
  });

  test("of somebody else keeps the safer stop that just came to stand when our order adds to it", () => {
    const w = story(`
      wants BTC LONG 0.5 stop 0.08
      1 s                      -> places BTC BUY 0.003 once
      list BTC LONG 0.002
      0.25 s                   -> protects all
      stop S1
      order FILLED at 60000    -> holds BTC LONG 0.005, stop wanted at 58200
    `);
    expect(w.last("place").intent.draft.stopPrice?.lt("58200")).toBe(true);
  });

  test("whose stop is lost gets another", () => {
    story(`${GUARDED}
      stop S1 CANCELLED
      5 s                      -> protects all
    `);
  });

  test("that grew has its stop follow its size", () => {
    story(`${GUARDED}
      push BTC LONG 0.006
      5 s                      -> moves S1 for 0.006
    `);
  });

  test("that is gone leaves no stop behind", () => {
    story(`${GUARDED}
      push BTC LONG flat
      list nothing, S1         -> cancels S1
    `);
  });

  test.each([
    ["unknown", "cancels S1"],
    ["refused 100018", "cancels S1"],
    ["refused 401058", "nothing"],
  ])("whose stop's cancel is %s: after 5 s the agent %s", (reply, then) => {
    story(`${GUARDED}
      push BTC LONG flat
      list nothing, S1         -> cancels S1
      unstop ${reply}
      4 s                      -> nothing
      1 s                      -> ${then}
    `);
  });

  test("without a standing stop is watched here: a mark beyond the stop closes it", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all
      price 58000
      1 s                      -> closes
    `);
  });

  test("no more positions are opened than can be protected in the venue's window", () => {
    story(`
      wants BTC LONG 0.3, ETH LONG 0.3
      list BTC LONG 0.004, ETH SHORT 0.1 @ 3000, ETH LONG 0.1 @ 3000
      1 s                      -> protects all of BTC once, protects all of ETH 2 times, closes ETH SHORT, places BTC SELL
    `);
  });
});

test("a list requested before a close, or that lags behind it, does not bring the position back", () => {
  story(`
    list BTC LONG 0.004
    0.75 s
    push BTC LONG flat
    0.5 s
    list BTC LONG 0.004, asked 1 s ago     -> holds nothing
    0.5 s
    list BTC LONG 0.004                    -> holds nothing
    11 s
    list BTC LONG 0.004                    -> holds nothing
    10 s
    list BTC LONG 0.004                    -> holds BTC LONG 0.004
  `);
});

test("HALT survives a restart and ends when the operator resumes", () => {
  story(`
    wants BTC LONG 0.5
    halt                     -> floor HALT
    restart                  -> floor HALT
    1 s                      -> nothing
    resume
    list nothing, no stops   -> floor NORMAL
    55 s
    list nothing, no stops
    10 s                     -> places BTC once
  `);
});

describe("stopping", () => {
  test("withdraws openings, leaves positions and their stops, opens nothing more", () => {
    story(`
      wants BTC LONG 0.5 resting
      list ETH LONG 0.1 @ 3000, S1 of ETH for 0.1 at 2910
      1 s                      -> places BTC once
      place done 301
      shutdown                 -> cancels order once
      cancel done
      order CANCELLED by 301
      300 s with list ETH LONG 0.1 @ 3000, S1    -> nothing
    `);
  });
});

test("in one-way mode a position that turned is not closed in the name of the side that it had. Fault O4", () => {
  const w = ready();
  story("list BTC LONG 0.004, one-way", w);
  w.feed({ kind: "algo", algo: standingStop({ positionSide: "NONE" }) });
  story(
    `
    6 s
    price 57000
    push BTC NONE -0.004 @ 57000
    7 s                        -> protects 0.004
    list BTC SHORT 0.004 @ 57000, one-way    -> holds BTC SHORT 0.004
    `,
    w,
  );
});

test("a position on an exchange in the other position mode is protected and closed in that mode. Fault U5", () => {
  const other = "EXCHANGE_B_PERP_BTC_USDT";
  const accounts = [account("1000"), { ...account("1000"), exchange: "EXCHANGE_B", positionMode: "NET" as const }];
  const w = ready({ settings: settingsOf({ phase: 2, universe: [BTC, other] }) }, { account: accounts });
  w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(other)] });
  w.account({ account: accounts, positions: [position(BTC, "0.004", "60000"), position(other, "0.004", "60000")] });
  w.tick();
  expect(w.of("protect").map(({ order }) => [order.symbol, order.positionSide])).toEqual([
    [BTC, "LONG"],
    [other, "NONE"],
  ]);
  const refused = rejected("50001", "not now");
  for (const { positionKey, order } of w.of("protect"))
    w.feed({ kind: "protect-sent", positionKey, clientOrderId: order.clientOrderId, sent: refused });
  for (let seconds = 0; seconds < 20; seconds++) w.tick(1_000);
  const closes = w.of("close").map(({ known, hedgeMode }) => [known.symbol, hedgeMode] as const);
  expect(new Map(closes)).toEqual(
    new Map([
      [BTC, true],
      [other, false],
    ]),
  );
});
