/** An account snapshot is four lists: each that was answered counts, whatever became of the others. */
import { expect, test } from "vitest";
import { BTC, position, ready, standingStop } from "../support/agent-world.ts";

const NONE = { account: null, positions: null, openOrders: null, openAlgos: null };

test("stops without a position are cancelled although no other list was answered", () => {
  const w = ready();
  w.account({ ...NONE, openAlgos: [standingStop()] });
  expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual([standingStop().algoOrderId]);
});

test("a position is held and protected although neither orders nor equity could be read", () => {
  const w = ready();
  w.account({ ...NONE, positions: [position(BTC, "0.004", "60000")] });
  w.tick(1_000);
  expect(w.agent.status(w.nowMs).positions).toMatchObject([{ symbol: BTC, qty: "0.004" }]);
  expect(w.of("protect")).toHaveLength(1);
});

test("but a reconciliation is complete, and openings resume, only once all of it is known", () => {
  const w = ready();
  w.feed({ kind: "stream", stream: "user", up: false, reason: "test" });
  w.feed({ kind: "stream", stream: "user", up: true, reason: "test" });
  const complete = (): number =>
    w.of("record").filter(({ row, body }) => row === "reconcile" && body["event"] === "complete").length;
  const before = complete();
  w.tick(1_000);
  w.account({ openOrders: null });
  expect(complete()).toBe(before);
  w.tick(1_000);
  w.account();
  expect(complete()).toBe(before + 1);
});
