/** A request for a stop that is unanswered, refused or never left: asked again under its id, and closed before the deadline. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { restore } from "../../src/restore/restore.ts";
import { BTC, ETH, position, standingStop, START_MS, type World, world } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { readerOf } from "../support/reader-of.ts";

/** A stop is asked for, given up unanswered, and asked for again. */
const REPEATED = `
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      4 s
      protect unknown
      0.25 s                   -> protects all once
`;

test("a stop given up unanswered is asked for again as it was before its position is closed. Fault R8", () => {
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

test("a position whose stop has moved since the unanswered request is given the new one under the same id", () => {
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

test("a position whose stop hangs twice is closed inside the deadline", () => {
  story(`
      ${REPEATED}
      5.5 s                    -> closes
    `);
});

test("a stop that the venue knows by its id is looked up, not placed under another form. Fault V1", () => {
  const w = story(`
      ${REPEATED}
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

describe.each(["blocked", "unsent", "limited", "refused 7000", "refused 11108"])(
  "a repetition that the venue has not looked at (%s) says nothing of the first request",
  (answer) => {
    const repeated = (): World =>
      story(`
        ${REPEATED}
        protect ${answer}
      `);

    test("it is asked for under the same id again", () => {
      const w = story("until close\nclose refused 401050\n10 s", repeated());
      const ids = w.of("protect").map(({ order }) => order.clientOrderId);
      expect(ids.length).toBeGreaterThan(2);
      expect(new Set(ids).size).toBe(1);
    });

    test("its stop is looked up and cancelled if the position is over", () => {
      story(
        `
        push BTC LONG flat       -> holds nothing
        5.25 s                   -> asks by its own id
        found S1
        6 s                      -> cancels S1 once
        `,
        repeated(),
      );
    });
  },
);

test("a repetition that was not looked at, of a position that is over by then, is looked up all the same", () => {
  story(`
      ${REPEATED}
      push BTC LONG flat       -> holds nothing
      protect refused 7000
      5.25 s                   -> asks by its own id
    `);
});

test("a stop whose answer was lost, of a position that is over meanwhile, is looked up and cancelled", () => {
  story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      push BTC LONG flat       -> holds nothing
      4 s                      -> nothing
      protect unknown
      2 s                      -> asks by its own id
      found S1
      6 s                      -> cancels S1 once
      30 s                     -> nothing
    `);
});

test("one whose answer comes late is not looked up", () => {
  story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      push BTC LONG flat       -> holds nothing
      3 s                      -> nothing
      protect done S1
      6 s                      -> cancels S1 once
    `);
});

test("a position whose stop was seen to stand before its answer was given up gets no second one", () => {
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

test("a position whose stop cannot be placed within the deadline is closed", () => {
  story(`
      list BTC LONG 0.004
      until close              -> protects all, protects 0.004, closes
    `);
});

test("a stop that provably never left gives its slot back; its close is requested again. Faults D1, D8", () => {
  const w = story(`list BTC LONG 0.004\n0.25 s -> protects all\n${"protect blocked\n1 s\n".repeat(9)}`);
  const turns = w.agent.gauges().find(({ name }) => name === "agent.stopsAsked");
  expect([w.of("protect").length, turns?.size]).toEqual([2, 0]);
  let answered = 0;
  for (let seconds = 0; seconds < 20; seconds++) {
    if (w.of("close").length > answered) {
      answered += 1;
      story("close blocked", w);
    }
    story("1 s", w);
  }
  expect(w.of("close").length).toBeGreaterThan(5);
});

test.each([
  ["is refused", rejected("401050", "")],
  ["meets the rate limit", { kind: "rate-limited", retryAtMs: START_MS, message: "too many" } as const],
  ["has no answer", { kind: "unknown", message: "timed out" } as const],
])("if a close %s, another stop is requested: the venue may accept that", (_, sent) => {
  const w = story("list BTC LONG 0.004\n0.25 s -> protects all");
  let asked = { protect: 0, close: 0 };
  for (let seconds = 0; seconds < 120; seconds++) {
    const [protect, close] = [w.of("protect").length, w.of("close").length];
    if (protect > asked.protect) story("protect refused 401050", w);
    if (close > asked.close) w.feed({ kind: "close-sent", positionKey: `${BTC}|LONG`, sent });
    asked = { protect, close };
    story("1 s", w);
  }
  expect(asked.close).toBeGreaterThan(5);
  // One of the venue's three turns in 50 s stays free for other positions.
  expect(asked.protect).toBeGreaterThanOrEqual(4);
  expect(asked.protect).toBeLessThanOrEqual(6);
});

test("a late refusal for a position that is over says nothing of the stop of the next one", () => {
  const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      push BTC LONG flat dated 500    -> holds nothing
    `);
  const { positionKey, order } = w.last("protect");
  story("3 s\npush BTC LONG 0.006 dated 3400\n0.25 s -> protects all once", w);
  w.feed({ kind: "protect-sent", positionKey, clientOrderId: order.clientOrderId, sent: rejected("401050", "") });
  story("3 s -> nothing", w);
});

test("a stop that was not wanted any more as its turn came is asked for as soon as it is again", () => {
  const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      stop H1                  -> stop live at 58200
      protect blocked          -> nothing, logs position.unprotected never
      4 s
      stop H1 CANCELLED
      0.25 s                   -> protects all once
    `);
  expect(w.agent.gauges().find(({ name }) => name === "agent.stopsAsked")?.size).toBe(1);
});

test("while rules are not known, a position has the stop of its order, or the default one in four digits", () => {
  const before = story(`
    wants BTC LONG 0.5 stop 0.02
    until place
    order FILLED
  `);
  const { order, stopPrice } = before.last("place").intent.draft;
  const atMs = before.nowMs + 60_000;
  const w = world({ before, restored: restore(readerOf(before), atMs), atMs, runId: "t2" });
  w.account({ positions: [position(BTC, order.qty.toFixed(), "60000"), position(ETH, "0.1", "3123.4567")] });
  w.tick();
  expect(w.of("protect").map(({ order: stop }) => [stop.symbol, stop.stopLossPrice ?? stop.triggerPrice])).toEqual([
    [BTC, stopPrice],
    [ETH, dec("3030")],
  ]);
});
