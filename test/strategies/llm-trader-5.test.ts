/** The deciding question that looks at days, puts reasons first, and shows score and own decisions. */
import { beforeAll, expect, test } from "vitest";
import { NO_HISTORY } from "../../src/context/history-view.ts";
import type { OwnDecision, Snapshot, SymbolView } from "../../src/context/snapshot.ts";
import { ownScoring } from "../../src/control/scoring-file.ts";
import { liveScore } from "../../src/domain/live-score.ts";
import { strictJsonSchema } from "../../src/llm/replies/schema.ts";
import { withSchema } from "../../src/llm/calls/question.ts";
import type { ModelQuestion, StrategyAnswer } from "../../src/strategy/strategy.ts";
import { accountOf, AT_MS, BTC, ETH, heldOf, newsOf, snapshotOf, viewOf } from "../strategy/snapshots.ts";
import { armed, decided, questionsOf, reported, said, targetsOf } from "./asking.ts";
import { practised, rendered } from "./model-rig.ts";

// Loading the strategy and the tokenizer takes long on a busy machine.
beforeAll(async () => void (await armed("llm-trader")), 300_000);

const horizon = (change: number, trend: number) => ({
  return: change,
  trend,
  volatilityHour: 0.006,
  fromHigh: -0.01,
  fromLow: 0.1,
});
const history = (trend: number): Partial<SymbolView> => ({
  returns: { "1h": 0.001, "4h": 0.002, "24h": 0.03 },
  history: {
    ...NO_HISTORY,
    horizons: { "1d": horizon(0.03, trend), "7d": horizon(0.09, trend), "21d": horizon(0.2, trend) },
    path: { hours: [], eightHours: [90, 95, 100] },
    fundingPerDay: { "7d": 0.0003 },
    volumeAgainstUsual: 1.4,
    regime: "rising",
  },
});
const market = (change: Partial<Snapshot> = {}): Snapshot =>
  snapshotOf({ symbols: [viewOf(BTC, history(0.2)), viewOf(ETH, history(2.4))], ...change });
const question = async (snapshot = market(), settings: unknown = {}): Promise<ModelQuestion> => {
  const [first] = questionsOf(await decided("llm-trader", snapshot, settings as object));
  if (!first) throw new Error("no question");
  return first;
};
const stance = (change: object = {}) => ({
  symbol: "ETH",
  reason: "A strong trend of weeks.",
  against: "It has run far.",
  invalidation: "A close below the week's low.",
  evidence: ["trend7d"],
  stance: "LONG",
  conviction: 0.55,
  size: "large",
  horizon: "days",
  stopVolatilities: 4,
  targetVolatilities: null,
  urgency: "rest",
  ...change,
});
const read = async (...stances: readonly object[]): Promise<StrategyAnswer> =>
  reported(await armed("llm-trader", {}), { replies: [said({ echo: "e", summary: "S.", stances })] }, market());

test("the strongest trend of weeks comes first, under its short name, with its path and funding", async () => {
  const { user } = rendered(await question());
  const rows =
    user
      .split("## Market")[1]
      ?.split("\n")
      .filter((line) => /^(BTC|ETH) \|/.test(line)) ?? [];
  expect(rows.map((row) => row.split(" | ")[0])).toEqual(["ETH", "BTC"]);
  expect(rows[0]).toContain("| +3.0 | - | +9.0 | +20.0 | +2.4 | +2.4 | -1.0 | +10.0 | -10.0 -5.0 0.0 | rising |");
  expect(rows[0]).toContain("| +0.030 |");
  expect(user).not.toContain("ret5m");
  expect(user).not.toContain(BTC);
});

test("reasons stand before stance, conviction and size, in the text's schema as in the one that is sent", async () => {
  const asked = await question();
  const schema = strictJsonSchema(asked.replySchema);
  if (!schema.ok) throw new Error(schema.error);
  const order = ["reason", "against", "invalidation", "evidence", "stance", "conviction", "size"];
  const places = (text: string): number[] => order.map((name) => text.indexOf(`"${name}":`));
  for (const text of [withSchema("", schema.value), JSON.stringify(schema.value)]) {
    expect(places(text).every((at) => at > 0)).toBe(true);
    expect(places(text)).toEqual(places(text).toSorted((a, b) => a - b));
  }
});

test("size comes in thirds of what code would take, and nothing a model writes makes it larger", async () => {
  const sizes = await Promise.all(["small", "medium", "large"].map((size) => read(stance({ size }))));
  expect(sizes.map((answer) => targetsOf(answer)[0]?.size)).toEqual([0.25, 0.5, 0.8]);
  const { replySchema } = await question();
  const whole = (change: object) => ({ echo: "", summary: "", stances: [stance(change)] });
  expect(replySchema.safeParse(whole({})).success).toBe(true);
  for (const change of [{ size: "huge" }, { size: 2 }, { symbol: BTC }, { symbol: "DOGE" }])
    expect(replySchema.safeParse(whole(change)).success).toBe(false);
});

test("a stance by short name becomes a target on the canonical symbol, with its columns as evidence", async () => {
  expect(targetsOf(await read(stance()))).toMatchObject([{ symbol: ETH, leg: "LONG", urgency: "rest" }]);
  expect(targetsOf(await read(stance({ evidence: ["ret5m"] })))).toEqual([]);
});

const score = liveScore({
  nowMs: AT_MS,
  phase: 1,
  span: { startMs: AT_MS - 86_400_000, endMs: AT_MS + 2 * 86_400_000, reset: false },
  hours: [{ atMs: AT_MS - 3_600_000, equityUsdt: 1_000 }],
  equityUsdt: 990,
  uptime: { ratio: 1, forecast: 1 },
  scoring: ownScoring(),
  ranking: null,
});
const past: OwnDecision = {
  ...{ decisionId: "d-1", atMs: AT_MS - 3_600_000, symbol: ETH, stance: "SHORT", size: 0.4, price: 103 },
  ...{ moved: 0.0291, result: { kind: "open", usdt: 4.2 } },
};

test("the score, the own last decisions and what must go first are shown; without them the text says so", async () => {
  const full = market({ score, decisions: [past], account: accountOf([heldOf(BTC, "LONG", 300)]) });
  const { user, system } = rendered(await question(full, { maxPositions: 1 }));
  expect(user).toContain("phase | Phase I, 2.0 days left");
  expect(user).toContain("ETH | SHORT | 0.40 | 103 | +2.91 | open, +4.20 USDT");
  expect(user).toContain("## Positions, 1 of 1\n\nAll places are taken");
  expect(user).toContain("Least in favour first: BTC");
  expect(system).toContain("At most 1 positions are held at once");
  const bare = rendered(await question()).user;
  expect(bare).toContain("## Score\n\nnot known");
  expect(bare).not.toContain("All places are taken");
});

test("what does not change from question to question comes first", async () => {
  const one = rendered(await question(market({ news: [newsOf("1")] })));
  const other = rendered(await question(market({ score, atMs: AT_MS + 60_000 })));
  expect(one.system).toBe(other.system);
  expect(one.user.indexOf("## Own closed trades")).toBeLessThan(one.user.indexOf("Time:"));
});

test("the practice model answers it: a stance on the strong trend, in the schema's own words", async () => {
  const answer = practised(await question());
  if (answer.kind !== "answered") throw new Error("no answer");
  const { stances } = answer.value as { stances: { symbol: string; stance: string; size: string; against: string }[] };
  expect(stances).toMatchObject([{ symbol: "ETH", stance: "LONG" }]);
  expect(["small", "medium", "large"]).toContain(stances[0]?.size);
  expect(stances[0]?.against).not.toBe("");
  const made = reported(await armed("llm-trader", {}), { replies: [answer] }, market());
  expect(targetsOf(made)).toMatchObject([{ symbol: ETH, leg: "LONG" }]);
});

test("the older text stays selectable, with its own table and without sizes", async () => {
  const older = await question(market(), { prompt: "llm-trader" });
  expect(rendered(older).user).toContain("ret5m");
  expect(older.prompt).toBe("llm-trader");
});
