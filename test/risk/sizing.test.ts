/** The default settings, the size of a target, and the age that a position must reach. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { heldLongEnough } from "../../src/risk/limits/pace.ts";
import { RISK } from "../support/risk.ts";
import { gapFor } from "../../src/risk/settings.ts";
import { targetQty } from "../../src/risk/sizing.ts";
import { BTC, NOW_MS, rules, settings, text } from "./support.ts";

describe("the defaults", () => {
  test("are the figures of the page, spans in milliseconds", () => {
    const minute = 60_000;
    expect(settings).toMatchObject({
      maxPositions: 4,
      ordersPerHour: 60,
      reentryCooldown: 10 * minute,
      flipCooldown: 15 * minute,
      minHolding: 15 * minute,
      maxBookAge: 2_500,
      maxMarkAge: 4_500,
      maxAccountAge: 29_000,
      maxNewsAge: 60 * minute,
      maxClockUncertainty: 5_000,
      blockedAlarm: 15 * minute,
      takerBps: 1.75,
      makerBps: 0.8,
    });
    expect(settings.majors).toEqual(["BTC", "ETH"]);
    expect(Object.isFrozen(RISK)).toBe(true);
    expect(text(RISK.openingSpareUsdt)).toBe("10");
  });

  test("never trade near elimination: the ladder's rungs stand in order above the floor and its buffer", () => {
    const rungs = [settings.warnUsdt, settings.holdUsdt, settings.flattenUsdt, dec(800).add(settings.bufferUsdt)];
    expect(rungs.map(text)).toEqual(["880", "850", "820", "820"]);
  });

  test("insure the majors for less, by the base and not by the quote", () => {
    const gap = (symbol: string): string | null => text(gapFor(settings, symbol));
    expect(["BTC", "ETH", "SOL"].map((base) => gap(`EXCHANGE_A_PERP_${base}_USDT`))).toEqual(["0.12", "0.12", "0.25"]);
    expect([gap("BTC"), gap("EXCHANGE_A_PERP_X_BTC")]).toEqual(["0.25", "0.25"]);
  });
});

describe("sizing", () => {
  const target = (size: string, price = "60000", change: Parameters<typeof rules>[1] = {}): string =>
    targetQty({ size: dec(size), price: dec(price), rules: rules(BTC, change) }, dec("1000"), settings).toFixed();

  test("is a share of equity, rounded down to the lot, whatever the limits leave of it", () => {
    expect(settings.perSymbolEquityShare.toFixed()).toBe("0.4");
    expect(["0", "0.5", "1"].map((size) => target(size))).toEqual(["0", "0.003", "0.006"]);
    expect(target("1", "60000", { lotSize: dec("0.0001") })).toBe("0.0066");
    expect(target("0.1")).toBe("0");
  });

  test("counts contracts by what one holds", () => {
    expect(target("1", "60000", { contractSize: dec("0.01") })).toBe("0.666");
  });
});

test("a position is old enough from the very instant on", () => {
  const held = (agoMs: number): boolean => heldLongEnough(NOW_MS - agoMs, NOW_MS, { ...settings, minHolding: 100 });
  expect([held(99), held(100), held(101)]).toEqual([false, true, true]);
});
