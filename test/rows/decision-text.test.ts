/** How the rows of a decision read in `ballast explain`. */
import { expect, test } from "vitest";
import { decisionText, readDecision } from "../../src/rows/decision.ts";

const target = {
  symbol: "BTC_USDT",
  leg: "SHORT",
  size: 0.5,
  stopDistance: 0.0123,
  targetDistance: 0.02,
  urgency: "take",
  reason: "The signs point down.",
  evidence: ["ret1d", "news:880001186"],
};
const textOf = (body: object): string => decisionText(readDecision({ seq: 1, kind: "decision", body: { ...body } }));

test("a decision reads as a sentence with a line for each target", () => {
  const flat = { ...target, leg: "LONG", size: 0, reason: "It is over.", evidence: [] };
  const body = { by: "momentum", kind: "wishes", note: "Two of ten move.", wishes: [target, flat] };
  expect(textOf(body).split("\n      ")).toEqual([
    "momentum decided on 2 targets: Two of ten move.",
    "SHORT BTC_USDT at 50%, stop 1.23 % away, target 2.00 % away, take: The signs point down. Evidence: ret1d, news:880001186.",
    "flat BTC_USDT LONG: It is over.",
  ]);
  const without = { ...body, wishes: [{ ...target, targetDistance: null }] };
  expect(textOf(without)).toMatch(/stop 1\.23 % away, take: /);
  expect(textOf({ ...body, kind: "abstain", wishes: [] })).toBe("momentum abstained: Two of ten move.");
});

test("what triggered it and what was missing are lists in words", () => {
  const snapshot = {
    atMs: 0,
    symbols: [],
    news: [],
    hash: "",
    headroom: { mayOpen: true, reason: "", perOrderUsdt: "400", totalUsdt: "800" },
    account: null,
    missing: ["funding rate not read: LINK", "no candles: LTC"],
  };
  expect(textOf({ trigger: ["clock", "news:1 BTC"], strategy: "hold", snapshot })).toBe(
    "triggered by clock, news:1 BTC, asked hold; saw 0 symbols, 0 news items, equity unknown, missing: funding rate not read: LINK; no candles: LTC",
  );
});
