/** Prices that wait outside of the exchange: nothing that happens to an account may depend on it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { DEFAULT_EXCHANGES, perpSymbol } from "../../src/domain/symbol.ts";
import { ACCOUNT, type BareExchange, createBareExchange } from "../../src/lab/fast/bare-exchange.ts";
import { readHeld } from "../../src/lab/fast/exchange-link.ts";
import { placeAlgoToWire } from "../../src/protocol/trading/place-algo.ts";
import { placeOrderToWire } from "../../src/protocol/trading/place-order.ts";
import { symbolSpecs } from "../../src/sim/symbol-table.ts";

const START_MS = Date.UTC(2026, 0, 5, 9);
const PRICE = 60_000;
const SYMBOL = perpSymbol("EXCHANGE_A", "BTC");

function venueWith(long: boolean, qty: string, stopAt: number, mode: "NET" | "BOTH" = "NET"): BareExchange {
  const positionSide = mode === "NET" ? "NONE" : long ? "LONG" : "SHORT";
  const venue = createBareExchange({
    specs: symbolSpecs({ exchanges: DEFAULT_EXCHANGES, phase: 1, only: [SYMBOL] }),
    phase: 1,
    mode,
    startUsdt: "1000",
    depth: () => ({
      halfSpread: 0.0001,
      levels: [
        [0, 20_000],
        [0.001, 400_000],
      ],
    }),
    settings: { enforceLeverageCap: false },
    eliminationBelowUsdt: dec("800"),
    startMs: START_MS,
  });
  venue.move(new Map([[SYMBOL, PRICE]]), START_MS);
  venue.fresh(START_MS, SYMBOL);
  const [side, otherSide] = long ? (["BUY", "SELL"] as const) : (["SELL", "BUY"] as const);
  const order = {
    symbol: SYMBOL,
    side,
    positionSide,
    orderType: "MARKET",
    qty: dec(qty),
    limitPrice: null,
    timeInForce: null,
    reduceOnly: false,
    clientOrderId: "opens",
  } as const;
  expect(venue.exchange.place(ACCOUNT, placeOrderToWire(order), START_MS).ok).toBe(true);
  const stop = {
    symbol: SYMBOL,
    condition: "CONDITIONAL",
    side: otherSide,
    positionSide,
    qty: dec(qty),
    reduceOnly: mode === "NET",
    triggerPrice: dec(String(stopAt)),
    triggerType: "MARK_PRICE",
    takeProfitPrice: null,
    stopLossPrice: null,
    clientOrderId: "stops",
  } as const;
  expect(venue.exchange.placeAlgo(ACCOUNT, placeAlgoToWire(stop), START_MS + 2_000).ok).toBe(true);
  venue.exchange.advance(START_MS + 30_000);
  expect(venue.held()).toHaveLength(1);
  return venue;
}

test("an account fares the same where prices wait as where the exchange sees each of them", () => {
  const fates = { stopped: 0, eliminated: 0, alive: 0 };
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom("0.01", "0.06"),
      fc.integer({ min: 5, max: 150 }),
      fc.array(fc.integer({ min: -150, max: 150 }), { minLength: 5, maxLength: 60 }),
      (long, qty, stopPerMille, moves) => {
        const stopAt = Math.round(PRICE * (1 + ((long ? -1 : 1) * stopPerMille) / 1_000));
        const [eager, waiting] = [venueWith(long, qty, stopAt), venueWith(long, qty, stopAt)];
        let price = PRICE;
        moves.forEach((move, at) => {
          const nowMs = START_MS + (at + 1) * MINUTE_MS;
          price *= 1 + move / 10_000;
          eager.move(new Map([[SYMBOL, price]]), nowMs);
          waiting.run([{ symbol: SYMBOL, price }], nowMs);
          expect(waiting.equity().toFixed()).toBe(eager.equity().toFixed());
          expect(waiting.eliminated()).toBe(eager.eliminated());
          expect(waiting.leaning(SYMBOL)).toBe(eager.leaning(SYMBOL));
        });
        const endMs = START_MS + (moves.length + 1) * MINUTE_MS;
        for (const venue of [eager, waiting]) venue.current(endMs);
        expect(waiting.exchange.ledger()).toEqual(eager.exchange.ledger());
        expect(waiting.exchange.executions(ACCOUNT, {}, endMs)).toEqual(eager.exchange.executions(ACCOUNT, {}, endMs));
        expect(waiting.held()).toEqual(eager.held());
        fates[eager.eliminated() ? "eliminated" : eager.held().length === 0 ? "stopped" : "alive"] += 1;
      },
    ),
    { numRuns: 60, seed: 7 },
  );
  expect(Math.min(fates.stopped, fates.eliminated, fates.alive)).toBeGreaterThan(0);
}, 120_000);

test("an account is read as the venue's replies would show it", () => {
  for (const mode of ["NET", "BOTH"] as const)
    for (const long of [true, false]) {
      const venue = venueWith(long, "0.02", long ? 55_000 : 65_000, mode);
      const lengths: number[] = [];
      for (let minute = 1; minute <= 60; minute++) {
        const nowMs = START_MS + minute * MINUTE_MS;
        const price = PRICE * (1 + ((long ? -1 : 1) * minute * minute) / 40_000);
        venue.move(new Map([[SYMBOL, price]]), nowMs);
        const reading = venue.account(nowMs);
        expect(reading).toEqual(readHeld(venue.exchange, nowMs));
        lengths.push(reading.positions.length);
      }
      expect([lengths[0], lengths.at(-1)]).toEqual([1, 0]);
    }
});
