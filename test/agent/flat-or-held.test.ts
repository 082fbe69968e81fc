/**
 * Whether a position is held: pushes bear no time and may come late, lists lag, and a restart knows only what was written
 * down. What is held must get its stop in time, and what is flat must get none. Faults R9, U3, U4; invariants I5, I9.
 */
import { describe, expect, test } from "vitest";
import type { RestoredPosition } from "../../src/agent/positions/held-position.ts";
import type { PastFill } from "../../src/agent/positions/trade-book.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Execution, OrderUpdate } from "../../src/domain/order.ts";
import { restore } from "../../src/restore/restore.ts";
import { rejected } from "../../src/protocol/codes.ts";
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
import { readerOf } from "../support/reader-of.ts";

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
  const w = ready({ strategies: { chosen, fallback: chosen } });
  w.account({ positions: [HELD], openAlgos: [STOP] });
  seconds(w, 2);
  const { intent } = w.last("place");
  expect(intent.opening).toBe(false);
  const { clientOrderId } = intent;
  w.tick(1_000);
  w.feed({ kind: "placed", clientOrderId, sent: rejected("401097", "nothing to reduce") });
  expect(held(w)).toBe(0);
  seconds(w, 7);
  expect(w.of("cancel-algo")).toMatchObject([{ algoOrderId: STOP.algoOrderId }]);
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

/** A position that was closed, and of which a push says a second later that it is held. */
const LATE = `
  push BTC LONG 0.004
  stop S1
  push BTC LONG flat
  stop S1 CANCELLED
  1 s
  push BTC LONG 0.004
`;

describe("a push of a position that was flat a moment ago, while no order filled", () => {
  test("gets no stop before a list was asked for, and is gone when the list lacks it, as no trade of its own", () => {
    const w = story(`${LATE}
      3 s                      -> nothing, reads, holds BTC LONG 0.004
      list nothing             -> holds nothing
      8 s                      -> nothing
      16 s                     -> nothing
    `);
    w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [] });
    w.tick();
    expect(trades(w)).toHaveLength(1);
  });

  test("is protected once the list shows it", () => {
    story(`${LATE}
      1 s                      -> nothing
      list BTC LONG 0.004, new
      0.25 s                   -> protects 0.004
    `);
  });

  test("is protected when no list comes in time", () => {
    story(`${LATE}
      5 s                      -> protects 0.004
    `);
  });
});

describe("a position of which fills took everything, while no push reported that it is flat", () => {
  const taken = () => {
    const w = ready();
    reported(w, "0.004");
    w.feed({ kind: "algo", algo: STOP });
    w.tick(1_000);
    w.feed({ kind: "fill", execution: exit });
    w.feed({ kind: "algo", algo: { ...STOP, state: "CANCELLED", updatedAtMs: 1 } });
    return w;
  };

  test("gets no new stop before a list was asked for, and is over when the list lacks it", () => {
    const w = story(
      `
      3 s                      -> nothing, reads
      list nothing             -> holds nothing
      6 s                      -> nothing
      `,
      taken(),
    );
    expect(trades(w)).toHaveLength(1);
  });

  test("and that began again is not over by the push of then, which comes late: the list decides", () => {
    for (const side of ["LONG", "NONE"] as const) {
      const w = taken();
      w.account({ startedAtMs: w.nowMs - 500 });
      reported(w, side === "NONE" ? "-0.006" : "0.006", side);
      w.tick(3_000);
      w.feed({ kind: "account-read-failed", reason: "not now" });
      const asked = w.of("read-account").length;
      reported(w, "0", side);
      w.tick(3_500);
      expect(w.of("read-account").length).toBeGreaterThan(asked);
      const shown = position(BTC, "0.006", "60000", side === "NONE" ? "SHORT" : "LONG");
      w.account({ positions: [{ ...shown, createdAtMs: w.nowMs - 3_000 }] });
      expect(w.agent.status(w.nowMs).positions).toMatchObject([{ qty: "0.006" }]);
      expect(w.logs("position.closed")).toHaveLength(side === "NONE" ? 1 : 0);
    }
  });

  test("the same is known from the closing order alone, where the push of its fill is lost; both count once", () => {
    const w = ready();
    reported(w, "0.004");
    w.feed({ kind: "algo", algo: STOP });
    w.tick(1_000);
    const order: OrderUpdate = {
      ...{ orderId: exit.orderId, clientOrderId: exit.orderId, state: "PARTIALLY_FILLED", symbol: BTC, side: "SELL" },
      ...{
        positionSide: "LONG",
        qty: dec("0.004"),
        executedQty: dec("0.002"),
        avgPrice: dec("60000"),
        limitPrice: null,
      },
      ...{ fee: null, reason: "", cancelPending: false, updatedAtMs: null },
    };
    w.feed({ kind: "order", update: order });
    w.feed({ kind: "fill", execution: { ...exit, qty: dec("0.002") } });
    w.tick(1_000);
    w.account({ positions: [] });
    expect(held(w)).toBe(1);
    w.feed({ kind: "order", update: { ...order, state: "FILLED", executedQty: dec("0.004") } });
    w.tick(1_000);
    w.account({ positions: [] });
    expect(held(w)).toBe(0);
  });

  test("is held after all, and protected, once a list shows it that was asked for later", () => {
    story(
      `
      list BTC LONG 0.004, no stops, asked 0.5 s ago
      0.25 s                   -> nothing
      list BTC LONG 0.004, no stops
      0.25 s                   -> protects 0.004
      `,
      taken(),
    );
  });
});

/** A position that began again after a close, with a stop of its own, and of which a push says that it is flat. */
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
  test("may be of before: the position and its stop stay, a list is asked for, and shows it", () => {
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

test("a stop of which only the reply reported is taken away as well when its position is flat", () => {
  story(`
    push BTC LONG 0.004
    0.25 s                     -> protects 0.004
    protect done S7
    push BTC LONG flat
    7 s                        -> cancels S7
  `);
});

test("a push of a stop that came late, from before its end, protects no position that opens afterwards", () => {
  const w = ready();
  reported(w, "0.004");
  w.feed({ kind: "algo", algo: { ...STOP, state: "CANCELLED" } });
  reported(w, "0");
  w.feed({ kind: "algo", algo: STOP });
  seconds(w, 25);
  reported(w, "0.004");
  w.tick();
  expect(w.agent.status(w.nowMs).positions).toMatchObject([{ protection: "asked" }]);
  w.account({ positions: [HELD], openAlgos: [STOP] });
  expect(w.agent.status(w.nowMs).positions).toMatchObject([{ protection: "asked" }]);
});

describe("a stop that was taken away while its position was flat is not taken to stand on the next one", () => {
  const begunAfter = (w: World) => {
    const { algoOrderId } = w.last("cancel-algo");
    w.feed({ kind: "algo-cancel-sent", algoOrderId, sent: { kind: "done", value: undefined } });
    seconds(w, 25);
    reported(w, "0.004");
    w.tick();
    return w.agent.status(w.nowMs).positions;
  };

  test("where a push reported it, and none of its end", () => {
    const w = ready();
    reported(w, "0.004");
    w.tick();
    reported(w, "0");
    w.feed({ kind: "algo", algo: STOP });
    seconds(w, 8);
    expect(begunAfter(w)).toMatchObject([{ protection: "asked" }]);
  });

  test("where the list of stops came before the first list of positions", () => {
    const w = world();
    w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
    w.feed({ kind: "algos-read", startedAtMs: w.nowMs, algos: [STOP] });
    w.account({ openAlgos: [STOP] });
    expect(begunAfter(w)).toMatchObject([{ protection: "asked" }]);
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
  const opened = (): World => {
    const w = ready();
    reported(w, "0.004");
    w.feed({ kind: "fill", execution: { ...exit, side: "BUY", atMs: START_MS + 5_000 } });
    reported(w, "0.008");
    w.tick(1_000);
    return w;
  };
  const qty = (w: World) => w.agent.status(w.nowMs).positions.map((leg) => leg.qty);

  test("does not make a position smaller again", () => {
    const w = opened();
    w.account({ positions: [{ ...HELD, updatedAtMs: START_MS + 4_999 }] });
    expect(qty(w)).toEqual(["0.008"]);
  });

  test("counts when the venue changed it later, gives no time, or says the same for too long", () => {
    for (const updatedAtMs of [START_MS + 5_000, 0]) {
      const w = opened();
      w.account({ positions: [{ ...HELD, updatedAtMs }] });
      expect(qty(w)).toEqual(["0.004"]);
    }
    const w = opened();
    seconds(w, 20);
    w.account({ positions: [{ ...HELD, updatedAtMs: START_MS }] });
    expect(qty(w)).toEqual(["0.004"]);
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

test("nothing is opened while a list may lack what an order filled just before the start", () => {
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [target()], note: "" }));
  const w = ready({ strategies: { chosen, fallback: chosen }, restored: { filledMs: START_MS - 2_000 } });
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
  const restarted = (closedAtMs: number) =>
    ready({ restored: { closedPositions: [{ symbol: BTC, side: "LONG", closedAtMs, missed: false }] } });
  const old = { ...HELD, createdAtMs: START_MS - 60_000 };

  test("a list that lags does not bring back what the journal reports to be over", () => {
    const w = restarted(START_MS - 3_000);
    w.account({ positions: [old] });
    expect(held(w)).toBe(0);
  });

  test("a position that began later is held, and so is one that is listed for longer than lists lag", () => {
    const younger = restarted(START_MS - 3_000);
    younger.account({ positions: [HELD] });
    expect(held(younger)).toBe(1);
    const w = restarted(START_MS - 3_000);
    seconds(w, 18);
    w.account({ positions: [old] });
    expect(held(w)).toBe(1);
  });

  test("a position ended by a list comes back with the next list that shows it, one ended by a push does not", () => {
    const first = ready();
    first.account({ positions: [HELD] });
    seconds(first, 6);
    first.account({ positions: [] });
    const missed = ready({ restored: restore(readerOf(first), START_MS) });
    missed.account({ positions: [HELD] });
    expect(held(missed)).toBe(1);
    const second = ready();
    second.account({ positions: [HELD] });
    reported(second, "0");
    const over = ready({ restored: restore(readerOf(second), START_MS) });
    over.account({ positions: [HELD] });
    expect(held(over)).toBe(0);
  });

  test("a list that lags does not bring back what fills had taken whole, though nobody had reported its end", () => {
    const heldPosition: RestoredPosition = {
      ...{ decisionId: "d-old-1", strategy: "momentum", thesis: "it rose", stopPrice: dec("59000"), targetPrice: null },
      ...{ openedAtMs: START_MS - 60_000, qty: dec("0.004"), avgPrice: dec("60000"), reportedMs: 0 },
      ...{ standingAlgoId: STOP.algoOrderId, takenBy: { atMs: START_MS - 1_000, heardMs: START_MS - 900 } },
    };
    const begun = { ...HELD, createdAtMs: START_MS - 60_000, updatedAtMs: START_MS - 60_000 };
    const w = ready({ restored: { positions: new Map([[`${BTC}|LONG`, heldPosition]]) } }, { positions: [begun] });
    seconds(w, 4);
    expect([held(w), w.of("protect").length]).toEqual([0, 0]);
    w.account({ positions: [] });
    const reported = w.of("record").flatMap(({ row, body }) => (row === "position" ? [body["kind"]] : []));
    expect(reported).toEqual(["closed"]);
    w.account({ positions: [{ ...HELD, createdAtMs: w.nowMs - 200 }] });
    expect(held(w)).toBe(1);
  });

  describe("a position that was opened just before and that the first list lacks", () => {
    const before = (openedAgoMs: number) => {
      const heldPosition: RestoredPosition = {
        ...{
          decisionId: "d-old-1",
          strategy: "momentum",
          thesis: "it rose",
          stopPrice: dec("59000"),
          targetPrice: null,
        },
        ...{ openedAtMs: START_MS - openedAgoMs, qty: dec("0.004"), avgPrice: dec("60000") },
        reportedMs: START_MS - openedAgoMs,
        standingAlgoId: STOP.algoOrderId,
      };
      const entry: PastFill = {
        leg: `${BTC}|LONG`,
        opening: true,
        execution: { ...exit, transactionId: "0", side: "BUY" },
      };
      const trades = { closed: [], fills: [entry], funding: [] };
      return ready(
        { restored: { positions: new Map([[entry.leg, heldPosition]]), trades } },
        { positions: [], openAlgos: [STOP] },
      );
    };
    const reported = (w: World) =>
      w.of("record").flatMap(({ row, body }) => (row === "position" ? [body["kind"]] : []));

    test("is awaited with its stop and its thesis, and nothing is opened meanwhile", () => {
      const w = before(2_000);
      expect(reported(w)).toEqual([]);
      const asked = w.of("read-account").length;
      seconds(w, 4);
      expect(w.of("read-account").length).toBeGreaterThan(asked);
      w.account({ positions: [{ ...HELD, createdAtMs: START_MS - 2_000 }], openAlgos: null });
      expect(reported(w)).toEqual(["opened"]);
      seconds(w, 25);
      expect(w.agent.status(w.nowMs).positions).toMatchObject([{ decision: "d-old-1", wantedStopPrice: "59000" }]);
      expect(w.of("cancel-algo")).toEqual([]);
      expect(w.of("close")).toEqual([]);
    });
  });

  test("a close of the future, by a clock that was set back since, hides nothing", () => {
    const w = restarted(START_MS + 3_600_000);
    w.account({ positions: [old] });
    expect(held(w)).toBe(1);
  });
});

describe("a push that reports a position which nobody knew that it is flat", () => {
  test.each(["LONG", "NONE"] as const)("outdates the list that was asked for before (%s)", (side) => {
    const w = ready();
    w.tick(4_000);
    const startedAtMs = w.nowMs;
    w.tick(1_000);
    reported(w, "0", side);
    w.account({ positions: [HELD], startedAtMs });
    expect(held(w)).toBe(0);
    w.tick(1_000);
    w.account({ positions: [HELD] });
    expect(held(w)).toBe(1);
  });
});

test("a position that a list lacks is looked for again soon, and its time without a stop goes on counting", () => {
  const w = ready();
  reported(w, "0.004");
  w.tick();
  w.feed({ kind: "protect-sent", leg: w.last("protect").leg, sent: { kind: "unknown", message: "HTTP 500" } });
  seconds(w, 6);
  w.account({ positions: [] });
  expect(held(w)).toBe(0);
  const asked = w.of("read-account").length;
  seconds(w, 4);
  expect(w.of("read-account").length).toBeGreaterThan(asked);
  w.account({ positions: [HELD] });
  w.tick();
  // Ten seconds without a stop is too long already: it is given up.
  expect(w.of("close")).toMatchObject([{ known: { symbol: BTC, side: "LONG" } }]);
});

test("in one-way mode an older list does not bring back the side that a push has turned", () => {
  const w = ready({});
  seconds(w, 2);
  const startedAtMs = w.nowMs;
  w.tick();
  reported(w, "0.004", "NONE");
  w.tick();
  const short = position(BTC, "0.002", "60000", "SHORT");
  w.account({ startedAtMs, positions: [short] });
  expect(w.agent.status(w.nowMs).positions).toMatchObject([{ side: "LONG" }]);
  w.tick();
  w.account({ positions: [short] });
  expect(w.agent.status(w.nowMs).positions.map(({ side }) => side)).toContain("SHORT");
});

test("in one-way mode a position on the other side is the end of this one: its stop goes in seconds", () => {
  const w = ready();
  reported(w, "0.004", "NONE");
  w.feed({ kind: "algo", algo: STOP });
  w.tick(1_000);
  reported(w, "-0.002", "NONE");
  w.tick(1_000);
  w.account({ positions: [position(BTC, "0.002", "60000", "SHORT")], openAlgos: null });
  for (let seconds = 0; seconds < 8; seconds++) w.tick(1_000);
  expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual([STOP.algoOrderId]);
});

test("a push that repeats exactly what was held before our close took it came late: the list decides", () => {
  const w = ready({ restored: { ownCloseIds: [exit.orderId] } });
  w.account({ positions: [HELD] });
  w.tick(1_000);
  w.feed({ kind: "algo", algo: STOP });
  w.feed({ kind: "fill", execution: { ...exit, atMs: w.nowMs } });
  w.tick(1_000);
  reported(w, "0.004");
  w.tick(6_000);
  w.account({ positions: [], openAlgos: null });
  seconds(w, 8);
  expect(held(w)).toBe(0);
  expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual([STOP.algoOrderId]);
});

test("the cancel of a left stop is repeated at intervals without an answer, or when the venue says", () => {
  const w = ready({ restored: { ownCloseIds: [exit.orderId] } });
  w.account({ positions: [HELD] });
  w.feed({ kind: "algo", algo: STOP });
  w.feed({ kind: "fill", execution: { ...exit, atMs: w.nowMs } });
  w.tick(6_000);
  w.account({ positions: [], openAlgos: null });
  const startMs = w.nowMs;
  const asked: number[] = [];
  const { algoOrderId } = STOP;
  for (let second = 0; second < 120; second++) {
    const before = w.of("cancel-algo").length;
    w.tick(1_000);
    if (w.of("cancel-algo").length === before) continue;
    asked.push(w.nowMs - startMs);
    const sent =
      asked.length === 4
        ? ({ kind: "rate-limited", retryAtMs: w.nowMs + 9_000, message: "3 per 50000 ms" } as const)
        : ({ kind: "unknown", message: "HTTP 503" } as const);
    w.feed({ kind: "algo-cancel-sent", algoOrderId, sent });
  }
  const waits = asked.slice(1).map((atMs, at) => atMs - (asked[at] ?? 0));
  expect(held(w)).toBe(0);
  expect(waits.slice(0, 5)).toEqual([6_000, 17_000, 17_000, 9_000, 17_000]);
});
