/** Before a settlement that costs a held position too much, one decision more; else none. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { BTC, holding, position, ready, settingsOf, START_MS } from "../support/agent-world.ts";

const DUE_MS = START_MS + 900_000;

function asked(rate: string, side: "LONG" | "SHORT"): readonly string[] {
  const settings = settingsOf({
    cadence: { ...settingsOf().cadence, every: 7_200_000 },
    funding: { checkBefore: 600_000, costShare: 0.0005 },
  });
  const w = ready({ strategies: { chosen: holding(), fallback: holding() }, settings });
  w.feed({ kind: "funding", funding: { symbol: BTC, rate: dec(rate), nextFundingAtMs: DUE_MS } });
  w.tick(1_000);
  w.account({ positions: [position(BTC, "0.004", "60000", side)] });
  while (w.nowMs < DUE_MS + 60_000) {
    w.tick(30_000);
    w.account({ positions: [position(BTC, "0.004", "60000", side)] });
  }
  return w.logs("decision.triggered").filter((text) => text.includes("funding:"));
}

test("a long that pays more than the set share is asked about once, in time", () => {
  expect(asked("0.0008", "LONG")).toEqual([`funding: ${BTC} LONG pays 0.080 % in 10 minutes`]);
});

test.each([
  ["0.0008", "SHORT"],
  ["0.0004", "LONG"],
] as const)("a rate of %s costs a %s too little to ask", (rate, side) => {
  expect(asked(rate, side)).toEqual([]);
});

test("a short pays a negative rate", () => {
  expect(asked("-0.0008", "SHORT")).toHaveLength(1);
});
