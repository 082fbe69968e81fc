/** Lists of the venue lag both ways, and a close of ours comes back as an order that nobody announced. Fault R9. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { Execution, OrderUpdate } from "../../src/domain/order.ts";
import { positionKeyOf } from "../../src/domain/position.ts";
import type { RestoredPosition } from "../../src/agent/positions/held-position.ts";
import { rejected } from "../../src/protocol/codes.ts";
import {
  BTC,
  position,
  ready,
  scripted,
  standingStop,
  START_MS,
  update,
  target,
  world,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const POSITION = positionKeyOf(BTC, "LONG");
const HELD = position(BTC, "0.004", "60000");
const STOP = standingStop();

function held() {
  const w = ready();
  w.account({ positions: [HELD] });
  w.tick();
  return w;
}

function guarded() {
  const w = held();
  w.feed({ kind: "algo", algo: STOP });
  return w;
}

/** Without a stop until the agent asks for a close. */
function closing() {
  const w = held();
  while (w.of("close").length === 0) {
    const { leg: positionKey } = w.last("protect");
    w.feed({ kind: "protect-sent", leg: positionKey, sent: rejected("50001", "not now") });
    w.tick(1_000);
  }
  return w;
}

const exit = (orderId: string): Execution => ({
  transactionId: `t${orderId}`,
  orderId,
  clientOrderId: orderId,
  symbol: BTC,
  side: "SELL",
  qty: dec("0.004"),
  price: dec("60000"),
  fee: dec("0.1"),
  realizedPnl: dec("0"),
  liquidity: "TAKER",
  atMs: 0,
});

/** A long position of 0.004 BTC with its stop. */
const GUARDED = `
  list BTC LONG 0.004   -> nothing
  0.25 s
  stop S1               -> holds BTC LONG 0.004, stop live
`;

describe("a list that merely lacks a position", () => {
  test("takes no stop away from it, and the next list brings it back as it was", () => {
    story(`${GUARDED}
      6 s
      list nothing                 -> holds nothing
      16 s                         -> nothing
      list BTC LONG 0.004, S1      -> holds BTC LONG 0.004, stop live
      10 s                         -> nothing
    `);
  });

  test("costs it its stop in the end, when no later list knows it either", () => {
    story(`${GUARDED}
      6 s
      list nothing
      19 s                         -> nothing
      2 s                          -> cancels S1
    `);
  });

  test("is believed at once where fills have taken all of it", () => {
    story(`${GUARDED}
      6 s
      fill SELL 0.004 by 301
      list nothing
      7 s                          -> cancels S1
    `);
  });
});

describe("what has been opened and no push reports is looked for in the list until it is there", () => {
  const asked = (w: ReturnType<typeof ready>, seconds: number): number => {
    const before = w.of("read-account").length;
    for (let second = 0; second < seconds; second++) w.tick(1_000);
    return w.of("read-account").length - before;
  };

  test("by an order of ours", () => {
    const chosen = scripted("open", () => ({ kind: "targets", targets: [target()], note: "" }));
    const w = ready({ strategies: { chosen, fallback: chosen } });
    while (w.of("place").length === 0) w.tick(1_000);
    w.tick(1_000);
    w.account();
    const order = w.last("place");
    const executedQty = order.intent.draft.order.qty;
    w.feed({ kind: "order", update: update(order, { state: "FILLED", executedQty }) });
    expect(asked(w, 4)).toBe(1);
    w.account();
    expect(asked(w, 4)).toBe(1);
  });

  test("by an external order", () => {
    const w = ready();
    expect(asked(w, 4)).toBe(1);
    w.account();
    w.feed({ kind: "fill", execution: { ...exit("2190000000000400"), side: "BUY", atMs: w.nowMs } });
    expect(asked(w, 4)).toBe(1);
  });
});

test("a fill of another person that may have opened the other side leaves the list of this side in force", () => {
  const w = ready();
  const known = { ...HELD, updatedAtMs: w.nowMs - 5_000 };
  const opened: Execution = { ...exit("2190000000000400"), side: "BUY", atMs: w.nowMs - 6_000 };
  const sold: Execution = { ...exit("2190000000000401"), qty: dec("0.001"), atMs: w.nowMs - 1_000 };
  w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [opened, sold] });
  w.account({ positions: [known, { ...position(BTC, "0.001", "60000", "SHORT"), createdAtMs: w.nowMs - 1_000 }] });
  expect(w.agent.status(w.nowMs).positions.map(({ side, qty }) => [side, qty])).toEqual([
    ["LONG", "0.004"],
    ["SHORT", "0.001"],
  ]);
});

describe("a stop that comes to stand when its position is flat is taken away", () => {
  const FLAT = `
    list BTC LONG 0.004
    0.25 s                     -> protects 0.004
    push BTC LONG flat
  `;

  test.each(["stop S1", "protect done S1"])("reported by %s", (line) => {
    story(`${FLAT}
      ${line}
      8 s                      -> cancels S1
    `);
  });
});

test("a stop whose cancel is only pending is cancelled: the venue may refuse it, and that push may be lost", () => {
  story(`${GUARDED}
    push BTC LONG flat
    stop S1 PENDING_CANCEL
    8 s                        -> cancels S1
  `);
});

/** Held without a stop until the agent asks for a close. */
const CLOSING = `
  list BTC LONG 0.004
  0.25 s                       -> protects 0.004
  until close                  -> protects 0.004, closes
`;

test("a position of which the venue says that there is nothing to close is flat", () => {
  story(`${CLOSING}
    close refused 401097       -> holds nothing
  `);
});

test("a list asked for during a close that lacks the position ends it, though it was just reported", () => {
  story(`${CLOSING}
    close done 301
    list BTC LONG 0.004
    1 s
    list nothing               -> holds nothing
  `);
});

describe("a close that the venue accepts and then rejects: a stop is placed before the next close", () => {
  const orderId = "2190000000000311";
  const refused: OrderUpdate = {
    ...{ orderId, clientOrderId: orderId, state: "REJECTED", symbol: BTC, side: "SELL", positionSide: "LONG" },
    ...{ qty: dec("0.004"), executedQty: dec("0"), avgPrice: dec("0"), limitPrice: null, fee: null, reason: "" },
    ...{ cancelPending: false, updatedAtMs: null },
  };
  const reply = { kind: "close-sent", leg: POSITION, sent: { kind: "done", value: { orderId } } } as const;
  const push = { kind: "order", update: refused } as const;

  test.each([
    ["reported after the reply", [reply, push]],
    ["reported before it", [push, reply]],
  ])("%s", (_, events) => {
    const w = closing();
    const [asked, closes] = [w.of("protect").length, w.of("close").length];
    for (const event of events) w.feed(event);
    for (let seconds = 0; seconds < 4; seconds++) w.tick(1_000);
    expect(w.of("protect").length).toBeGreaterThan(asked);
    expect(w.of("close")).toHaveLength(closes);
    for (let seconds = 0; seconds < 12; seconds++) w.tick(1_000);
    expect(w.of("close").length).toBeGreaterThan(closes);
  });
});

describe("the order that carries out a close", () => {
  const externalOrders = (w: ReturnType<typeof closing>) =>
    w
      .of("record")
      .map(({ body }) => body as Record<string, unknown>)
      .filter((body) => body["event"] === "external-order");

  test("is not called somebody else's, though it is given of before the reply that names it", () => {
    const w = closing();
    w.feed({ kind: "fill", execution: { ...exit("2190000000000301"), atMs: w.nowMs } });
    w.feed({ kind: "close-sent", leg: POSITION, sent: { kind: "done", value: { orderId: "2190000000000301" } } });
    for (let seconds = 0; seconds < 30; seconds++) w.tick(1_000);
    expect(externalOrders(w)).toHaveLength(0);
  });

  test("is known after a restart without its reply; a minute later it counts as somebody else's", () => {
    const reported = (agoMs: number) => {
      const w = ready({ restored: { lostCloses: [{ leg: POSITION, atMs: START_MS - agoMs }] } });
      w.feed({ kind: "fill", execution: { ...exit("2190000000000303"), realizedPnl: dec("-4") } });
      for (let seconds = 0; seconds < 30; seconds++) w.tick(1_000);
      return externalOrders(w).length;
    };
    expect([reported(5_000), reported(65_000)]).toEqual([0, 1]);
  });

  test("is not what opens something in hedge mode, though nothing is held and only the fill reports it", () => {
    const w = ready({ restored: { lostCloses: [{ leg: POSITION, atMs: START_MS - 5_000 }] } });
    w.feed({ kind: "fill", execution: exit("2190000000000309") });
    expect(externalOrders(w)).toMatchObject([{ orderId: "2190000000000309" }]);
  });

  test("is not what realises nothing: a fill read from the list, which names no side, opened the other one", () => {
    const held = { positions: [position(BTC, "0.004", "60000")] };
    const w = ready({ restored: { lostCloses: [{ leg: POSITION, atMs: START_MS - 5_000 }] } }, held);
    w.feed({ kind: "fill", execution: { ...exit("2190000000000304"), price: dec("60100"), realizedPnl: dec("0") } });
    expect(externalOrders(w)).toMatchObject([{ orderId: "2190000000000304" }]);
    expect(w.of("record").map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ orderId: "2190000000000304", leg: `${BTC}|SHORT`, opening: true }),
    );
  });

  test("is not what realises nothing at another price than the entry's, though no list has been read yet", () => {
    const reported = (price: string) => {
      const heldPosition: RestoredPosition = {
        ...{
          decisionId: "d-old-1",
          strategy: "momentum",
          thesis: "it rose",
          stopPrice: dec("58200"),
          targetPrice: null,
        },
        ...{ openedAtMs: START_MS - 60_000, qty: dec("0.004"), avgPrice: dec("60000"), reportedMs: START_MS - 60_000 },
        standingAlgoId: STOP.algoOrderId,
      };
      const entry = { leg: POSITION, opening: true, execution: { ...exit("2190000000000300"), side: "BUY" as const } };
      const trades = { closed: [], fills: [entry], funding: [] };
      const lostCloses = [{ leg: POSITION, atMs: START_MS - 5_000 }];
      const w = world({ restored: { lostCloses, trades, positions: new Map([[POSITION, heldPosition]]) } });
      w.feed({ kind: "fill", execution: { ...exit("2190000000000313"), price: dec(price) } });
      return externalOrders(w).length;
    };
    expect([reported("60000"), reported("60100")]).toEqual([0, 1]);
  });

  test("is not the fill that began the position on the other side, though at the entry price both realise 0", () => {
    const atMs = START_MS - 1_000;
    const beside = { ...position(BTC, "0.004", "60000", "SHORT"), createdAtMs: atMs };
    const w = ready(
      { restored: { lostCloses: [{ leg: POSITION, atMs: START_MS - 5_000 }] } },
      { positions: [position(BTC, "0.004", "60000"), beside] },
    );
    const fill = { ...exit("2190000000000307"), price: dec("60000"), realizedPnl: dec("0"), atMs };
    w.feed({ kind: "fill", execution: fill });
    expect(externalOrders(w)).toMatchObject([{ orderId: "2190000000000307" }]);
  });

  test("is not what was done before the close was asked for, by the venue's clock and ours", () => {
    const reported = (madeMsBefore: number, offsetMs: number) => {
      const w = closing();
      w.feed({ kind: "clock-checked", offsetMs, uncertaintyMs: 20 });
      w.feed({ kind: "close-sent", leg: POSITION, sent: { kind: "unknown", message: "no answer" } });
      const atMs = w.nowMs - madeMsBefore + offsetMs;
      w.feed({ kind: "fill", execution: { ...exit("2190000000000312"), realizedPnl: dec("-1"), atMs } });
      return externalOrders(w).length;
    };
    expect([reported(0, 0), reported(20_000, 0)]).toEqual([0, 1]);
    expect([reported(0, -90_000), reported(20_000, 90_000)]).toEqual([0, 1]);
  });

  test("hides no other order: what the reply does not name, or what fills after an unsent close, is external", () => {
    const w = closing();
    w.feed({ kind: "fill", execution: exit("2190000000000302") });
    w.feed({ kind: "close-sent", leg: POSITION, sent: { kind: "done", value: { orderId: "2190000000000301" } } });
    expect(externalOrders(w)).toMatchObject([{ orderId: "2190000000000302" }]);
    const other = closing();
    other.feed({ kind: "fill", execution: exit("2190000000000303") });
    other.feed({ kind: "close-sent", leg: POSITION, sent: { kind: "not-sent", message: "no line" } });
    expect(externalOrders(other)).toHaveLength(1);
  });

  test("is of its own side: an order that opens the other side is external, though no reply names the close", () => {
    const w = closing();
    w.feed({ kind: "close-sent", leg: POSITION, sent: { kind: "unknown", message: "the connection was cut" } });
    const order: Omit<OrderUpdate, "orderId" | "clientOrderId" | "positionSide"> = {
      ...{ state: "OPEN", symbol: BTC, side: "SELL", qty: dec("0.004"), executedQty: dec("0"), avgPrice: dec("0") },
      ...{ limitPrice: null, fee: null, reason: "", cancelPending: false, updatedAtMs: null },
    };
    const reported = (orderId: string, positionSide: "LONG" | "SHORT") =>
      w.feed({ kind: "order", update: { ...order, orderId, clientOrderId: orderId, positionSide } });
    reported("2190000000000305", "SHORT");
    reported("2190000000000306", "LONG");
    expect(externalOrders(w)).toMatchObject([{ orderId: "2190000000000305" }]);
  });

  test("is reported as somebody else's in time when no reply comes at all", () => {
    const w = closing();
    w.feed({ kind: "fill", execution: exit("2190000000000304") });
    for (let seconds = 0; seconds < 25; seconds++) w.tick(1_000);
    expect(externalOrders(w)).toHaveLength(1);
  });
});

describe("a position that the run before saw a moment ago", () => {
  const seen = (agoMs: number) => {
    const meta = {
      decisionId: "d-old-1",
      strategy: "momentum",
      thesis: "it rose",
      stopPrice: dec("58200"),
      targetPrice: null,
      openedAtMs: START_MS - 60_000,
      qty: dec("0.004"),
      avgPrice: dec("60000"),
      reportedMs: START_MS - agoMs,
      standingAlgoId: STOP.algoOrderId,
    };
    const entry = { ...exit("2190000000000700"), side: "BUY" as const, atMs: START_MS - agoMs };
    const trades = { closed: [], fills: [{ leg: POSITION, opening: true, execution: entry }], funding: [] };
    return ready({ restored: { positions: new Map([[POSITION, meta]]), trades, ownCloseIds: ["2190000000000777"] } });
  };
  const reported = (w: ReturnType<typeof seen>): readonly unknown[] =>
    w.effects.flatMap((effect) => (effect.kind === "record" && effect.row === "position" ? [effect.body["kind"]] : []));

  test("is not over because the first list lacks it: its stop stays, nothing is opened, a later list decides", () => {
    const w = seen(3_000);
    w.account({ positions: [], openAlgos: [STOP] });
    expect(reported(w)).toEqual([]);
    for (let seconds = 0; seconds < 10; seconds++) w.tick(1_000);
    expect(w.of("cancel-algo")).toHaveLength(0);
    expect(w.of("place")).toHaveLength(0);
    w.account({ positions: [HELD] });
    expect(reported(w)).toEqual(["opened"]);
    expect(w.agent.status(w.nowMs).positions).toMatchObject([{ decision: "d-old-1" }]);
  });

  test("is over when lists no longer lag, and is reported so once", () => {
    const w = seen(3_000);
    for (let seconds = 0; seconds < 30; seconds++) {
      w.account({ positions: [] });
      w.tick(1_000);
    }
    expect(reported(w)).toEqual(["closed"]);
  });

  test("is over at once when a close of ours took all of it", () => {
    const w = seen(3_000);
    w.account({ positions: [] });
    w.feed({ kind: "fill", execution: { ...exit("2190000000000777"), atMs: START_MS } });
    w.account({ positions: [] });
    expect(reported(w)).toEqual(["closed"]);
  });
});

test("our own close that took all of a position missing from a list ends the wait: its stop is cancelled", () => {
  const w = ready({ restored: { ownCloseIds: ["2190000000000778"] } });
  w.account({ positions: [HELD] });
  w.tick();
  w.feed({ kind: "algo", algo: STOP });
  w.tick(6_000);
  w.account({ positions: [] });
  w.feed({ kind: "fill", execution: { ...exit("2190000000000778"), atMs: w.nowMs } });
  for (let seconds = 0; seconds < 8; seconds++) w.tick(1_000);
  expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual([STOP.algoOrderId]);
});

test("the same where only the order itself reports it, and no fill", () => {
  const orderId = "2190000000000779";
  const w = ready({ restored: { ownCloseIds: [orderId] } });
  w.account({ positions: [HELD] });
  w.tick();
  w.feed({ kind: "algo", algo: STOP });
  w.tick(6_000);
  w.account({ positions: [] });
  const closed: OrderUpdate = {
    ...{ orderId, clientOrderId: orderId, state: "FILLED", symbol: BTC, side: "SELL", positionSide: "LONG" },
    ...{ qty: dec("0.004"), executedQty: dec("0.004"), avgPrice: dec("60000"), limitPrice: null, fee: null },
    ...{ reason: "", cancelPending: false, updatedAtMs: null },
  };
  w.feed({ kind: "order", update: closed });
  for (let seconds = 0; seconds < 8; seconds++) w.tick(1_000);
  expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual([STOP.algoOrderId]);
});

describe("what took from a position while pushes were lost may have been its stop: it is asked for, once", () => {
  const lost = (w: ReturnType<typeof ready>) => {
    w.account({ positions: [HELD] });
    w.tick();
    w.feed({ kind: "algo", algo: STOP });
    w.tick(6_000);
    return w;
  };
  const asked = [{ kind: "read-algo", leg: POSITION, algoOrderId: STOP.algoOrderId }];
  const part = (id: string): Execution => ({
    ...exit(id),
    qty: dec("0.001"),
    price: dec("58100"),
    realizedPnl: dec("-1.9"),
  });

  test("where a list shows less of it than fills have left", () => {
    const w = lost(ready());
    w.account({ positions: [{ ...HELD, qty: dec("0.001") }], openAlgos: null });
    expect(w.of("read-algo")).toEqual(asked);
    w.feed({ kind: "algo-found", leg: POSITION, found: { kind: "done", value: standingStop({ state: "CANCELLED" }) } });
    w.tick(1_000);
    expect(w.of("protect").at(-1)?.order).toMatchObject({ qty: dec("0.001") });
  });

  test("where the list of executions shows a fill of an order that nobody reported", () => {
    const w = lost(ready());
    w.feed({ kind: "fill", execution: part("2190000000000901") });
    w.feed({ kind: "fill", execution: part("2190000000000902") });
    w.account({ positions: [{ ...HELD, qty: dec("0.002") }], openAlgos: null });
    expect(w.of("read-algo")).toEqual(asked);
  });

  test("not where fills of known orders explain it", () => {
    const w = lost(ready());
    const reported = { ...part("2190000000000903"), clientOrderId: "c-903" };
    const order: OrderUpdate = {
      ...{ orderId: reported.orderId, clientOrderId: "c-903", state: "FILLED", symbol: BTC, side: "SELL" },
      ...{
        positionSide: "LONG",
        qty: reported.qty,
        executedQty: reported.qty,
        avgPrice: reported.price,
        limitPrice: null,
      },
      ...{ fee: null, reason: "", cancelPending: false, updatedAtMs: null },
    };
    w.feed({ kind: "order", update: order });
    w.feed({ kind: "fill", execution: reported });
    w.account({ positions: [{ ...HELD, qty: dec("0.003") }], openAlgos: null });
    expect(w.of("read-algo")).toEqual([]);
  });
});

describe("a position that is another one than the list showed before", () => {
  const listed = (createdAtMs: number) => ({ ...HELD, createdAtMs });

  test("has its stop asked for: what stood went with the one before, and its push may be lost", () => {
    const w = ready();
    w.account({ positions: [listed(START_MS - 9_000)] });
    w.tick();
    w.feed({ kind: "algo", algo: STOP });
    w.tick(6_000);
    w.account({ positions: [listed(START_MS - 9_000)], openAlgos: null });
    expect(w.of("read-algo")).toEqual([]);
    w.tick(6_000);
    w.account({ positions: [listed(w.nowMs - 2_000)], openAlgos: null });
    expect(w.of("read-algo")).toEqual([{ kind: "read-algo", leg: POSITION, algoOrderId: STOP.algoOrderId }]);
    const found = { kind: "done", value: standingStop({ state: "CANCELLED" }) } as const;
    w.feed({ kind: "algo-found", leg: POSITION, found });
    w.tick(6_000);
    expect(w.last("protect").leg).toBe(POSITION);
  });
});

test("a fill that realises profit closes what a list merely lacks, whoever asked for it", () => {
  const w = guarded();
  w.tick(6_000);
  w.account({ positions: [] });
  w.feed({ kind: "fill", execution: { ...exit("2190000000000401"), realizedPnl: dec("-1.5"), atMs: w.nowMs } });
  for (let seconds = 0; seconds < 8; seconds++) w.tick(1_000);
  expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual([STOP.algoOrderId]);
});
