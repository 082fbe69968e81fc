/** `ballast/lab`, as a script of a strategy's author uses it. */
import { expect, test } from "vitest";
import { z } from "zod";
import { backtest } from "../../src/lab/entry.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";

const alwaysLong = defineStrategy({
  name: "always-long",
  description: "Long in the first symbol, always.",
  settings: z.strictObject({ stop: z.number().min(0.005).max(0.1).default(0.05) }),
  needsModel: false,
  decide: ({ symbols: [first] }, { stop }) => ({
    kind: "targets",
    note: "long",
    targets: first
      ? [
          {
            symbol: first.symbol,
            leg: "LONG",
            size: 0.5,
            stopDistance: stop,
            targetDistance: null,
            urgency: "take",
            reason: "always",
            evidence: [],
          },
        ]
      : [],
  }),
});

test("a strategy of one's own is tested in a few lines, and twice alike", async () => {
  const options = { strategy: alwaysLong, symbols: ["BTC"], for: "12h", seed: 2 };
  const result = await backtest(options);
  expect(result.fills).toBeGreaterThan(0);
  expect(result.feesUsdt).toBeGreaterThan(0);
  expect(result.equity.length).toBe(721);
  expect(result.endUsdt).toBe(result.equity.at(-1)?.equityUsdt);
  expect(await backtest(options)).toEqual(result);
});

test("one of the program's runs by name with settings, and lists its closed trades", async () => {
  const settings = { horizon: "fast", entryScore: 0.7, edgeOverCost: 0.2, confirmation: -0.5, minHoldMinutes: 2 };
  const { trades, fills } = await backtest({ strategy: "momentum", settings, symbols: ["BTC", "SOL"], for: "6h" });
  expect(trades.length).toBeGreaterThan(0);
  expect(fills).toBeGreaterThanOrEqual(2 * trades.length);
  expect(trades[0]).toMatchObject({ strategy: "momentum", side: expect.stringMatching(/^(LONG|SHORT)$/) as string });
});

test.each([
  [{ for: "soon" }, /for: soon is not a span/],
  [{ data: "somewhere" }, /from is needed with data/],
  [{ data: "somewhere", from: "2026-01-05T00:00:00Z" }, /market data in somewhere/],
  [{ settings: { stops: 1 } }, /always-long: stops is not a setting; did you mean stop\?/],
  [{ symbols: ["BTX"] }, /BTX/],
])("%j is refused with the option and its rule", async (more, said) => {
  await expect(backtest({ strategy: alwaysLong, for: "1h", symbols: ["BTC"], ...more })).rejects.toThrow(said);
});
