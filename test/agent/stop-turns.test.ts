/**
 * The venue takes three new stops and three changes of stops in 50 s: nothing is opened, or added to, whose stop could not
 * follow in time. Records §3; invariant I9.
 */
import { expect, test } from "vitest";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import {
  BTC,
  ETH,
  holding,
  position,
  ready,
  scripted,
  standingStop,
  START_MS,
  target,
} from "../support/agent-world.ts";
import { dec } from "../../src/core/decimal.ts";

const ETH_STOP: AlgoOrder = {
  ...standingStop({ algoOrderId: "2190000000000102", clientOrderId: "p-boot-2" }),
  ...{ symbol: ETH, qty: dec("0.05"), triggerPrice: dec("2900") },
};

/** Both symbols held, BTC to be doubled, after this many recent changes of stops. */
function adding(changes: number, { ethQty = "0.05", btcStop = standingStop(), stopDistance = 0.02 } = {}) {
  const targets = [target({ size: 1, stopDistance })];
  const chosen = scripted("scripted", () => ({ kind: "targets" as const, targets, note: "" }));
  const restored = { amendAskedMs: Array.from({ length: changes }, () => START_MS - 1_000) };
  const w = ready(
    { strategies: { chosen, fallback: holding() }, restored },
    {
      positions: [position(BTC, "0.004", "60000"), position(ETH, ethQty, "3000")],
      openAlgos: [btcStop, ETH_STOP],
    },
  );
  for (let second = 0; second < 6; second++) w.tick(1_000);
  const refusals = w
    .of("record")
    .map(({ body }) => body)
    .filter((body) => String(body["skipped"] ?? "").includes("could not follow"));
  return { placed: w.of("place").length, refused: refusals.length };
}

test("a position grows while its stop can be made larger", () => {
  expect(adding(0)).toEqual({ placed: 1, refused: 0 });
  expect(adding(2)).toEqual({ placed: 1, refused: 0 });
});

test("a position does not grow while the venue takes no change of its stop", () => {
  const { placed, refused } = adding(3);
  expect(placed).toBe(0);
  expect(refused).toBeGreaterThan(0);
});

test("the change that another stop needs is not spent on this one", () => {
  const { placed, refused } = adding(2, { ethQty: "0.1" });
  expect(placed).toBe(0);
  expect(refused).toBeGreaterThan(0);
  expect(adding(0, { ethQty: "0.1" })).toEqual({ placed: 1, refused: 0 });
});

test("a stop of no quantity grows with its position; a nearer one, as an order promised, needs a change", () => {
  const btcStop = standingStop({ qty: dec("0") });
  expect(adding(3, { btcStop, stopDistance: 0.04 })).toEqual({ placed: 1, refused: 0 });
  const { placed, refused } = adding(3, { btcStop });
  expect(placed).toBe(0);
  expect(refused).toBeGreaterThan(0);
  expect(adding(2, { btcStop })).toEqual({ placed: 1, refused: 0 });
});
