/** An account snapshot is four lists: each that was answered counts, whatever became of the others. */
import { expect, test } from "vitest";
import type { AccountSnapshot } from "../../src/agent/contract/events.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore } from "../support/past-facts.ts";
import { BTC, ETH, position, ready, rulesOf, standingStop, world, type World } from "../support/agent-world.ts";

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

/** A run that begins, reads the rules, and then of each snapshot only `read`. */
function starts(seconds: number, price: number, read: Partial<AccountSnapshot>): World {
  const positionFacts = heldBefore({ stopPrice: dec("58200") });
  const w = world({ restored: { positionFacts } });
  w.price(BTC, price);
  w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
  for (let second = 0; second < seconds; second++) {
    w.account({ ...NONE, ...read });
    w.tick(1_000);
  }
  return w;
}

const HELD = { positions: [position(BTC, "0.004", "60000")] };

test("a start that cannot read equity protects what it reads of positions, and closes it in time", () => {
  expect(starts(1, 60_000, { ...HELD, openAlgos: [] }).of("protect")).toHaveLength(1);
  expect(starts(9, 60_000, { ...HELD, openAlgos: [] }).of("close")).toHaveLength(1);
  expect(starts(1, 58_000, HELD).of("close")).toHaveLength(1);
});

test("an operator who says flatten is obeyed as soon as positions are known, though equity is not", () => {
  const w = starts(0, 60_000, NONE);
  w.feed({ kind: "operator", command: "flatten" });
  w.tick(1_000);
  expect(w.of("close")).toHaveLength(0);
  w.account({ ...NONE, ...HELD, openAlgos: [standingStop()] });
  w.tick(1_000);
  expect(w.of("close")).toHaveLength(1);
});

test("a start that can read no positions watches the price of a remembered one, and asks for no stop", () => {
  expect(starts(4, 58_000, NONE).of("close")).toHaveLength(0);
  expect(starts(6, 58_000, NONE).of("close")).toHaveLength(1);
  const w = starts(60, 60_000, NONE);
  expect([...w.of("close"), ...w.of("protect")]).toEqual([]);
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

test("a report without an entry price leaves the known one, or takes the mark: no profit is made of it", () => {
  const bare = { ...position(BTC, "0.004", "60000"), avgPrice: ZERO };
  const seen = (w: World) => {
    const { positions, equityUsdt } = w.agent.status(w.nowMs);
    return [positions.map(({ avgPrice }) => avgPrice), equityUsdt];
  };
  const known = story("wallet 996", ready({}, { positions: [position(BTC, "0.004", "59000")] }));
  const before = seen(known);
  known.tick(1_000);
  known.account({ positions: [{ ...bare, updatedAtMs: known.nowMs }] });
  expect(seen(known)).toEqual(before);
  known.feed({
    kind: "position",
    update: { symbol: BTC, positionSide: "LONG", qty: dec("0.004"), avgPrice: ZERO, leverage: 2 },
  });
  expect(seen(known)).toEqual(before);
  const found = ready({}, { positions: [bare] });
  expect(seen(found)[0]).toEqual(["60000"]);
});
