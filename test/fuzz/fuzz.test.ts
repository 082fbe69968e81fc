/** A few hundred mutated inputs of each kind; ten thousand and more: `npm run fuzz`. */
import { describe, expect, test } from "vitest";
import { BTC, target } from "../support/agent-world.ts";
import { fuzzConfigs, judgeFile } from "./configs.ts";
import { fuzzFrames, STREAMS } from "./frames.ts";
import { beyond, fuzzReplies, ordersBeyond } from "./replies.ts";

const HANG_MS = 400_000;

describe("mutated inputs throw nothing and lead to no order outside the limits", () => {
  test("replies of a model, a few of them still valid", { timeout: HANG_MS }, async () => {
    const { tried, accepted, problems } = await fuzzReplies(240, 1);
    expect(problems).toEqual([]);
    expect(tried).toBe(240);
    expect(accepted).toBeGreaterThan(10);
  });

  test("configuration files, a few of them still valid", { timeout: HANG_MS }, () => {
    const { accepted, problems } = fuzzConfigs(300, 1);
    expect(problems).toEqual([]);
    expect(accepted).toBeGreaterThan(10);
  });

  test("frames of each stream, while it trades", { timeout: HANG_MS }, async () => {
    const { counts, orders, problems } = await fuzzFrames(200, 1);
    expect(problems).toEqual([]);
    for (const stream of STREAMS) expect(counts[stream]).toBe(200);
    expect(orders).toBeGreaterThan(0);
  });
});

describe("the judges of a fuzz run", () => {
  test("let the orders of sound targets pass", () => {
    expect(ordersBeyond([target()])).toEqual([]);
  });

  const sound = { symbol: BTC, opening: true, qty: 0.006, price: 60_000, stop: 58_800 };

  test.each([
    ["of a coin outside of the universe", { symbol: "EXCHANGE_A_PERP_DOGE_USDT" }],
    ["of twice the value", { qty: 0.012 }],
    ["of no figure", { qty: NaN }],
    ["without a stop", { stop: NaN }],
    ["with a stop at half the price", { stop: 30_000 }],
  ])("see an order %s", (_what, change) => {
    expect(beyond(sound)).toEqual([]);
    expect(beyond({ ...sound, ...change })).toHaveLength(1);
  });

  test("see a file that is taken with a setting beyond its bounds, and take a sound one", () => {
    expect(judgeFile("phase: 1\n")).toEqual({ accepted: true, problems: [] });
    expect(judgeFile("risk:\n  gapMajors: 0.01\n").accepted).toBe(false);
  });
});
