/** Mistakes against the invariants of reducing orders, stops and limits, I8 to I10. */
import { describe } from "vitest";
import * as move from "./moves.ts";
import { facts, plants } from "./plant.ts";
import { sol } from "./legal-histories.ts";
import { type Body, BTC, ETH, fact, frame, pass, SOL, type Story } from "./story.ts";

/** An execution of a reducing order that does not reduce. */
const misreduced = (story: Story, change: { order?: Body; execution?: Body; held?: string; leg?: string }): void => {
  const base = { orderId: "2190777777777777", clientOrderId: "2190777777777777", sym: SOL };
  fact(story, "position", { sym: SOL, positionSide: change.leg ?? "LONG", positionQty: change.held ?? "1" });
  fact(story, "order", {
    ...base,
    algoOrderId: null,
    side: "SELL",
    positionSide: "LONG",
    orderQty: "1",
    limitPrice: "",
    orderState: "FILLED",
    executedQty: "1",
    reduceOnly: "FALSE",
    ...change.order,
  });
  fact(story, "execution", {
    ...base,
    transactionId: "2199777777777777",
    side: "SELL",
    quantity: "1",
    price: "150",
    fee: "0",
    rpnl: "0",
    ...change.execution,
  });
};

describe("I8", () =>
  plants("I8", [
    ["a close that sells more than is held", (_run, story) => misreduced(story, { execution: { quantity: "3" } })],
    ["a close that turns the position around", (_run, story) => misreduced(story, { execution: { quantity: "1.5" } })],
    ["a close of a position that is flat", (_run, story) => misreduced(story, { held: "0" })],
    ["a close that buys more", (_run, story) => misreduced(story, { execution: { side: "BUY" } })],
    [
      "a short's close that sells",
      (_run, story) => misreduced(story, { leg: "SHORT", order: { side: "BUY", positionSide: "SHORT" } }),
    ],
    [
      "a reduce-only order that opens in one-way mode",
      (_run, story) =>
        misreduced(story, { leg: "NONE", held: "-1", order: { positionSide: "NONE", reduceOnly: "TRUE" } }),
    ],
    [
      "a reduce-only order that flips in one-way mode",
      (_run, story) =>
        misreduced(story, {
          leg: "NONE",
          order: { positionSide: "NONE", reduceOnly: "TRUE" },
          execution: { quantity: "2.5" },
        }),
    ],
  ]));

describe("I9", () =>
  plants("I9", [
    [
      "a position without a stop",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop that came after 20 s",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.live(story, 20_000);
        move.protect(story, sol);
        move.live(story, 20_000);
      },
    ],
    [
      "a stop for a part of its position",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.protect(story, { ...sol, qty: "0.4" });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop for a part, not watched again 20 s after an outage",
      (_run, story) => {
        move.partThroughOutage(story, sol);
        move.live(story, 20_000);
        move.supervise(story, sol, 60_000);
        move.live(story, 20_000);
      },
    ],
    [
      "a stop for the other position",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.protect(story, { ...sol, leg: "SHORT" });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop in another symbol",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.protect(story, { ...sol, symbol: ETH });
        move.live(story, 40_000);
      },
    ],
    [
      "a stop that was rejected",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.algo(story, move.protect(story, sol), "REJECTED");
        move.live(story, 40_000);
      },
    ],
    [
      "a stop that outlives its position",
      ({ stop }, story) => {
        for (const gone of facts(story, "algo", (known) => known["orderState"] === "CANCELLED"))
          story.venue.splice(story.venue.indexOf(gone), 1);
        move.live(story, 40_000);
        void stop;
      },
    ],
    [
      "a supervision that ended too soon",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.supervise(story, sol, 20_000);
        move.live(story, 60_000);
      },
    ],
    [
      "a supervision that is not taken up again after a restart",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        move.supervise(story, sol, 60_000);
        move.live(story, 40_000);
        pass(story, 30_000);
        move.runStarts(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
        move.live(story, 10_000);
        move.protect(story, sol);
        move.live(story, 20_000);
      },
    ],
    [
      "only a target and no stop",
      (_run, story) => {
        const placed = move.place(story, sol);
        move.fill(story, placed, { held: "1" });
        const stop = move.protect(story, sol);
        Object.assign(facts(story, "algo", (known) => known["algoOrderId"] === stop.algoOrderId)[0] ?? {}, {
          conditionalTriggerPrice: "",
          tpTriggerPrice: "170",
        });
        move.live(story, 40_000);
      },
    ],
  ]));

const burst = (story: Story, call: string, { times, apartMs }: { times: number; apartMs: number }): void => {
  for (let sent = 0; sent < times; sent++) {
    frame(story, call, { sym: BTC, at: sent });
    pass(story, apartMs);
  }
};

describe("I10", () =>
  plants("I10", [
    [
      "two orders within 5 s",
      (_run, story) => burst(story, "POST /api/v1/trading/order", { times: 2, apartMs: 4_900 }),
    ],
    [
      "two cancels within 5 s",
      (_run, story) => burst(story, "DELETE /api/v1/trading/order", { times: 2, apartMs: 1_000 }),
    ],
    [
      "two amendments within 5 s",
      (_run, story) => burst(story, "PUT /api/v1/trading/order", { times: 2, apartMs: 10 }),
    ],
    ["four stops within 50 s", (_run, story) => burst(story, "POST /api/v1/algo/order", { times: 4, apartMs: 16_000 })],
    [
      "two close-alls within 10 s",
      (_run, story) => burst(story, "DELETE /api/v1/trading/positions", { times: 2, apartMs: 9_999 }),
    ],
    [
      "eleven closes within 10 s",
      (_run, story) => burst(story, "DELETE /api/v1/trading/position", { times: 11, apartMs: 900 }),
    ],
    [
      "seven leverage settings within a second",
      (_run, story) => burst(story, "POST /api/v1/trading/position/leverage", { times: 7, apartMs: 150 }),
    ],
    [
      "orders on both sides of a restart",
      (_run, story) => {
        burst(story, "POST /api/v1/trading/order", { times: 1, apartMs: 1_000 });
        move.runStarts(story, "b2");
        burst(story, "POST /api/v1/trading/order", { times: 1, apartMs: 1_000 });
      },
    ],
    [
      "301 amendments on the stream in a minute",
      (_run, story) => burst(story, "replace_order", { times: 301, apartMs: 190 }),
    ],
  ]));
