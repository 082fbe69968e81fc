/** A position without a stop: the time is measured and journalled, the price is watched here, and the deadline closes it. */
import { expect, test } from "vitest";
import { BTC, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const supervised = (w: World) =>
  w.of("record").flatMap(({ row, body }) => (row === "protection" && "supervised" in body ? [body] : []));

test("it is measured for each position and in all, and what lasts is shown against the deadline", () => {
  const w = story("list BTC LONG 0.004\n3 s -> protects all, stop asked");
  const bare = w.agent.status(w.nowMs);
  expect(bare.positions[0]).toMatchObject({ unprotectedForMs: 3_000, unprotectedTotalMs: 3_000 });
  expect(bare.unprotected).toMatchObject({ deadlineMs: 10_000, spans: 0, nowMs: 3_000 });
  story(
    `
    stop S1
    stop S1 CANCELLED
    1 s
    stop S2                        -> stop live
    `,
    w,
  );
  const status = w.agent.status(w.nowMs);
  expect(status.positions[0]).toMatchObject({ unprotectedForMs: null, unprotectedTotalMs: 4_000 });
  expect(status.unprotected).toMatchObject({ spans: 2, longestMs: 3_000, overdue: 0, nowMs: null });
});

test("it is journalled as supervised while the price is fresh, and the position closed in time", () => {
  const w = story(`
    list BTC LONG 0.004
    until close                    -> protects all, protects 0.004, closes BTC LONG 0.004 once
  `);
  expect(supervised(w).length).toBeGreaterThan(1);
  const leg = `${BTC}|LONG`;
  expect(supervised(w)[0]).toMatchObject({ leg, supervised: true, stopPrice: "58200", markPrice: "60000" });
  story("push BTC LONG flat -> holds nothing", w);
  expect(w.agent.status(w.nowMs).unprotected).toMatchObject({ spans: 1, overdue: 0 });
});

test.each([
  ["0.002", [0, 3_000, 6_000, 9_000]],
  ["0.004", []],
  ["0", []],
])("it is journalled as supervised too while the stop is smaller than the position: for %s", (qty, sinceMs) => {
  const w = story(`
    list BTC LONG 0.004
    stop S1 for ${qty}
    12 s
  `);
  expect(supervised(w).map((body) => body["unprotectedForMs"])).toEqual(sinceMs);
});

test("a stop of unknown state is requested again once a later list does not show it", () => {
  story(`
    list BTC LONG 0.004
    0.25 s                         -> protects all once
    protect unknown
    2.6 s                          -> nothing
    list BTC LONG 0.004, no stops
    1.6 s                          -> protects all once
  `);
});
