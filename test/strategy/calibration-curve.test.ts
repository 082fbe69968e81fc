/** The curve of conviction against results, and its lines for a person. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { convictionFacts, convictionText } from "../../src/report/strategies/text.ts";
import { convictionCurve } from "../../src/strategy/calibration.ts";
import { withFacts } from "../../src/strategy/thesis.ts";

const stated = (conviction: number, won: boolean) => ({ conviction, won });

test("counts wins by fifths of conviction, the ends included, and leaves out fifths without a trade", () => {
  const curve = convictionCurve([stated(0, false), stated(0.19, true), stated(0.2, true), stated(1, true)]);
  expect(curve.map(({ from, to, trades, won }) => [from, to, trades, won])).toEqual([
    [0, 0.2, 2, 1],
    [0.2, 0.4, 1, 1],
    [0.8, 1, 1, 1],
  ]);
  expect(convictionCurve([])).toEqual([]);
});

test("takes trades with a stated conviction and a known result, and says how sure each share is", () => {
  const trade = (conviction: number, net: string | null) => ({
    thesis: withFacts({ conviction }, "Because."),
    netUsdt: net === null ? null : dec(net),
  });
  const facts = convictionFacts([
    trade(0.7, "1.5"),
    trade(0.7, "-2"),
    trade(0.9, "3"),
    trade(0.9, null),
    { thesis: "No conviction.", netUsdt: dec("1") },
  ]);
  expect(facts.trades).toBe(3);
  const text = convictionText(facts);
  expect(text).toContain("Stated conviction against results, 3 closed trades; Brier skill");
  expect(text).toContain("0.6 to 0.8  won 1 of 2, 50 % (95 %: 9 to 91 %)");
  expect(text).toContain("0.8 to 1.0  won 1 of 1, 100 % (95 %: 21 to 100 %)");
  expect(convictionText(convictionFacts([]))).toBe("");
});
