import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import type { FaultBoard } from "../../../src/sim/faults/board.ts";
import { VenueLog } from "../../../src/sim/servers/venue-log.ts";
import { ALICE, good, SOL, T0, venue } from "../exchange/venue.ts";

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
});
