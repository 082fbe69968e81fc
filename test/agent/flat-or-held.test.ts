/**
 * Whether a position is held: pushes bear no time and may come late, lists lag, and a restart knows only what was written
 * down. What is held must get its stop in time, and what is flat must get none. Faults R9, U3, U4; invariants I5, I9.
 */
import { describe, expect, test } from "vitest";
import { NO_TRADES, type PastFill } from "../../src/agent/positions/trade-book.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Execution, OrderUpdate } from "../../src/domain/order.ts";
import {
  BTC,
  ETH,
  position,
  ready,
  rulesOf,
  scripted,
  standingStop,
  START_MS,
  update,
  target,
  world,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import type { EndedIntent } from "../../src/agent/books/intents.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import { heldBefore, overBefore } from "../support/past-facts.ts";

const HELD = position(BTC, "0.004", "60000");
const STOP = standingStop();
type World = ReturnType<typeof ready>;

const exit: Execution = {
  transactionId: "1",
  orderId: "2190000000000401",
  clientOrderId: "2190000000000401",
  symbol: BTC,
  side: "SELL",
  qty: dec("0.004"),
  price: dec("60000"),
  fee: dec("0.1"),
  realizedPnl: ZERO,
  liquidity: "TAKER",
  atMs: START_MS,
};

const reported = (w: World, qty: string, positionSide: "LONG" | "SHORT" | "NONE" = "LONG") =>
  w.feed({
    kind: "position",
    update: { symbol: BTC, positionSide, qty: dec(qty), avgPrice: dec("60000"), leverage: null },
  });
const seconds = (w: World, count: number): void => {
  for (let at = 0; at < count; at++) w.tick(1_000);
};
const held = (w: World): number => w.agent.status(w.nowMs).positions.length;
const trades = (w: World) => w.of("record").filter(({ row, body }) => row === "trade" && body["event"] === "closed");

test("a position is flat when the venue says that there is nothing to reduce, and its stop is cancelled", () => {
  const chosen = scripted("less", () => ({ kind: "targets", targets: [target({ size: 0.3 })], note: "" }));
  story(
    `
    list BTC LONG 0.004, S1
    2 s                        -> places BTC SELL
    1 s
    place refused 401097       -> holds nothing
    7 s                        -> cancels S1 once
    `,
    ready({ strategies: { chosen, fallback: chosen } }),
  );
});

test("a late push of both fills after both were closed is no new position: the list is read before a stop", () => {
  const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
  const w = ready({ strategies: { chosen, fallback: chosen } });
  while (w.of("place").length === 0) w.tick(1_000);
  const placed = w.last("place");
  const { qty } = placed.intent.draft.order;
  const both = qty.mul(2);
  reported(w, qty.toFixed());
  const fill = { ...exit, qty: both, price: dec("59900"), realizedPnl: dec("-1"), atMs: w.nowMs };
  w.feed({ kind: "fill", execution: fill });
  reported(w, "0");
  w.feed({ kind: "order", update: update(placed, { state: "FILLED", executedQty: qty }) });
  reported(w, both.toFixed());
  const asked = w.of("read-account").length;
  w.tick(3_500);
  w.account({ positions: [], startedAtMs: w.nowMs - 100 });
  seconds(w, 4);
  expect(w.of("read-account").length).toBeGreaterThan(asked);
  expect(held(w)).toBe(0);
  expect(w.of("protect").filter(({ order }) => order.qty?.eq(both))).toEqual([]);
});

test("a late push of an order whose fill has been counted tells of no new position", () => {
  const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
  story(
    `
    until place
    fill BUY 0.003 as order now -> holds BTC LONG 0.003
    0.25 s                      -> asks order, protects all
    stop S1 for 0.003
    1 s
    fill SELL 0.003 by 401 now
    push BTC LONG flat          -> holds nothing
    stop S1 CANCELLED
    1 s
    order FILLED by 300
    push BTC LONG 0.003
    2 s                         -> nothing
    list nothing                -> holds nothing
    `,
    ready({ strategies: { chosen, fallback: chosen } }),
  );
});

test("nor does one of an order that only a record after the close says to have filled before it", () => {
  const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
  const w = ready({ strategies: { chosen, fallback: chosen } });
  story("until place\n0.25 s", w);
  const { nowMs } = w;
  story(
    `
    push BTC LONG 0.003         -> holds BTC LONG 0.003
    1 s                         -> protects all
    stop S1 for 0.003
    fill SELL 0.003 by 401 now
    push BTC LONG flat          -> holds nothing
    stop S1 CANCELLED
    1 s
    `,
    w,
  );
  const { qty: executedQty } = w.last("place").intent.draft.order;
  const filled = update(w.last("place"), { state: "FILLED", executedQty, avgPrice: dec("60000"), updatedAtMs: nowMs });
  w.feed({ kind: "order", update: filled });
  story(
    `
    push BTC LONG 0.003
    2 s                         -> nothing
    list nothing                -> holds nothing
    `,
    w,
  );
});

/** A position that was closed, and that a push reports as held a second later. */
const LATE = `
  push BTC LONG 0.004
  stop S1
  push BTC LONG flat
  stop S1 CANCELLED
  1 s
  push BTC LONG 0.004
`;

describe("a push of a position that was flat a moment ago, while no order filled", () => {
  test("gets no stop before a list was requested, and ends without a trade if the list lacks it", () => {
    const w = story(`${LATE}
      3 s                      -> nothing, reads, holds BTC LONG 0.004
      list nothing             -> holds nothing
      8 s                      -> nothing
      16 s                     -> nothing
      fills none
      0.25 s
    `);
    expect(trades(w)).toHaveLength(1);
  });

  test("is protected once the list shows it", () => {
    story(`${LATE}
      1 s                      -> nothing
      list BTC LONG 0.004, new
      0.25 s                   -> protects all
    `);
  });

  test("is protected when no list comes in time", () => {
    story(`${LATE}
      5 s                      -> protects all
    `);
  });
});

test("a push without a time may be from before an end that a fill tells afterwards: the next list decides", () => {
  const w = story(`
    list BTC LONG 0.004, S1
    wants BTC flat
    until close
    close done 401
    stop S1 CANCELLED
    1 s
    list nothing               -> holds nothing
    push BTC LONG 0.004        -> holds BTC LONG 0.004
    0.5 s                      -> protects all
    protect done S2
    stop S2
    fill SELL 0.004 @ 60000 by 401 1.5 s ago
    2 s                        -> reads
    list nothing               -> holds nothing
    7 s                        -> cancels S2 once
    90 s
  `);
  expect(trades(w)).toHaveLength(1);
});

describe("a position that fills have closed while no push has reported it as flat", () => {
  const TAKEN = `
    push BTC LONG 0.004
    stop S1
    1 s
    fill SELL 0.004 by 401 1 s ago
    stop S1 CANCELLED
  `;

  test("gets no new stop before a list was requested, and is over if the list lacks it", () => {
    const w = story(`${TAKEN}
      3 s                      -> nothing, reads
      list nothing             -> holds nothing
      6 s                      -> nothing
    `);
    w.tick(90_000);
    expect(trades(w)).toHaveLength(1);
  });

  test.each([
    ["LONG", "LONG 0.006", "LONG"],
    ["NONE", "NONE -0.006", "SHORT"],
  ])("is over once another begins, which no late push of the first one's end can end (%s)", (side, began, shown) => {
    const w = story(`${TAKEN}
      list nothing, no stops, asked 0.5 s ago
      push BTC ${began}
    `);
    w.tick(3_000);
    w.account({ account: null, positions: null, openOrders: null });
    story(`push BTC ${side} flat`, w);
    const asked = w.of("read-account").length;
    w.tick(3_500);
    expect(w.of("read-account").length).toBeGreaterThan(asked);
    story(`list BTC ${shown} 0.006 began 3 s ago, no stops -> holds BTC ${shown} 0.006`, w);
    expect(w.logs("position.closed")).toHaveLength(1);
  });

  test("is another one in the first list that shows it, though its fill had closed more than was known", () => {
    story(`
      push BTC LONG 0.004
      stop S1
      1 s
      fill SELL 0.006 by 401 1 s ago
      stop S1 CANCELLED
      3 s                      -> nothing, reads
      list nothing             -> holds nothing
      4 s
      list BTC LONG 0.002 began 5 s ago, no stops -> holds BTC LONG 0.002
    `);
  });

  test("is over, and the record of a fill that closed more than was known shows what it left", () => {
    const w = story("push BTC LONG 0.004\nstop S1\n1 s");
    const filledMs = w.nowMs;
    w.feed({ kind: "fill", execution: { ...exit, qty: dec("0.006"), atMs: filledMs } });
    story("stop S1 CANCELLED\n3 s\nlist nothing             -> holds nothing\n4 s", w);
    const left = { ...position(BTC, "0.002", "60000"), createdAtMs: filledMs - 500, updatedAtMs: filledMs };
    w.account({ positions: [left], startedAtMs: w.nowMs - 100 });
    expect(held(w)).toBe(1);
  });

  test("counts as another one where a push shows more than was closed: the stop ended with the first", () => {
    story(`
      push BTC LONG 0.004
      stop S1
      1 s
      fill SELL 0.004 by 401 1 s ago
      push BTC LONG 0.006
      2 s                      -> nothing
      4 s                      -> protects all, cancels S1
    `);
  });

  test("the same is known from the closing order alone, where the push of its fill is lost; both count once", () => {
    story(`
      push BTC LONG 0.004
      stop S1
      1 s
      order 401 PARTIALLY_FILLED SELL LONG executed 0.002 dated 1000
      fill SELL 0.002 by 401 1 s ago
      1 s
      list nothing, no stops   -> holds BTC LONG 0.004
      order 401 FILLED SELL LONG dated 2000
      1 s
      list nothing, no stops   -> holds nothing
    `);
  });

  test("is held after all, and protected, once a list requested later shows it", () => {
    story(`${TAKEN}
      list BTC LONG 0.004, no stops, asked 0.5 s ago
      0.25 s                   -> nothing
      list BTC LONG 0.004, no stops
      0.25 s                   -> protects all
    `);
  });
});

/** A position that began again after a close, with its own stop, and that a push reports as flat. */
const BEGUN_AGAIN = `
  list BTC LONG 0.004, S1
  push BTC LONG flat
  1 s
  list BTC LONG 0.004, new, no stops
  stop S2
  1 s
  push BTC LONG flat
`;

describe("a push that says flat of a position that has begun again, which no fill has taken", () => {
  test("may be stale: position and stop stay until a requested list shows the position", () => {
    story(`${BEGUN_AGAIN}
      0 s                      -> holds BTC LONG 0.004
      4 s                      -> reads
      list BTC LONG 0.004, S2
      20 s                     -> nothing, holds BTC LONG 0.004, stop live
    `);
  });

  test("is true where the list lacks it too", () => {
    story(`${BEGUN_AGAIN}
      2 s
      list nothing, no stops   -> holds nothing
    `);
  });
});

test("a stop known only from its reply is cancelled as well when its position is flat", () => {
  story(`
    push BTC LONG 0.004
    0.25 s                     -> protects all
    protect done S7
    push BTC LONG flat
    7 s                        -> cancels S7
  `);
});

test("a push of a stop that came late, from before its end, protects no position that opens afterwards", () => {
  story(`
    push BTC LONG 0.004
    stop S1 CANCELLED
    push BTC LONG flat
    stop S1
    25 s
    push BTC LONG 0.004
    0.25 s                     -> stop asked
    list BTC LONG 0.004, S1    -> stop asked
  `);
});

describe("a stop that was taken away while its position was flat is not taken to stand on the next one", () => {
  const BEGUN_AFTER = `
    unstop done
    25 s
    push BTC LONG 0.004
    0.25 s                     -> stop asked
  `;

  test("where a push reported it, and none of its end", () => {
    story(`
      push BTC LONG 0.004
      0.25 s
      push BTC LONG flat
      stop S1
      8 s                      -> cancels S1, asks by its own id
      ${BEGUN_AFTER}
    `);
  });

  test("where the list of stops came before the first list of positions", () => {
    const w = world();
    w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
    story(
      `
      stops S1
      list nothing, S1         -> cancels S1
      ${BEGUN_AFTER}
      `,
      w,
    );
  });
});

test("a push from before the end of an order of an earlier run ends its intent no second time", () => {
  const w = ready({ restored: { ourClientIds: new Set(["i-old-1"]) } });
  const late: OrderUpdate = {
    orderId: "2190000000000501",
    clientOrderId: "i-old-1",
    state: "OPEN",
    executedQty: ZERO,
    avgPrice: ZERO,
    symbol: BTC,
    side: "BUY",
    positionSide: "LONG",
    qty: dec("0.004"),
    limitPrice: dec("59000"),
    fee: ZERO,
    reason: "",
    cancelPending: false,
    updatedAtMs: null,
  };
  w.feed({ kind: "order", update: late });
  w.tick();
  expect(w.last("look-up")).toMatchObject({ clientOrderId: "i-old-1" });
  w.feed({ kind: "order", update: { ...late, state: "CANCELLED" } });
  expect(w.agent.status(w.nowMs).orders).toHaveLength(0);
  expect(w.of("record").filter(({ row, body }) => row === "intent" && body["event"] === "end")).toHaveLength(0);
});

describe("a list that lags behind a fill", () => {
  /** The second half was bought five seconds after the start, by the venue's clock. */
  const opened = (): World => {
    const w = story("push BTC LONG 0.004");
    w.feed({ kind: "fill", execution: { ...exit, side: "BUY", atMs: START_MS + 5_000 } });
    return story("push BTC LONG 0.008 -> holds BTC LONG 0.008\n1 s", w);
  };
  const listed = (w: World, updatedAtMs: number) => w.account({ positions: [{ ...HELD, updatedAtMs }] });

  test("does not make a position smaller again", () => {
    const w = opened();
    listed(w, START_MS + 4_999);
    story("0 s -> holds BTC LONG 0.008", w);
  });

  test.each([
    ["the venue changed it later", START_MS + 5_000, "0 s"],
    ["it gives no time", 0, "0 s"],
    ["it says the same for too long", START_MS, "20 s"],
  ])("counts when %s", (_, updatedAtMs, wait) => {
    const w = story(wait, opened());
    listed(w, updatedAtMs);
    story("0 s -> holds BTC LONG 0.004", w);
  });
});

test("nothing is opened while a position that a list lacked may come back", () => {
  const chosen = scripted("more", () => ({ kind: "targets", targets: [target({ symbol: ETH })], note: "" }));
  const w = ready({ strategies: { chosen, fallback: chosen } });
  w.account({ positions: [HELD], openAlgos: [STOP] });
  w.quote(6_000);
  w.account({ positions: [] });
  w.tick();
  expect(w.of("place")).toHaveLength(0);
  expect(w.logs("order.dropped").concat(w.logs("review.verdict")).join()).toContain("A list lacked a position");
});

const ORDER: PlaceOrder = {
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  qty: dec("0.05"),
  limitPrice: dec("3000"),
  timeInForce: "GTC",
  reduceOnly: false,
  clientOrderId: "i-1",
};

test("nothing is opened while a list may lack what an order filled just before the start", () => {
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [target()], note: "" }));
  const ended: EndedIntent = {
    clientOrderId: "i-old-1",
    decisionId: "d",
    opening: true,
    draft: { order: { ...ORDER, symbol: ETH, clientOrderId: "i-old-1" }, stopPrice: null, targetPrice: null },
    orderId: "2190000000000009",
    state: "FILLED",
    executedQty: ORDER.qty,
    ending: "FILLED",
    unsent: false,
    unshown: { shownQty: ZERO, filledMs: START_MS - 2_000 },
  };
  const w = ready({ strategies: { chosen, fallback: chosen }, restored: { endedIntents: [ended] } });
  for (let seconds = 0; seconds < 14; seconds++) w.tick(1_000);
  w.account();
  expect(w.of("place")).toHaveLength(0);
  for (let looks = 0; looks < 20; looks++) {
    w.tick(4_000);
    w.account();
  }
  expect(w.of("place").length).toBeGreaterThan(0);
});

describe("after a restart", () => {
  const restarted = (closedAtMs: number) => ready({ restored: { positionFacts: [overBefore(closedAtMs)] } });
  /** A list that shows the position of before. */
  const OLD = "list BTC LONG 0.004 began 60 s ago, no stops";

  test("a list that lags does not bring back what the journal reports to be over", () => {
    story(`${OLD} -> holds nothing`, restarted(START_MS - 3_000));
  });

  test("a position that began later is held, and so is one that is listed for longer than lists lag", () => {
    story("list BTC LONG 0.004, new, no stops -> holds BTC LONG 0.004", restarted(START_MS - 3_000));
    story(`18 s\n${OLD.replace("60 s", "78.5 s")} -> holds BTC LONG 0.004`, restarted(START_MS - 3_000));
  });

  test("a position ended by a list comes back with the next list that shows it, one ended by a push does not", () => {
    story(`
      list BTC LONG 0.004, no stops
      6 s
      list nothing, no stops
      restart
      list BTC LONG 0.004, no stops    -> holds BTC LONG 0.004
    `);
    story(`
      list BTC LONG 0.004, no stops
      push BTC LONG flat
      restart
      list BTC LONG 0.004, no stops    -> holds nothing
    `);
  });

  test("a list that lags does not bring back a position that fills have closed", () => {
    const before = heldBefore({
      ...{ openedAtMs: START_MS - 60_000, stopPrice: dec("59000"), standingAlgoId: STOP.algoOrderId },
      closed: { qty: dec("0.004"), atMs: START_MS - 1_000, heardMs: START_MS - 900 },
    });
    const begun = { ...HELD, createdAtMs: START_MS - 60_000, updatedAtMs: START_MS - 60_000 };
    const w = ready({ restored: { positionFacts: before } }, { positions: [begun] });
    story(
      `
      3 s                      -> nothing, journal nothing
      list nothing, no stops   -> holds nothing, journal closed
      1 s
      list BTC LONG 0.004 began 0.2 s ago, no stops    -> holds BTC LONG 0.004
      `,
      w,
    );
  });

  describe("a position that was opened just before and that the first list lacks", () => {
    const before = (openedAgoMs: number) => {
      const held = heldBefore({
        ...{ decisionId: "d-old-1", strategy: "momentum", thesis: "it rose", stopPrice: dec("59000") },
        ...{ openedAtMs: START_MS - openedAgoMs, reportedMs: START_MS - openedAgoMs },
        standingAlgoId: STOP.algoOrderId,
      });
      const entry: PastFill = {
        positionKey: `${BTC}|LONG`,
        opening: true,
        execution: { ...exit, transactionId: "0", side: "BUY" },
      };
      const trades = { ...NO_TRADES, fills: [entry] };
      return ready({ restored: { positionFacts: held, trades } }, { positions: [], openAlgos: [STOP] });
    };

    test("is awaited with its stop and its thesis, and nothing is opened meanwhile", () => {
      const w = story(
        `
        0 s                    -> journal nothing
        4 s                    -> reads, nothing
        list BTC LONG 0.004 began 6.5 s ago            -> journal opened, nothing
        25 s                   -> holds BTC LONG 0.004, stop live
        `,
        before(2_000),
      );
      expect(w.agent.status(w.nowMs).positions).toMatchObject([{ decision: "d-old-1", wantedStopPrice: "59000" }]);
    });
  });

  test("a close of this instant hides a position for no longer than lists lag", () => {
    story(`${OLD} -> holds nothing`, restarted(START_MS));
    story(`21 s\n${OLD.replace("60 s", "81 s")} -> holds BTC LONG 0.004`, restarted(START_MS));
  });
});

describe("a push that reports an unknown position as flat", () => {
  test.each(["LONG", "NONE"])("outdates a list requested before it (%s)", (side) => {
    story(`
      5 s
      push BTC ${side} flat
      list BTC LONG 0.004, no stops, asked 1 s ago    -> holds nothing
      1 s
      list BTC LONG 0.004, no stops                   -> holds BTC LONG 0.004
    `);
  });
});

test("a position that a list lacks is looked for again soon, and its time without a stop goes on counting", () => {
  // Ten seconds without a stop is too long already: it is given up.
  story(`
    list BTC LONG 0.004, no stops
    0.25 s                     -> protects all
    protect unknown
    6 s
    list nothing, no stops     -> holds nothing
    4 s                        -> reads
    list BTC LONG 0.004, no stops
    0.25 s                     -> closes once
  `);
});

test("in one-way mode a flat push ends the short that is held", () => {
  story(`
    2.25 s
    push BTC NONE -0.004       -> holds BTC SHORT 0.004
    push BTC NONE flat         -> holds nothing
  `);
});

test("in one-way mode an older list does not bring back the side that a push has turned", () => {
  story(`
    2.25 s
    push BTC NONE 0.004
    0.25 s
    list BTC SHORT 0.002, no stops, asked 0.5 s ago    -> holds BTC LONG 0.004
    0.25 s
    list BTC SHORT 0.002, no stops                     -> holds BTC LONG 0.004, holds BTC SHORT 0.002
  `);
});

test("in one-way mode a position on the other side is the end of this one: its stop goes in seconds", () => {
  story(`
    push BTC NONE 0.004
    stop S1
    1 s
    push BTC NONE -0.002
    1 s
    list BTC SHORT 0.002       -> nothing
    8 s                        -> cancels S1 once, closes
  `);
});

test("in one-way mode what our order opens has closed the other side first, and a list may agree", () => {
  const w = story(`
    list nothing, one-way
    wants BTC SHORT 0.5
    1 s                        -> places BTC SELL
    push BTC NONE 0.002        -> holds BTC LONG 0.002
    fill SELL 0.003 by order as order now
    1 s
    list nothing, one-way      -> holds BTC SHORT 0.003
  `);
  expect(w.agent.status(w.nowMs).positions.map(({ side }) => side)).toEqual(["SHORT"]);
});

test("in one-way mode a record of the other side, as new as a fill of our order, includes that fill", () => {
  story(`
    list nothing, one-way
    wants BTC SHORT 0.5
    1 s                        -> places BTC SELL
    push BTC NONE 0.005        -> holds BTC LONG 0.005
    1 s
    list BTC LONG 0.002, one-way, no stops
    fill SELL 0.003 by order as order now -> holds BTC LONG 0.002
  `);
});

test("in one-way mode a record of the other side includes an older fill, though no push has come yet", () => {
  story(`
    list nothing, one-way
    wants BTC LONG 0.5
    1 s                        -> places BTC BUY
    2 s
    list BTC SHORT 0.002, one-way, no stops
    fill BUY 0.003 by order as order 0.5 s ago -> holds BTC SHORT 0.002
  `);
});

test("in one-way mode a close does not leave once an order of ours has turned the position", () => {
  const w = story(`
    list BTC SHORT 0.002, one-way
    wants BTC LONG 0.5
    1 s                        -> protects 0.002, closes BTC SHORT
  `);
  const { known } = w.last("close");
  expect(w.agent.recheckClose(known)).toBeNull();
  story("push BTC NONE 0.003", w);
  expect(w.agent.recheckClose(known)).toMatch(/has reversed from SHORT to LONG/);
});

describe("our own close that took all of a position with a stop", () => {
  const closed = () => ready({ restored: { namedCloses: [{ orderId: exit.orderId, askedMs: -Infinity }] } });

  test("a push that repeats exactly what was held before came late: the list decides", () => {
    story(
      `
      list BTC LONG 0.004, no stops
      1 s
      stop S1
      fill SELL 0.004 by 401 now
      1 s
      push BTC LONG 0.004
      6 s                      -> nothing
      list nothing             -> nothing
      8 s                      -> cancels S1 once, holds nothing
      `,
      closed(),
    );
  });

  test("the cancel of its stop is repeated at intervals without an answer, or when the venue says", () => {
    const w = story(
      `
      list BTC LONG 0.004, no stops
      stop S1
      fill SELL 0.004 by 401 now
      6 s                      -> nothing
      list nothing             -> holds nothing
      until cancel-algo        -> cancels S1 once
      unstop unknown
      4 s                      -> nothing
      1 s                      -> cancels S1 once
      unstop unknown
      16 s                     -> nothing
      1 s                      -> cancels S1 once
      unstop unknown
      16 s                     -> nothing
      1 s                      -> cancels S1 once
      `,
      closed(),
    );
    const { algoOrderId } = w.last("cancel-algo");
    const sent = { kind: "rate-limited", retryAtMs: w.nowMs + 9_000, message: "3 per 50000 ms" } as const;
    w.feed({ kind: "algo-cancel-sent", algoOrderId, sent });
    story(
      `
      8 s                      -> nothing
      1 s                      -> cancels S1 once
      unstop unknown
      16 s                     -> nothing
      1 s                      -> cancels S1 once
      `,
      w,
    );
  });
});

test.each(["0.003", "0.002"])("an opening fill from before the stop's exit of %s is of the same position", (closed) => {
  const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
  story(
    `
    until place
    rest
    1 s
    fill BUY 0.002 as order now
    stop S1
    1 s
    fill SELL ${closed} by 301 now earning -1
    fill BUY 0.001 as order 0.5 s ago   -> holds BTC LONG 0.003, stop live, journal opened resized
    0.25 s                              -> asks order
    `,
    ready({ strategies: { chosen, fallback: chosen } }),
  );
});

describe("once fills have closed a position, its plan is none of the next one", () => {
  const BOUGHT = `
    until place
    rest
    1 s
    fill BUY 0.003 as order now         -> holds BTC LONG 0.003
    order FILLED
    stop S1
    1 s
    list BTC LONG 0.003, S1
    1 s
  `;
  const bought = (): World => {
    const chosen = scripted("once", () => ({ kind: "targets", targets: [target()], note: "" }));
    return ready({ strategies: { chosen, fallback: chosen } });
  };

  test("a late push that shows more than was held waits for a list", () => {
    story(
      `${BOUGHT}
      fill SELL 0.001 by 301 now earning 0.1
      push BTC LONG 0.002
      1 s
      fill SELL 0.002 by 302 now earning -1
      push BTC LONG 0.003
      2 s                               -> nothing
      `,
      bought(),
    );
  });

  test("nor is that of an order whose fill was reported only after them", () => {
    story(
      `
      until place
      rest
      1 s
      fill BUY 0.002 as order now
      stop S1
      1 s
      fill SELL 0.003 by 301 now earning -1
      fill BUY 0.001 as order 0.5 s ago
      stop S1 FINISHED
      0.25 s
      list nothing, no stops              -> holds nothing
      push BTC LONG 0.002
      2 s                                 -> asks order
      `,
      bought(),
    );
  });

  test("what somebody opens then is not closed at the stop of the position before", () => {
    story(
      `${BOUGHT}
      price 58000
      0.25 s
      fill SELL 0.003 @ 58200 by 301 now earning -5.4
      1 s
      push BTC LONG 0.002 @ 58000 dated 60000
      0.25 s                            -> protects all
      `,
      bought(),
    );
  });
});
