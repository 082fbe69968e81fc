/** The figures that are carried along are the figures that adding up from scratch gives, after every command. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec, toWire } from "../../../../src/core/decimal.ts";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import { scaleOf, stepsIn } from "../../../../src/sim/exchange/positions/gauge.ts";
import { walletFigures } from "../../../../src/sim/exchange/positions/margin.ts";
import { listOpen } from "../../../../src/sim/exchange/state/open-orders.ts";
import type { Exposure, Wallet, World } from "../../../../src/sim/exchange/state/state.ts";
import { type Run, step } from "../random-commands.ts";
import { referenceSums } from "./reference-sums.ts";
import { SOL, T0, venue } from "../venue.ts";

const walletsOf = (world: World): Wallet[] =>
  [...world.portfolios.values()].flatMap(({ wallets }) => [...wallets.values()]);

const texts = (record: object, names: readonly string[]): string[] =>
  names.map((name) => toWire((record as Record<string, ReturnType<typeof dec>>)[name] ?? dec(-1)));

function checkSums(world: World, wallet: Wallet): void {
  const wanted = referenceSums(world, wallet);
  const names = Object.keys(wanted);
  expect(texts(walletFigures(world, wallet), names)).toEqual(texts(wanted, names));
}

function checkTally({ open, tally }: Exposure): void {
  const left = (side: string): number =>
    listOpen(open)
      .filter((order) => order.side === side)
      .reduce((sum, o) => sum + o.lots - o.filledLots, 0);
  expect([tally.buyLots, tally.sellLots]).toEqual([left("BUY"), left("SELL")]);
}

function runSeed(seed: number, mode: "BOTH" | "NET"): void {
  const { world, exchange } = venue({
    mode,
    usdt: seed % 3 === 0 ? "150" : "1000",
    settings: { placeDelayMs: seed % 2 === 0 ? 0 : 50, cancelDelayMs: 30, amendDelayMs: 20 },
  });
  const run: Run = { exchange, chance: seededEntropy(seed), nowMs: T0 };
  for (let i = 0; i < 150; i++) {
    step(run);
    for (const wallet of walletsOf(world)) {
      checkSums(world, wallet);
      for (const exposure of wallet.exposures.values()) checkTally(exposure);
    }
  }
}

describe("figures that are carried along", () => {
  test("equal a recomputation from scratch after every command, in hedge and in one-way mode", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom("BOTH" as const, "NET" as const),
        (seed, mode) => {
          runSeed(seed, mode);
        },
      ),
      { numRuns: 12 },
    );
  }, 60_000);

  test("a position is valued at the last price while there is no mark", () => {
    const { world, exchange } = venue();
    const instrument = world.instruments.get(SOL);
    if (instrument === undefined) throw new Error("the venue carries SOL");
    const [wallet] = walletsOf(world);
    if (wallet === undefined) throw new Error("the venue has wallets");
    instrument.mark = instrument.gauge = null;
    exchange.market.print(SOL, true, 1001, 1, T0);
    const { accountId } = wallet.portfolio;
    const order = {
      sym: SOL,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      orderQty: "1",
      limitPrice: "101",
    } as const;
    expect(exchange.place(accountId, order, T0).ok).toBe(true);
    exchange.market.print(SOL, true, 1010, 1, T0 + 1);
    checkSums(world, wallet);
    expect(walletFigures(world, wallet).upnl.gt(0)).toBe(true);
  });
});

describe("texts read as whole steps", () => {
  const decimalText = fc
    .tuple(fc.integer({ min: 0, max: 10 ** 9 }), fc.stringMatching(/^\d{0,9}$/))
    .map(([whole, fraction]) => (fraction === "" ? String(whole) : `${whole}.${fraction}`));
  const steps = fc.constantFrom("0.1", "0.01", "0.00001", "0.5", "0.025", "1", "1000", "0.0000001");

  test("are what decimals say, or are left to them", () => {
    fc.assert(
      fc.property(decimalText, steps, (text, step) => {
        const found = stepsIn(text, scaleOf(dec(step)));
        const exact = dec(text).div(dec(step));
        if (found !== null) expect(exact.eq(found)).toBe(true);
        else if (exact.lt(1e12)) expect(exact.isInteger() && !exact.isZero() && !/\.\d*0$/.test(text)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test("leave everything else alone", () => {
    for (const text of [
      "",
      "0",
      "0.0",
      "-1",
      "+1",
      "1e3",
      " 1",
      "1.",
      ".5",
      "1.2.3",
      "0x10",
      "1".repeat(16),
      "0.005",
    ]) {
      expect([text, stepsIn(text, scaleOf(dec("0.01")))]).toEqual([text, null]);
    }
    expect(stepsIn("1.00", scaleOf(dec("0.01")))).toBe(100);
  });
});
