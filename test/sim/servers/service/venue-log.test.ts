import { describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import { silentLog } from "../../../../src/core/log.ts";
import { virtualClock } from "../../../../src/core/virtual-clock.ts";
import { ALL_FAULTS } from "../../../../src/sim/faults/all.ts";
import { FaultBoard } from "../../../../src/sim/faults/board.ts";
import type { FaultWorld } from "../../../../src/sim/faults/fault.ts";
import { VenueLog } from "../../../../src/sim/servers/service/venue-log.ts";
import { ALICE, good, SOL, T0, venue } from "../../exchange/venue.ts";

const noFaults = { onChange: () => () => undefined, active: () => [] } as unknown as FaultBoard;

function logged() {
  const { exchange } = venue();
  const log = new VenueLog({ exchange, faults: noFaults, nowMs: () => T0, cap: 1_000, file: null });
  const trade = (side: "BUY" | "SELL", positionSide: "LONG" | "SHORT") =>
    good(exchange.place(ALICE, { sym: SOL, side, positionSide, orderType: "MARKET", orderQty: "0.1" }, T0));
  const markTo = (price: number) => exchange.market.setMark(SOL, dec(price), dec(price), T0);
  const marks = () => log.entries(1_000).flatMap(({ fact, mark }) => (fact === "mark" ? [mark] : []));
  return { trade, markTo, marks };
}

function withFaults() {
  const { exchange } = venue();
  const env = { entropy: seededEntropy(1) };
  const faults = new FaultBoard({ faults: ALL_FAULTS, clock: virtualClock(T0), log: silentLog });
  faults.plugIn({ env, exchange } as unknown as FaultWorld);
  let nowMs = T0;
  const log = new VenueLog({ exchange, faults, nowMs: () => nowMs, cap: 1_000, file: null });
  const start = (name: string, params: unknown): void => void expect(faults.start(name, params, null).ok).toBe(true);
  const passMs = (ms: number): void => void (nowMs += ms);
  return { log, faults, start, passMs, facts: () => log.entries(1_000) };
}

describe("what could be served", () => {
  const stop = { method: "POST", path: "/api/v1/algo/order" };

  test("a fault names the calls that it stops, and those of which it strikes a share", () => {
    const { start, faults, facts } = withFaults();
    start("server-error", { path: "/algo", share: 1 });
    start("drop-before-apply", { path: "/trading/position", share: 0.2 });
    faults.stop();
    const [first, second, , last] = facts().map(({ barred, touched }) => ({ barred, touched }));
    expect(first?.barred).toContain("POST /api/v1/algo/order");
    expect(first?.barred).toContain("GET /api/v1/algo/openOrders");
    expect(first?.barred).not.toContain("POST /api/v1/trading/order");
    expect(first?.touched).toEqual([]);
    expect(second?.touched).toContain("DELETE /api/v1/trading/position");
    expect(second?.touched).not.toContain("GET /api/v1/trading/position");
    expect(last).toEqual({ barred: [], touched: [] });
  });

  test("a call that a fault may strike is recorded as it arrives and at its end; others are not", () => {
    const { log, start, passMs, facts } = withFaults();
    expect(log.watchCall(stop, ALICE)).toBeNull();
    start("server-error", { path: "/algo", share: 0.5 });
    const ended = log.watchCall(stop, ALICE);
    const received = { fact: "received", atMs: T0, accountId: ALICE, call: "POST /api/v1/algo/order" };
    expect(facts().at(-1)).toEqual(received);
    passMs(700);
    ended?.({ served: false, retryAfterMs: 3_000 });
    expect(log.watchCall({ method: "GET", path: "/api/v1/trading/position" }, ALICE)).toBeNull();
    expect(facts().at(-1)).toEqual({
      ...{ fact: "call", atMs: T0 + 700, accountId: ALICE, call: "POST /api/v1/algo/order" },
      ...{ sinceMs: T0, served: false, retryAfterMs: 3_000 },
    });
  });
});

describe("the venue's own account of what happened", () => {
  test("in hedge mode the marks are reported until both positions of a symbol are closed", () => {
    const { trade, markTo, marks } = logged();
    trade("BUY", "LONG");
    trade("SELL", "SHORT");
    markTo(101);
    trade("SELL", "LONG");
    markTo(102);
    expect(marks()).toEqual(["101", "102"]);
    trade("BUY", "SHORT");
    markTo(103);
    expect(marks()).toEqual(["101", "102"]);
  });

  test("a settlement of funding is recorded for each position, as the account's statement has it", () => {
    const { exchange } = venue();
    let nowMs = T0;
    const log = new VenueLog({ exchange, faults: noFaults, nowMs: () => nowMs, cap: 1_000, file: null });
    const open = (side: "BUY" | "SELL", positionSide: "LONG" | "SHORT", orderQty: string) =>
      good(exchange.place(ALICE, { sym: SOL, side, positionSide, orderType: "MARKET", orderQty }, nowMs));
    exchange.market.setFunding(SOL, dec("0.0005"), T0 + 1_000);
    open("BUY", "LONG", "0.2");
    open("SELL", "SHORT", "0.1");
    nowMs += 1_000;
    exchange.market.setMark(SOL, dec(100), dec(100), nowMs);
    const paid = log.entries(1_000).filter(({ fact }) => fact === "funding");
    expect(paid.map(({ amount }) => amount).sort()).toEqual(["-0.01", "0.005"]);
    expect(paid[0]).toMatchObject({ accountId: ALICE, sym: SOL, atMs: nowMs });
  });
});
