import { describe, expect, test } from "vitest";
import { story } from "../support/agent-story.ts";
import { dec } from "../../src/core/decimal.ts";
import { rejected } from "../../src/protocol/codes.ts";
import type { TargetPosition } from "../../src/strategy/strategy.ts";
import {
  account,
  BTC,
  ETH,
  holding,
  position,
  ready,
  rulesOf,
  scripted,
  settingsOf,
  standingStop,
  target,
  update,
} from "../support/agent-world.ts";

const wanting = (...targets: readonly TargetPosition[]) => ({
  chosen: scripted("s", () => ({ kind: "targets", targets, note: "" })),
  fallback: holding(),
});

/** A long position of 0.004 BTC with its stop at 58200. */
const GUARDED = `
  list BTC LONG 0.004
  0.25 s                       -> protects all
  stop S1
`;

function held() {
  const w = ready();
  w.account({ positions: [position(BTC, "0.004", "60000")] });
  w.tick();
  return w;
}

describe("a position", () => {
  test("gets a venue-side stop at once, at the default distance when no decision gave one", () => {
    const w = held();
    expect(w.last("protect").order).toMatchObject({
      condition: "ENTIRE_CLOSE_POSITION",
      qty: dec("0"),
      positionSide: "LONG",
      reduceOnly: true,
      triggerType: "MARK_PRICE",
    });
    expect(w.last("protect").order.stopLossPrice?.toFixed()).toBe("58200");
    w.feed({ kind: "algo", algo: standingStop() });
    expect(w.logs("position.protected")).toHaveLength(1);
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({
      protection: "live",
      stopPrice: "58200",
      unprotectedForMs: null,
    });
  });

  test("keeps its stop beside a target that somebody else placed as a lone trigger. Fault O4", () => {
    story(`${GUARDED}
      stop H7 at 63000
      10 s                     -> nothing
      list BTC LONG 0.004, H7 at 63000, S1
      1 s                      -> nothing, holds BTC LONG 0.004, stop live at 58200
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

  test("whose stop was given up unanswered asks for the same stop again before it is closed. Fault R8", () => {
    const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      4 s                      -> nothing
      protect unknown
      0.25 s                   -> protects all once
      protect done S1
      stop S1
      20 s                     -> nothing
    `);
    const [first, second] = w.of("protect").map(({ order }) => order);
    expect(second).toEqual(first);
  });

  test("whose stop has moved since the unanswered request is given the new one under the same id", () => {
    const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all at 58200
      4 s
      list BTC LONG 0.004 @ 61000
      protect unknown
      0.25 s                   -> protects all at 59170
    `);
    expect(new Set(w.of("protect").map(({ order }) => order.clientOrderId)).size).toBe(1);
  });

  test("of somebody else keeps the safer stop that just came to stand when our order adds to it", () => {
    const wider = scripted("wider", () => ({ kind: "targets", targets: [target({ stopDistance: 0.08 })], note: "" }));
    const w = ready({ strategies: { chosen: wider, fallback: wider } });
    w.tick(1_000);
    const place = w.last("place");
    w.account({ positions: [position(BTC, "0.002", "60000")] });
    w.tick();
    w.feed({ kind: "algo", algo: standingStop() });
    const { qty } = place.intent.draft.order;
    w.feed({ kind: "order", update: update(place, { state: "FILLED", executedQty: qty, avgPrice: dec("60000") }) });
    expect(place.intent.draft.stopPrice?.lt("58200")).toBe(true);
    expect(w.agent.status(w.nowMs).positions).toMatchObject([
      { wantedStopPrice: "58200", qty: qty.add("0.002").toFixed() },
    ]);
  });

  test("whose stop hangs twice is closed inside the deadline", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      4 s
      protect unknown
      0.25 s                   -> protects all once
      5.5 s                    -> closes
    `);
  });

  test("whose stop the venue knows by its id has it looked up, not placed under another form. Fault V1", () => {
    const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      4 s
      protect unknown
      0.25 s                   -> protects all once
      protect refused 406010   -> asks by its own id
      found S1
      10 s                     -> nothing, stop live
      stop S1 CANCELLED
      0.25 s                   -> protects all once
    `);
    const [first, again, another] = w.of("protect").map(({ order }) => order.clientOrderId);
    expect(w.last("read-algo")).toMatchObject({ clientOrderId: first });
    expect(again).toBe(first);
    expect(another).not.toBe(first);
  });

  test("whose stop was seen to stand before its answer was given up gets no second one", () => {
    const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
    `);
    w.feed({ kind: "algo", algo: standingStop({ clientOrderId: w.last("protect").order.clientOrderId }) });
    story(
      `
      4 s                      -> nothing
      protect unknown
      20 s                     -> nothing
      `,
      w,
    );
  });

  test("whose stop cannot be placed within the deadline is closed", () => {
    story(`
      list BTC LONG 0.004
      until close              -> protects all, protects 0.004, closes
    `);
  });

  test("gets its slot back if the stop provably never left; its close is requested again. Faults D1, D8", () => {
    const w = held();
    const busy = { kind: "blocked", message: "no row could be written: the disk is busy" } as const;
    for (let seconds = 0; seconds < 9; seconds++) {
      w.feed({ kind: "protect-sent", leg: w.last("protect").leg, sent: busy });
      w.tick(1_000);
    }
    const turns = w.agent.gauges().find(({ name }) => name === "agent.stopsAsked");
    expect([w.of("protect").length, turns?.size]).toEqual([2, 0]);
    let answered = 0;
    for (let seconds = 0; seconds < 20; seconds++) {
      if (w.of("close").length > answered) {
        answered += 1;
        w.feed({ kind: "close-sent", leg: w.last("protect").leg, sent: busy });
      }
      w.tick(1_000);
    }
    expect(w.of("close").length).toBeGreaterThan(5);
  });

  test("if its close is refused, another stop is requested: the venue may accept that", () => {
    const w = held();
    const refused = rejected("401050", "not now");
    let asked = { protect: 0, close: 0 };
    for (let seconds = 0; seconds < 120; seconds++) {
      const [protect, close] = [w.of("protect").length, w.of("close").length];
      const { leg: positionKey } = w.last("protect");
      if (protect > asked.protect) w.feed({ kind: "protect-sent", leg: positionKey, sent: refused });
      if (close > asked.close) w.feed({ kind: "close-sent", leg: positionKey, sent: refused });
      asked = { protect, close };
      w.tick(1_000);
    }
    expect(asked.close).toBeGreaterThan(5);
    // One of the venue's three turns in 50 s stays free for other positions.
    expect(asked.protect).toBeGreaterThanOrEqual(4);
    expect(asked.protect).toBeLessThanOrEqual(6);
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
    const w = ready({ strategies: wanting(...[BTC, ETH].map((symbol) => target({ symbol, size: 0.3 }))) });
    const open = [position(BTC, "0.004", "60000"), position(ETH, "0.1", "3000", "SHORT"), position(ETH, "0.1", "3000")];
    w.account({ positions: open });
    w.tick(1_000);
    expect(w.of("protect")).toHaveLength(3);
    expect(w.of("place").filter((place) => place.intent.opening)).toHaveLength(0);
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

describe("the floor", () => {
  test("a true fall seen by two sources flattens and halts; a single bad reading liquidates nothing", () => {
    story(`${GUARDED}
      wallet 1000
      list BTC LONG 0.004, equity 0
      1 s                      -> nothing, floor NORMAL
      wallet 810
      list BTC LONG 0.004, equity 810
      1 s                      -> closes, floor FLATTEN
      push BTC LONG flat
      1 s                      -> floor HALT
    `);
  });

  test.each([
    ["all", "0.01", "-100", "899.9"],
    ["a part", "0.008", "-80", "889.9"],
  ])(
    "the loss of a close of %s is counted once where no push reports the position. Fault U4",
    (_, qty, lost, after) => {
      story(`
      list BTC LONG 0.01
      stop S1 for 0.01
      price 50000
      1 s
      fill SELL ${qty} @ 50000 by 900 earning ${lost} now
      1 s                      -> floor NORMAL, equity 899.9
      price 45000
      1 s                      -> equity ${after}
    `);
    },
  );

  test.each(["before it", "while it is being closed"])(
    "a halt %s keeps nothing from being closed near the floor",
    (when) => {
      const plain = settingsOf();
      const risk = { ...plain.risk, warnUsdt: dec("930"), holdUsdt: dec("920"), flattenUsdt: dec("900") };
      const [before, after] = when === "before it" ? ["halt", ""] : ["", "halt"];
      story(
        `
        list BTC LONG 0.004, S1
        1 s
        ${before}
        wallet 890
        list BTC LONG 0.004, S1, equity 890
        1 s                    -> closes once
        ${after}
        close unsent
        3 s                    -> closes once, floor HALT
        `,
        ready({ settings: { ...plain, risk } }),
      );
    },
  );

  test("nothing counts as closed near the floor that a later list may bring back. Fault R9", () => {
    story(`
      list BTC LONG 0.004
      0.25 s
      wallet 815
      list BTC LONG 0.004, S1, equity 815
      1 s                      -> closes once
      close unknown
      6 s
      list nothing, no stops, equity 815
      1 s                      -> holds nothing
      wallet 825
      list BTC LONG 0.004, S1, equity 825
      1 s                      -> closes, holds BTC LONG 0.004, floor FLATTEN
    `);
  });

  test("HALT survives a restart and ends when the operator resumes", () => {
    story(
      `
      1 s                      -> nothing
      resume
      list nothing, no stops   -> floor NORMAL
      55 s
      list nothing, no stops
      10 s                     -> places BTC once
      `,
      ready({ restored: { floor: "HALT" }, strategies: wanting(target()) }),
    );
  });
});

describe("stopping", () => {
  test("withdraws openings, leaves positions and their stops, opens nothing more", () => {
    const w = ready({ strategies: wanting(target({ urgency: "rest" })) });
    story("list ETH LONG 0.1 @ 3000, no stops", w);
    w.feed({ kind: "algo", algo: standingStop({ symbol: ETH, qty: dec("0.1"), triggerPrice: dec("2910") }) });
    story(
      `
      1 s                      -> places BTC once
      place done 301
      shutdown                 -> cancels order
      `,
      w,
    );
    const before = w.of("place").length;
    for (let i = 0; i < 5; i++) w.tick(61_000);
    expect(w.of("place")).toHaveLength(before);
    expect(w.of("close").filter((close) => close.known.symbol === ETH)).toHaveLength(0);
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
  for (const { leg: positionKey } of w.of("protect")) w.feed({ kind: "protect-sent", leg: positionKey, sent: refused });
  for (let seconds = 0; seconds < 20; seconds++) w.tick(1_000);
  const closes = w.of("close").map(({ known, hedgeMode }) => [known.symbol, hedgeMode] as const);
  expect(new Map(closes)).toEqual(
    new Map([
      [BTC, true],
      [other, false],
    ]),
  );
});

describe("the form of a stop", () => {
  test("has a quantity and a side in one-way mode, where a position may turn", () => {
    const w = story(`
      list BTC LONG 0.004, one-way
      0.25 s                   -> protects 0.004
    `);
    expect(w.last("protect").order).toMatchObject({ condition: "CONDITIONAL", side: "SELL", positionSide: "NONE" });
  });

  test("a form that the venue accepts after refusing another is requested first from then on", () => {
    const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all
      protect refused 400001
      0.25 s                   -> protects 0.004
      protect done S1
      list BTC LONG 0.004 @ 60000, ETH LONG 0.1 @ 3000
      0.25 s                   -> protects 0.1
    `);
    expect(w.last("protect").order).toMatchObject({ symbol: ETH, condition: "CONDITIONAL" });
  });

  test("stays as it was where the venue says that there is nothing to close", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all
      protect refused 401097
      4.1 s                    -> protects all
    `);
  });
});
