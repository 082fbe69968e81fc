/** Orders whose answers are lost, late, doubled or out of order: each is sent once, and counts until its fate is known. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Order } from "../../src/domain/order.ts";
import {
  account,
  BTC,
  ETH,
  holding,
  position,
  ready,
  scripted,
  settingsOf,
  target,
  type World,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const PLACED = `
  wants BTC LONG 0.5
  1 s                          -> places BTC BUY 0.003 once
`;
const ends = (w: World) =>
  w.of("record").flatMap(({ row, body }) => (row === "intent" && body["event"] === "end" ? [body] : []));

describe("an order whose answer never came", () => {
  test("is looked up by its client id, keeps counting, and is never sent again", () => {
    const w = story(`${PLACED}
      place unknown
      1 s                      -> asks order
      244 s                    -> nothing, orders unknown
    `);
    const { clientOrderId } = w.last("place").intent;
    expect(new Set(w.of("look-up").map((asked) => asked.clientOrderId))).toEqual(new Set([clientOrderId]));
    expect(w.agent.status(w.nowMs).orders).toMatchObject([{ clientOrderId }]);
  });

  test("found at the venue: it goes on from there", () => {
    story(`${PLACED}
      place unknown
      lookup FILLED at 60001   -> orders none, logs order.filled once, logs order.resolved once
    `);
  });

  test("found by a record without a time: what it filled is held at once, though the list of positions lags", () => {
    const w = story(`${PLACED}
      place unknown
      1 s                      -> asks order
    `);
    const { order } = w.last("place").intent.draft;
    const { qty, limitPrice } = order;
    const value: Order = {
      ...order,
      orderId: "2190000000000301",
      timeInForce: "IOC",
      state: "FILLED",
      executedQty: qty,
      avgPrice: limitPrice ?? ZERO,
      ...{ fee: ZERO, reason: "", cancelPending: false, createdAtMs: 0, updatedAtMs: 0 },
    };
    w.feed({ kind: "looked-up", clientOrderId: order.clientOrderId, found: { kind: "done", value } });
    story("0 s -> holds BTC LONG 0.003\nlist nothing, no stops\n1 s -> protects all, holds BTC LONG 0.003", w);
  });

  test("found resting: it is looked up again 5 s later, and not once it has ended", () => {
    story(`${PLACED}
      place unknown
      1 s                      -> asks order
      lookup OPEN              -> orders OPEN
      4 s                      -> nothing
      1 s                      -> asks order once
      lookup CANCELLED         -> orders none
      20 s                     -> nothing
    `);
  });

  test.each([
    ["CANCELLED", "once"],
    ["FILLED", "never"],
    ["REJECTED", "never"],
  ])("an end as %s is logged as a cancel %s", (state, often) => {
    story(`${PLACED}
      place done 301
      order ${state}           -> logs order.cancelled ${often}
    `);
  });

  test("refused because its id is in use: the venue has it, so it is looked up and counted until it is found", () => {
    const w = story(`${PLACED}
      place refused 406010     -> orders unknown
      1 s                      -> asks order
      order OPEN               -> orders OPEN
    `);
    const { clientOrderId } = w.last("place").intent;
    expect(w.last("look-up").clientOrderId).toBe(clientOrderId);
    expect(w.agent.status(w.nowMs).orders).toMatchObject([{ clientOrderId }]);
  });

  test("absent only after misses spread over half a minute with nothing in the executions", () => {
    // Once only the list of executions is behind, the next look comes soon.
    const w = story(`${PLACED}
      place unknown
      ${"lookup refused 401018 -> nothing, orders unknown\n".repeat(10)}
      40 s                     -> asks order
      lookup refused 401018    -> nothing, orders unknown
      5 s                      -> asks order once
      fills none
      lookup refused 401018    -> nothing, orders none, writes intent end absent once
    `);
    expect(ends(w)).toMatchObject([{ how: "absent", executionsEmpty: true }]);
  });

  test.each(["order OPEN", "list nothing, order OPEN"])(
    "refused, and %s is shown: it counts again and is withdrawn, its end logged once",
    (shown) => {
      const w = story(`${PLACED}
        place refused 401023   -> orders none, writes intent end refused once
        ${shown}               -> cancels order once, orders OPEN
        order CANCELLED        -> orders none
      `);
      expect(w.last("cancel").known.clientOrderId).toBe(w.last("place").intent.clientOrderId);
      expect(ends(w)).toHaveLength(1);
    },
  );

  test("a late push after the end changes no state, but a fill in it is given", () => {
    story(`${PLACED}
      place refused 401023     -> orders none
      order FILLED             -> orders none, logs order.filled once
    `);
  });
});

test("in whatever order the facts arrive, the end is the same and executed quantity never falls", () => {
  const pushes = ["order NEW", "order OPEN", "order PARTIALLY_FILLED executed 0.001", "order FILLED"];
  const drawn = fc.shuffledSubarray([0, 1, 2, 3, 3, 2], { minLength: 1 });
  fc.assert(
    fc.property(drawn, fc.boolean(), (steps, replyFirst) => {
      const w = story(PLACED);
      const shown = steps.map((step) => pushes[step] ?? "");
      let seen = ZERO;
      for (const line of replyFirst ? ["place done 001", ...shown] : [...shown, "place done 001"]) {
        const [order] = story(line, w).agent.status(w.nowMs).orders;
        if (order) expect(dec(order.executedQty).gte(seen)).toBe(true);
        seen = order ? dec(order.executedQty) : seen;
      }
      expect(w.agent.status(w.nowMs).orders.length).toBe(steps.includes(3) ? 0 : 1);
    }),
    { numRuns: 60 },
  );
});

test.each(["fill BUY 0.003 by 001 as order now", "order FILLED at 60000"])(
  "an order that is reported as filled without a price opens its position at %s",
  (priced) => {
    story(`
      wants BTC LONG 0.5
      until place
      order FILLED at 0                                  -> holds nothing
      ${priced}                                          -> holds BTC LONG 0.003
      1 s                                                -> protects all
    `);
  },
);

test("a price that comes once the position is over opens none: what it prices had filled before", () => {
  story(`
    wants BTC LONG 0.5
    until place
    order FILLED at 0
    1 s
    list BTC LONG 0.003 changed 1 s ago                -> holds BTC LONG 0.003
    fill SELL 0.003 by 302 now
    push BTC LONG flat                                 -> holds nothing
    1 s
    order FILLED at 60000                              -> holds nothing, journal opened closed
  `);
});

test("what came and went unseen leaves its stop to no later position", () => {
  const { risk, ...settings } = settingsOf();
  const w = story(
    `${PLACED}
    order FILLED
    price 58000
    25 s with lists            -> closes BTC
    65 s with lists            -> places BTC BUY 0.003 once
    push BTC LONG 0.003 @ 58000
    order FILLED by 002
    0.25 s                     -> protects all at 56842.9
    `,
    ready({ settings: { ...settings, risk: { ...risk, reentryCooldown: 0 } } }),
  );
  expect(w.last("place").intent.draft.stopPrice?.toFixed()).toBe("56842.9");
});

// Fault C2: a machine that started with its clock an hour behind.
test("an order found open by a venue with a fast clock and gone from the next list is looked up", () => {
  story(`
    list nothing, order 010 OPEN BUY LONG as by-hand dated 3600000
    8 s
    list nothing
    0.25 s                     -> asks order by-hand
  `);
});

describe("in one-way mode", () => {
  test("the market order of a fired stop opens nothing: the next decision is not held up", () => {
    story(`
      list BTC LONG 0.004, one-way
      5 s
      order 088 FILLED SELL NONE
      push BTC NONE flat
      3 s
      list nothing, one-way
      wants ETH LONG 0.5
      10 s                     -> places ETH, asks by its own id, logs review.verdict saying freshness never
    `);
  });

  test("a flat position is the end of what a short has filled as of what a long has", () => {
    const w = story(`
      list nothing, one-way
      wants BTC SHORT 0.5
      1 s                      -> places BTC SELL
      order FILLED
      1 s
      fill BUY 0.008 by 301 earning 1 now
      push BTC NONE flat
      wants ETH LONG 0.5
      4 s
      list nothing, one-way
      6 s                      -> places ETH, asks by its own id, logs review.verdict saying freshness never
    `);
    expect(w.of("place")[0]?.intent.draft.order.positionSide).toBe("NONE");
  });
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
