/**
 * Whether a leg is held: pushes bear no time and may come late, lists lag, and a restart knows only what was written
 * down. What is held must get its stop in time, and what is flat must get none. Faults R9, U3, U4; invariants I5, I9.
 */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { ClosedTrade } from "../../src/domain/closed-trade.ts";
import { BTC, position, ready, scripted, standingStop, START_MS, wish } from "../support/agent-world.ts";

const HELD = position(BTC, "0.004", "60000");
const STOP = standingStop();
type World = ReturnType<typeof ready>;

const told = (w: World, qty: string, positionSide: "LONG" | "SHORT" | "NONE" = "LONG") =>
  w.feed({
    kind: "position",
    update: { symbol: BTC, positionSide, qty: dec(qty), avgPrice: dec("60000"), leverage: null },
  });
const seconds = (w: World, count: number): void => {
  for (let at = 0; at < count; at++) w.tick(1_000);
};
const held = (w: World): number => w.agent.status(w.nowMs).positions.length;
const trades = (w: World) => w.of("record").filter(({ row, body }) => row === "trade" && body["event"] === "closed");

test("a leg of which the venue says that there is nothing to reduce is flat, and its stop is taken away", () => {
  const chosen = scripted("less", () => ({ kind: "wishes", wishes: [wish({ size: 0.3 })], note: "" }));
  const w = ready({ strategies: { chosen, fallback: chosen } });
  w.sweep({ positions: [HELD], openAlgos: [STOP] });
  seconds(w, 2);
  const { intent } = w.last("place");
  expect(intent.opening).toBe(false);
  const { clientOrderId } = intent;
  w.tick(1_000);
  w.feed({ kind: "placed", clientOrderId, sent: { kind: "rejected", code: "401097", message: "nothing to reduce" } });
  expect(held(w)).toBe(0);
  seconds(w, 7);
  expect(w.of("cancel-algo")).toMatchObject([{ algoOrderId: STOP.algoOrderId }]);
});

describe("a push of a leg that was flat a moment ago, while no order filled", () => {
  const late = () => {
    const w = ready();
    told(w, "0.004");
    w.feed({ kind: "algo", algo: STOP });
    told(w, "0");
    w.feed({ kind: "algo", algo: { ...STOP, state: "CANCELLED", updatedAtMs: 1 } });
    w.tick(1_000);
    told(w, "0.004");
    return w;
  };

  test("gets no stop before a list was asked for, and is gone when the list lacks it, as no trade of its own", () => {
    const w = late();
    const asked = w.of("sweep").length;
    seconds(w, 3);
    expect(w.of("sweep").length).toBeGreaterThan(asked);
    expect(held(w)).toBe(1);
    w.sweep({ positions: [] });
    expect(held(w)).toBe(0);
    seconds(w, 8);
    expect(w.of("protect")).toHaveLength(0);
    expect(trades(w)).toHaveLength(1);
  });

  test("is protected once the list shows it", () => {
    const w = late();
    w.tick(1_000);
    w.sweep({ positions: [{ ...HELD, createdAtMs: w.nowMs }] });
    w.tick();
    expect(w.of("protect")).toHaveLength(1);
  });

  test("is protected when no list comes in time", () => {
    const w = late();
    seconds(w, 5);
    expect(w.of("protect")).toHaveLength(1);
  });
});

describe("after a restart", () => {
  const trade = (closedAtMs: number): ClosedTrade => ({
    id: "one",
    symbol: BTC,
    side: "LONG",
    qty: dec("0.004"),
    entryPrice: dec("60000"),
    exitPrice: dec("60000"),
    feesUsdt: ZERO,
    fundingUsdt: ZERO,
    netUsdt: ZERO,
    openedAtMs: START_MS - 60_000,
    closedAtMs,
    decisionId: null,
    strategy: null,
    thesis: null,
    basis: "none",
    exit: "decision",
    exitReason: "",
  });
  const restarted = (closedAtMs: number) =>
    ready({ restored: { trades: { closed: [trade(closedAtMs)], fills: [], funding: [] } } });
  const old = { ...HELD, createdAtMs: START_MS - 60_000 };

  test("a list that lags does not bring back what the journal tells to be over", () => {
    const w = restarted(START_MS - 3_000);
    w.sweep({ positions: [old] });
    expect(held(w)).toBe(0);
  });

  test("a position that began later is held, and so is one that is listed for longer than lists lag", () => {
    const younger = restarted(START_MS - 3_000);
    younger.sweep({ positions: [HELD] });
    expect(held(younger)).toBe(1);
    const w = restarted(START_MS - 3_000);
    seconds(w, 8);
    w.sweep({ positions: [old] });
    expect(held(w)).toBe(1);
  });

  test("a close of the future, by a clock that was set back since, hides nothing", () => {
    const w = restarted(START_MS + 3_600_000);
    w.sweep({ positions: [old] });
    expect(held(w)).toBe(1);
  });
});

describe("a push that tells of a leg which nobody knew that it is flat", () => {
  test.each(["LONG", "NONE"] as const)("outdates the list that was asked for before (%s)", (side) => {
    const w = ready();
    w.tick(4_000);
    const startedAtMs = w.nowMs;
    w.tick(1_000);
    told(w, "0", side);
    w.sweep({ positions: [HELD], startedAtMs });
    expect(held(w)).toBe(0);
    w.tick(1_000);
    w.sweep({ positions: [HELD] });
    expect(held(w)).toBe(1);
  });
});

test("a leg that a list lacks is looked for again soon, and its span without a stop goes on when it comes back", () => {
  const w = ready();
  told(w, "0.004");
  w.tick();
  w.feed({ kind: "protect-sent", leg: w.last("protect").leg, sent: { kind: "unknown", message: "HTTP 500" } });
  seconds(w, 6);
  w.sweep({ positions: [] });
  expect(held(w)).toBe(0);
  const asked = w.of("sweep").length;
  seconds(w, 4);
  expect(w.of("sweep").length).toBeGreaterThan(asked);
  w.sweep({ positions: [HELD] });
  w.tick();
  // Ten seconds without a stop is too long already: it is given up.
  expect(w.of("close")).toMatchObject([{ known: { symbol: BTC, side: "LONG" } }]);
});
