import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Order, OrderState } from "../../src/domain/order.ts";
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
  START_MS,
  update,
  target,
  world,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const one = () => ({
  chosen: scripted("scripted", () => ({ kind: "targets" as const, targets: [target()], note: "" })),
  fallback: holding(),
});

function placed() {
  const w = ready({ strategies: one() });
  w.tick(1_000);
  return { w, effect: w.last("place") };
}

describe("an order whose answer never came", () => {
  test("is looked up by its client id, keeps counting, and is never sent again", () => {
    const w = story(
      `
      1 s                    -> places BTC once
      place unknown
      1 s                    -> asks order
      244 s                  -> nothing, orders unknown
      `,
      ready({ strategies: one() }),
    );
    const { clientOrderId } = w.last("place").intent;
    expect(new Set(w.of("look-up").map((asked) => asked.clientOrderId))).toEqual(new Set([clientOrderId]));
    expect(w.agent.status(w.nowMs).orders).toMatchObject([{ clientOrderId }]);
  });

  test("found at the venue: it goes on from there", () => {
    const { w, effect } = placed();
    const { order, clientOrderId } = { ...effect.intent.draft, clientOrderId: effect.intent.clientOrderId };
    w.feed({ kind: "placed", clientOrderId, sent: { kind: "unknown", message: "time-out" } });
    const found = {
      ...order,
      timeInForce: "IOC" as const,
      orderId: "2190000000000007",
      state: "FILLED" as const,
      executedQty: order.qty,
      avgPrice: dec("60001"),
      fee: ZERO,
      reason: "",
      cancelPending: false,
      createdAtMs: w.nowMs,
      updatedAtMs: w.nowMs,
    };
    w.feed({ kind: "looked-up", clientOrderId, found: { kind: "done", value: found } });
    expect(w.logs("order.filled")).toHaveLength(1);
    expect(w.logs("order.resolved")).toHaveLength(1);
    expect(w.agent.status(w.nowMs).orders).toHaveLength(0);
  });

  test("found resting: it is looked up again 5 s later, and not once it has ended", () => {
    const { w, effect } = placed();
    const { clientOrderId } = effect.intent;
    w.feed({ kind: "placed", clientOrderId, sent: { kind: "unknown", message: "time-out" } });
    w.tick(1_000);
    const found = (state: OrderState): void => {
      const shown = { ...effect.intent.draft.order, ...update(effect, { state }), createdAtMs: w.nowMs };
      const value = { ...shown, fee: ZERO, timeInForce: "IOC", updatedAtMs: w.nowMs } as Order;
      w.feed({ kind: "looked-up", clientOrderId, found: { kind: "done", value } });
    };
    found("OPEN");
    const looks = w.of("look-up").length;
    for (let second = 1; second < 5; second++) w.tick(1_000);
    expect(w.of("look-up")).toHaveLength(looks);
    w.tick(1_000);
    expect(w.of("look-up")).toHaveLength(looks + 1);
    found("CANCELLED");
    for (let second = 0; second < 20; second++) w.tick(1_000);
    expect(w.of("look-up")).toHaveLength(looks + 1);
  });

  test.each([
    ["CANCELLED", 1],
    ["FILLED", 0],
    ["REJECTED", 0],
  ])("an end as %s is logged as a cancel %i times", (state, times) => {
    const w = story(
      `
      1 s
      place done 301
      order ${state}
      `,
      ready({ strategies: one() }),
    );
    expect(w.logs("order.cancelled")).toHaveLength(times);
  });

  test("refused because its id is in use: the venue has it, so it is looked up and counted until it is found", () => {
    const w = story(
      `
      1 s                    -> places BTC once
      place refused 406010   -> orders unknown
      1 s                    -> asks order
      order OPEN             -> orders OPEN
      `,
      ready({ strategies: one() }),
    );
    const { clientOrderId } = w.last("place").intent;
    expect(w.last("look-up").clientOrderId).toBe(clientOrderId);
    expect(w.agent.status(w.nowMs).orders).toMatchObject([{ clientOrderId }]);
  });

  test("absent only after misses spread over half a minute with nothing in the executions", () => {
    const { w, effect } = placed();
    const { clientOrderId } = effect.intent;
    w.feed({ kind: "placed", clientOrderId, sent: { kind: "unknown", message: "time-out" } });
    const miss = (): void =>
      void w.feed({
        kind: "looked-up",
        clientOrderId,
        found: rejected("401018", "not found"),
      });
    for (let i = 0; i < 10; i++) miss();
    expect(w.agent.status(w.nowMs).orders).toHaveLength(1);
    w.nowMs += 40_000;
    miss();
    expect(w.agent.status(w.nowMs).orders).toHaveLength(1);
    // Only the list of executions is behind: the next look comes soon.
    const looks = w.of("look-up").length;
    w.tick(5_000);
    expect(w.of("look-up")).toHaveLength(looks + 1);
    w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills: [] });
    miss();
    expect(w.agent.status(w.nowMs).orders).toHaveLength(0);
    const ends = w.effects.filter(
      (effect2) => effect2.kind === "record" && effect2.row === "intent" && effect2.body["event"] === "end",
    );
    expect(ends).toHaveLength(1);
    expect(ends[0]).toMatchObject({ body: { how: "absent", executionsEmpty: true } });
  });

  test.each(["push", "list"])(
    "refused, and a %s shows it open: it counts again and is withdrawn, its end logged once",
    (by) => {
      const { w, effect } = placed();
      const { clientOrderId } = effect.intent;
      w.feed({ kind: "placed", clientOrderId, sent: rejected("401023", "margin") });
      expect(w.agent.status(w.nowMs).orders).toHaveLength(0);
      const open = update(effect, { state: "OPEN" });
      const listed = { ...effect.intent.draft.order, ...open, fee: ZERO, createdAtMs: w.nowMs, updatedAtMs: w.nowMs };
      if (by === "push") w.feed({ kind: "order", update: open });
      else w.account({ openOrders: [{ ...listed, timeInForce: "GTC" } as Order] });
      expect(w.agent.status(w.nowMs).orders).toMatchObject([{ clientOrderId, state: "OPEN" }]);
      expect(w.of("cancel").map(({ known }) => known.clientOrderId)).toEqual([clientOrderId]);
      w.feed({ kind: "order", update: update(effect, { state: "CANCELLED" }) });
      expect(w.agent.status(w.nowMs).orders).toHaveLength(0);
      const ends = w.of("record").filter(({ row, body }) => row === "intent" && body["event"] === "end");
      expect(ends).toMatchObject([{ body: { how: "refused" } }]);
    },
  );

  test("a late push after the end changes no state, but a fill in it is given", () => {
    const w = story(
      `
      1 s                    -> places BTC once
      place refused 401023   -> orders none
      order FILLED
      `,
      ready({ strategies: one() }),
    );
    expect(w.logs("order.filled")).toHaveLength(1);
  });
});

describe("in whatever order the facts arrive", () => {
  const states: OrderState[] = ["NEW", "OPEN", "PARTIALLY_FILLED", "FILLED"];
  test("the end is the same and executed quantity never falls", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 3, 2], { minLength: 1 }), fc.boolean(), (order, replyFirst) => {
        const { w, effect } = placed();
        const { clientOrderId, draft } = effect.intent;
        const reply = (): void =>
          void w.feed({
            kind: "placed",
            clientOrderId,
            sent: { kind: "done", value: { orderId: "2190000000000001" } },
          });
        if (replyFirst) reply();
        let seen = ZERO;
        for (const step of order) {
          const executedQty = step === 3 ? draft.order.qty : step === 2 ? dec("0.001") : ZERO;
          w.feed({ kind: "order", update: update(effect, { state: states[step] ?? "NEW", executedQty }) });
          const now = w.agent.status(w.nowMs).orders.find((tracked) => tracked.clientOrderId === clientOrderId);
          if (now) {
            expect(dec(now.executedQty).gte(seen)).toBe(true);
            seen = dec(now.executedQty);
          }
        }
        if (!replyFirst) reply();
        const filled = order.includes(3);
        expect(w.agent.status(w.nowMs).orders.length).toBe(filled ? 0 : 1);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a restart", () => {
  const past = { clientOrderId: "i-old-1", decisionId: "d-old-1", opening: true };
  test("an intent without an end is looked up and not sent again", () => {
    const { effect } = placed();
    const w = ready({
      strategies: one(),
      restored: {
        openIntents: [
          {
            ...past,
            draft: {
              ...effect.intent.draft,
              order: { ...effect.intent.draft.order, clientOrderId: past.clientOrderId },
            },
          },
        ],
      },
    });
    expect(w.of("look-up")[0]?.clientOrderId).toBe(past.clientOrderId);
    w.tick(1_000);
    expect(w.of("place").map((place) => place.intent.clientOrderId)).not.toContain(past.clientOrderId);
    // The fate of the old one is not known, so nothing new is opened on its position.
    expect(w.of("place")).toHaveLength(0);
  });

  test("an order of an earlier run that has rested too long since then is cancelled as soon as it is found", () => {
    const { effect } = placed();
    const { draft } = effect.intent;
    const order = { ...draft.order, clientOrderId: past.clientOrderId, timeInForce: "GTC" as const };
    const intent = { ...past, draft: { ...draft, order }, promisedAtMs: START_MS - 60_000 };
    const w = ready({ strategies: one(), restored: { openIntents: [intent] } });
    w.feed({ kind: "order", update: update(effect, { clientOrderId: past.clientOrderId, state: "OPEN" }) });
    w.tick(250);
    expect(w.of("cancel").map(({ known }) => known.clientOrderId)).toEqual([past.clientOrderId]);
  });

  test("what the run before was withdrawing is not withdrawn again before its time. Invariant I27", () => {
    const { effect } = placed();
    const { draft } = effect.intent;
    const order = { ...draft.order, clientOrderId: past.clientOrderId, timeInForce: "GTC" as const };
    const times = { promisedAtMs: START_MS - 60_000, cancelAskedMs: START_MS - 2_000 };
    const w = ready({
      strategies: one(),
      restored: { openIntents: [{ ...past, ...times, draft: { ...draft, order } }] },
    });
    w.feed({ kind: "order", update: update(effect, { clientOrderId: past.clientOrderId, state: "OPEN" }) });
    for (let seconds = 0; seconds < 5; seconds++) w.tick(1_000);
    expect(w.of("cancel")).toEqual([]);
    for (let seconds = 0; seconds < 10; seconds++) w.tick(1_000);
    expect(w.of("cancel").map(({ known }) => known.clientOrderId)).toEqual([past.clientOrderId]);
  });

  test("positions are adopted with their thesis and get protection", () => {
    const meta = {
      decisionId: "d-old-1",
      strategy: "momentum",
      thesis: "it rose",
      stopPrice: dec("59000"),
      targetPrice: null,
      openedAtMs: 5,
      qty: dec("0.004"),
      avgPrice: dec("60000"),
      reportedMs: 0,
      standingAlgoId: null,
    };
    const w = ready({ restored: { positions: new Map([[`${BTC}|LONG`, meta]]) } });
    story(
      `
      list BTC LONG 0.004, no stops
      0.25 s                 -> protects all at 59000
      `,
      w,
    );
    expect(w.last("protect").order).toMatchObject({ symbol: BTC, condition: "ENTIRE_CLOSE_POSITION" });
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({ strategy: "momentum", decision: "d-old-1" });
  });

  test("a position that was closed while the agent was away is closed in its books, once", () => {
    const meta = {
      decisionId: "d-old-1",
      strategy: "momentum",
      thesis: "it rose",
      stopPrice: dec("59000"),
      targetPrice: null,
      openedAtMs: 5,
      qty: dec("0.004"),
      avgPrice: dec("60000"),
      reportedMs: 0,
      standingAlgoId: null,
    };
    const w = ready({ restored: { positions: new Map([[`${BTC}|LONG`, meta]]) } });
    story(
      `
      list nothing, no stops
      list nothing, no stops -> journal closed
      `,
      w,
    );
    const closed = w.of("record").filter((row) => row.row === "position");
    expect(closed.map(({ body }) => body)).toMatchObject([{ leg: `${BTC}|LONG`, kind: "closed", qty: "0" }]);
  });

  test("a position that begins after it is another one: it is protected at once, and no earlier stop counts", () => {
    const meta = {
      ...{
        decisionId: "d-old-1",
        strategy: "momentum",
        thesis: "it rose",
        targetPrice: null,
        openedAtMs: 5,
        reportedMs: 0,
      },
      ...{ stopPrice: dec("59000"), qty: dec("0.004"), avgPrice: dec("60000"), standingAlgoId: "2190000000000101" },
    };
    const positions = new Map([[`${BTC}|LONG`, meta]]);
    const w = ready({ restored: { positions: positions } }, { openAlgos: null, positions: [] });
    story("1 s\nlist nothing\n".repeat(25), w);
    story(
      `
      list BTC LONG 0.006 @ 61000
      0.25 s                 -> protects all
      `,
      w,
    );
    expect(w.last("protect").leg).toBe(`${BTC}|LONG`);
  });

  const trailed = {
    ...{
      decisionId: "d-old-0",
      strategy: "momentum",
      thesis: "it rose",
      targetPrice: null,
      openedAtMs: 5,
      reportedMs: 0,
    },
    ...{ stopPrice: dec("61000"), qty: dec("0.004"), avgPrice: dec("55000"), standingAlgoId: null },
  };

  test("what opens after such a close has the stop of its own order, whichever push comes first", () => {
    const restored = { positions: new Map([[`${BTC}|LONG`, trailed]]) };
    const w = ready({ strategies: one(), restored });
    w.tick(1_000);
    const effect = w.last("place");
    const { draft } = effect.intent;
    const { qty, limitPrice: avgPrice } = draft.order;
    const reported = { symbol: BTC, positionSide: "LONG", qty, avgPrice: avgPrice ?? ZERO, leverage: null } as const;
    w.feed({ kind: "position", update: reported });
    w.feed({ kind: "order", update: update(effect, { state: "FILLED", executedQty: qty }) });
    w.tick();
    expect(w.of("close")).toEqual([]);
    expect(w.last("protect").order.stopLossPrice).toEqual(draft.stopPrice);
  });

  describe("an order that is reported as filled before the first list", () => {
    const begun = (createdAtMs: number) => {
      const { effect } = placed();
      const { draft } = effect.intent;
      const order = { ...draft.order, clientOrderId: past.clientOrderId };
      const intent = { ...past, draft: { ...draft, order }, promisedAtMs: START_MS - 5_000 };
      const positions = new Map([[`${BTC}|LONG`, { ...trailed, stopPrice: dec("59500") }]]);
      const w = world({ strategies: one(), restored: { positions: positions, openIntents: [intent] } });
      const filled = {
        clientOrderId: past.clientOrderId,
        state: "PARTIALLY_FILLED",
        executedQty: dec("0.001"),
      } as const;
      w.feed({ kind: "order", update: update(effect, filled) });
      w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
      w.account({ positions: [{ ...position(BTC, "0.005", "56000"), createdAtMs }] });
      w.tick();
      const { body } = w.of("record").find(({ row }) => row === "position") ?? {};
      return { body, stop: w.last("protect").order.stopLossPrice, own: draft.stopPrice };
    };

    test("takes from a position of before neither stop nor age", () => {
      const { body, stop } = begun(START_MS - 3_600_000);
      expect(stop?.toFixed()).toBe("59500");
      expect(body).toMatchObject({ strategy: "momentum", openedAtMs: 5 });
    });

    test("has its own where it opened the position", () => {
      const { body, stop, own } = begun(START_MS - 4_000);
      expect(stop).toEqual(own);
      expect(body).toMatchObject({ openedAtMs: START_MS - 5_000 });
    });
  });

  test("what came and went unseen leaves its stop to no later position", () => {
    const settings = settingsOf();
    const w = ready({ strategies: one(), settings: { ...settings, risk: { ...settings.risk, reentryCooldown: 0 } } });
    w.tick(1_000);
    const first = w.last("place");
    w.feed({ kind: "order", update: update(first, { state: "FILLED", executedQty: first.intent.draft.order.qty }) });
    w.price(BTC, 58_000);
    for (let second = 0; second < 90 && w.last("place") === first; second++) {
      w.tick(1_000);
      if (second % 5 === 0) w.account({ positions: [] });
    }
    const second = w.last("place");
    expect(second).not.toBe(first);
    const closes = w.of("close").length;
    const { order, stopPrice } = second.intent.draft;
    const avgPrice = order.limitPrice ?? ZERO;
    const reported = { symbol: BTC, positionSide: "LONG", qty: order.qty, avgPrice, leverage: null } as const;
    w.feed({ kind: "position", update: reported });
    const filled = update(second, { orderId: "2190000000000002", state: "FILLED", executedQty: order.qty });
    w.feed({ kind: "order", update: filled });
    w.tick();
    expect(w.of("close")).toHaveLength(closes);
    expect(w.last("protect").order.stopLossPrice).toEqual(stopPrice);
  });

  test("an old opening order of ours is withdrawn, somebody else's is left and reported", () => {
    const { effect } = placed();
    const { order } = effect.intent.draft;
    const open = (clientOrderId: string, orderId: string) => ({
      ...order,
      clientOrderId,
      orderId,
      timeInForce: "GTC" as const,
      state: "OPEN" as const,
      executedQty: ZERO,
      avgPrice: ZERO,
      fee: ZERO,
      reason: "",
      cancelPending: false,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    const w = ready({ restored: { ourClientIds: new Set(["i-old-9"]) } });
    w.account({ openOrders: [open("i-old-9", "2190000000000009"), open("by-hand", "2190000000000010")] });
    expect(w.of("cancel").map((cancel) => cancel.known.clientOrderId)).toEqual(["i-old-9"]);
    expect(w.logs("reconcile.done").join()).toMatch(/, ours from an earlier run/);
    expect(w.logs("reconcile.done").join()).toMatch(/, not ours/);
    const rows = (event: string) =>
      w.of("record").filter(({ row, body }) => row === "reconcile" && body["event"] === event);
    expect(rows("external-order").map(({ body }) => body["clientOrderId"])).toEqual(["by-hand"]);
    // A list that shows what is known already is no news.
    const before = rows("complete").length;
    w.account({ openOrders: [open("i-old-9", "2190000000000009"), open("by-hand", "2190000000000010")] });
    expect(rows("complete")).toHaveLength(before);
    const refused = rejected("100018", "API key unknown or disabled");
    w.feed({ kind: "cancel-sent", clientOrderId: "i-old-9", sent: refused });
    for (let second = 0; second < 11; second++) w.tick(1_000);
    expect(w.of("cancel").map((cancel) => cancel.known.clientOrderId)).toEqual(["i-old-9", "i-old-9"]);
  });

  // Fault C2: a machine that started with its clock an hour behind.
  test("an order found open by a venue with a fast clock and gone from the next list is looked up", () => {
    const { effect } = placed();
    const w = ready();
    const aheadMs = w.nowMs + 3_600_000;
    const byHand = {
      ...effect.intent.draft.order,
      clientOrderId: "by-hand",
      orderId: "2190000000000010",
      timeInForce: "GTC" as const,
      state: "OPEN" as const,
      executedQty: ZERO,
      avgPrice: ZERO,
      fee: ZERO,
      reason: "",
      cancelPending: false,
      createdAtMs: aheadMs,
      updatedAtMs: aheadMs,
    };
    w.account({ openOrders: [byHand] });
    w.tick(8_000);
    w.account({ openOrders: [] });
    w.tick();
    expect(w.of("look-up").map(({ clientOrderId }) => clientOrderId)).toEqual(["by-hand"]);
  });
});

test("in one-way mode the market order of a fired stop opens nothing: the next decision is not held up", () => {
  const targets: TargetPosition[] = [];
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets, note: "" }));
  const w = story(
    `
    list BTC LONG 0.004, one-way
    5 s
    order 088 FILLED SELL NONE
    push BTC NONE flat
    3 s
    list nothing, one-way
    `,
    ready({ strategies: { chosen, fallback: holding() } }),
  );
  targets.push(target({ symbol: ETH }));
  story("10 s                    -> places ETH", w);
  expect(w.logs("review.verdict").join()).not.toMatch(/freshness/);
});

test("in one-way mode a flat position is the end of what a short has filled as of what a long has", () => {
  const targets = [target({ leg: "SHORT" })];
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets, note: "" }));
  const w = story(
    `
    list nothing, one-way
    1 s                    -> places BTC SELL
    order FILLED
    1 s
    push BTC NONE flat
    `,
    ready({ strategies: { chosen, fallback: holding() } }),
  );
  expect(w.last("place").intent.draft.order.positionSide).toBe("NONE");
  targets.splice(0, 1, target({ symbol: ETH }));
  story("4 s\nlist nothing, one-way\n6 s -> places ETH", w);
  expect(w.logs("review.verdict").join()).not.toMatch(/freshness/);
});

test("a reading without the position mode opens nothing, and the mode read before it still counts", () => {
  const reported = (positionMode: "NET" | null) => ({
    account: [{ ...account("1000"), positionMode }],
    openAlgos: null,
  });
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets: [target({})], note: "" }));
  const w = ready({ strategies: { chosen, fallback: holding() } });
  w.account(reported("NET"));
  w.account({ ...reported(null), positions: [position(BTC, "0.004", "60000"), position(ETH, "0.1", "3000")] });
  w.tick(5_000);
  const placed = w.of("place").map(({ intent }) => intent.draft.order);
  expect(placed.length).toBeGreaterThan(0);
  for (const order of placed) expect(order).toMatchObject({ side: "SELL", positionSide: "NONE", reduceOnly: true });
  expect(w.last("protect").order).toMatchObject({ positionSide: "NONE", reduceOnly: true });
});
