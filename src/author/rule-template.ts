/**
 * The files of `ballast strategy new NAME`: a small rule that trades on practice, to be changed into one's own idea.
 */

export const ruleStrategy = (
  name: string,
): string => `/** A first idea, to be replaced: go with a minute's move that is large for the symbol, while the takers push the same way. */
import { defineStrategy, heldMinutes, heldPositions, type SymbolView, takenSymbols, type TargetPosition, z } from "ballast/strategy";

const Settings = z.strictObject({
  entryScore: z.number().min(0.1).max(10).default(1).describe("A minute's move that opens, in volatilities of a minute."),
  size: z.number().min(0.05).max(1).default(0.4).describe("Share of the largest position that the limits allow."),
  stopVolatilities: z.number().min(0.5).max(10).default(3).describe("Distance of the stop, in volatilities of an hour."),
  maxPositions: z.number().int().min(1).max(10).default(2).describe("Positions at once."),
  holdMinutes: z.number().min(1).max(1440).default(15).describe("A position is closed after this many minutes."),
});
type Settings = z.infer<typeof Settings>;

export default defineStrategy<Settings>({
  name: "${name}",
  description: "Follows a minute's move that is large for the symbol, and closes after a while.",
  settings: Settings,
  needsModel: false,
  decide: (snapshot, settings) => {
    const exits = heldPositions(snapshot)
      .filter((held) => heldMinutes(held, snapshot) >= settings.holdMinutes)
      .map(({ position }): TargetPosition => ({ ...targetFor(position.symbol, position.side, 0), reason: "its time is over" }));
    const taken = takenSymbols(snapshot);
    const room = snapshot.headroom.mayOpen ? settings.maxPositions - taken.size : 0;
    const entries = snapshot.symbols
      .filter((view) => !taken.has(view.symbol) && Math.abs(scoreOf(view)) >= settings.entryScore)
      .sort((a, b) => Math.abs(scoreOf(b)) - Math.abs(scoreOf(a)))
      .slice(0, Math.max(0, room))
      .map((view): TargetPosition => ({
        ...targetFor(view.symbol, scoreOf(view) > 0 ? "LONG" : "SHORT", settings.size),
        stopDistance: Math.min(0.1, Math.max(0.005, settings.stopVolatilities * (view.volatilityHour ?? 0))),
        reason: \`a minute's move of \${scoreOf(view).toFixed(1)} volatilities\`,
        evidence: ["ret1m", "vol1h", "flow"],
      }));
    return { kind: "targets", targets: [...exits, ...entries], note: \`\${entries.length} to open, \${exits.length} to close\` };
  },
});

/** The move of the last minute relative to its usual size; 0 if unknown, or if takers push the other way. */
function scoreOf({ returns, volatilityHour, tradeFlow }: SymbolView): number {
  const move = returns["1m"];
  if (move === undefined || volatilityHour === null || volatilityHour <= 0) return 0;
  if (tradeFlow !== null && Math.sign(tradeFlow) !== Math.sign(move)) return 0;
  return move / (volatilityHour / Math.sqrt(60));
}

/** A target, not an order: "I want to hold this much". Repeating a target changes nothing; size 0 closes. */
const targetFor = (symbol: string, leg: "LONG" | "SHORT", size: number): TargetPosition => ({
  symbol,
  leg,
  size,
  stopDistance: 0.02,
  targetDistance: null,
  urgency: "take",
  reason: "",
  evidence: [],
});
`;

export const ruleTest = (
  name: string,
): string => `/** npx tsx --test own/tests/${name}.test.ts (with Node 22.18 or newer: node --test) */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askStrategy, BTC, ETH, heldOf, accountOf, snapshotOf, viewOf } from "ballast/testing";
import strategy from "../strategies/${name}.ts";

const armed = { strategy, settings: strategy.settings.parse({}) };

test("it goes with a large move and leaves a small one", () => {
  const symbols = [viewOf(BTC, { returns: { "1m": 0.004 } }), viewOf(ETH, { returns: { "1m": 0.00001 } })];
  const answer = askStrategy(armed, snapshotOf({ symbols }));
  assert.ok(answer.ok && answer.value.kind === "targets");
  assert.deepEqual(answer.value.targets.map(({ symbol, leg }) => [symbol, leg]), [[BTC, "LONG"]]);
});

test("it closes what it has held for long enough", () => {
  const answer = askStrategy(armed, snapshotOf({ account: accountOf([heldOf(BTC, "LONG", 600)]) }));
  assert.ok(answer.ok && answer.value.kind === "targets");
  assert.deepEqual(answer.value.targets.map(({ symbol, size }) => [symbol, size]), [[BTC, 0]]);
});
`;
