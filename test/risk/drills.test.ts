/** The self-tests of the limits. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { allLimits } from "../../src/risk/all-limits.ts";
import { describeDrill, type DrillResult, runDrills } from "../../src/risk/drills.ts";
import { deny, type Limit, reducing } from "../../src/risk/verdict.ts";
import { view, settings } from "./support.ts";

describe("drills", () => {
  const name = ({ drill }: DrillResult): string => drill;

  test("run the smallest order, the typical one and each limit, in the order in which limits judge", () => {
    const results = runDrills(settings, view());
    expect(results.map(name)).toEqual(["smallest", "typical", ...allLimits(settings).map((limit) => limit.name)]);
    for (const { drill, verdict } of results.slice(2))
      expect([drill, verdict?.kind === "allow"]).toEqual([drill, false]);
    expect(results.slice(0, 2)).toEqual([
      { drill: "smallest", passed: true, verdict: null },
      { drill: "typical", passed: true, verdict: null },
    ]);
  });

  test("the typical order is half of the largest position, and no more than one order may be", () => {
    const seen: string[] = [];
    const watching: Limit = {
      name: "universe",
      judge: ({ order }) => (seen.push(order.qty.toFixed()), reducing("universe")),
      spoil: (scene) => scene,
    };
    runDrills(settings, view(), [watching]);
    runDrills(settings, { ...view(), caps: { perOrderUsdt: dec("101"), totalUsdt: dec("9") } }, [watching]);
    // 200 of 50,000 a coin is 0.004; of a cap of 101 USDT it is 0.002, rounded down to the lot.
    expect(seen.filter((_, at) => at % 3 === 1)).toEqual(["0.004", "0.002"]);
  });

  test("are described in one line each", () => {
    const verdict = deny({ limit: "pace", found: 1, allowed: 0, reason: "Why." });
    expect(describeDrill({ drill: "smallest", passed: false, verdict })).toBe(
      "the smallest sound order is refused by pace: Why.",
    );
    expect(describeDrill({ drill: "typical", passed: false, verdict: null })).toBe(
      "the typical sound order is refused: it would be too small",
    );
    expect(describeDrill({ drill: "pace", passed: false, verdict: null })).toBe(
      "pace did not refuse what it must refuse",
    );
  });

  test("under an account too poor for its typical order say that it would be too small", () => {
    const poor = { ...settings, perSymbolEquityShare: dec("0.000001") };
    const typical = runDrills(poor, view()).find(({ drill }) => drill === "typical");
    expect(typical).toEqual({ drill: "typical", passed: false, verdict: null });
  });
});
