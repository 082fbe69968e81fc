/** Answers beyond the deciding one are bought where they can change a decision, and the record says what each use changed. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { dec } from "../../src/core/decimal.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import type { ClosedTrade } from "../../src/domain/closed-trade.ts";
import { EXTRA_USES, type ModelQuestion, type Reply, type StrategyAnswer } from "../../src/strategy/strategy.ts";
import { accountOf, AT_MS, BTC, ETH, rulesOf } from "../strategy/snapshots.ts";
import { armed, decided, lost, questionsOf, reported, said, targetsOf } from "./asking.ts";
import { holding, market, rendered, reply, rising, stance } from "./model-rig.ts";
import { isInPlan } from "../../src/daemon/model-port.ts";

beforeAll(async () => void (await armed("llm-trader")), 300_000);

const OLDER = { prompt: "llm-trader", secondOpinions: 2 };
const first = async (replies: readonly Reply[], snapshot: Snapshot = market(rising), settings: object = {}) =>
  reported(await armed("llm-trader", { ...OLDER, ...settings }), { replies }, snapshot);
const LONG = reply(stance());

/** Both rounds: what the first answer leads to, and the further samples. */
async function both(one: readonly Reply[], further: readonly Reply[]): Promise<StrategyAnswer> {
  const asked = await first(one);
  if (asked.kind !== "ask") throw new Error("no second opinion was asked for");
  const trader = await armed("llm-trader", OLDER);
  return reported(trader, { round: 2, replies: further, carry: asked.carry }, market(rising));
}

test("an opening buys two further samples, each a question of its own for that use", async () => {
  const questions = questionsOf(await first([LONG]));
  expect(questions.map(({ use }) => use)).toEqual(["second-opinion", "second-opinion"]);
  expect(new Set(questions.map(({ fingerprint }) => fingerprint)).size).toBe(2);
});

test.each<[string, Reply, Partial<Snapshot>, object]>([
  ["changes nothing", reply(), {}, {}],
  ["keeps what is held", LONG, holding("LONG", 300), {}],
  ["closes", reply(stance({ stance: "FLAT" })), holding("LONG", 300), {}],
  ["opens, where none are wanted", LONG, {}, { secondOpinions: 0 }],
])("an answer that %s buys none", async (_what, answer, change, settings) => {
  expect((await first([answer], market(rising, change), settings)).kind).toBe("targets");
});

test("samples that name different sides buy more, though they open nothing together", async () => {
  expect((await first([LONG, reply(stance({ stance: "SHORT" }))], market(rising), { samples: 2 })).kind).toBe("ask");
});

test("two against one drop the opening, and the note says that the money changed the decision", async () => {
  const changed = await both([LONG], [reply(), reply(stance({ symbol: ETH }))]);
  expect(targetsOf(changed)).toEqual([]);
  expect(changed).toMatchObject({ note: expect.stringMatching(/^\[second-opinion changed it\]/) as string });
  const kept = await both([LONG], [LONG, LONG]);
  expect(targetsOf(kept)).toMatchObject([{ symbol: BTC, leg: "LONG", size: 0.8 }]);
  expect(kept).toMatchObject({ note: expect.stringMatching(/^\[second-opinion kept it\]/) as string });
});

test("samples that the plan had no money for are no votes: the first answer stands as it was", async () => {
  const plain = await both([LONG], [lost, lost]);
  expect(targetsOf(plain)).toMatchObject([{ symbol: BTC, leg: "LONG", size: 0.8 }]);
  expect(targetsOf(await both([LONG], [LONG, lost]))).toMatchObject([{ size: 0.8 }]);
});

describe("the order of spending", () => {
  test("a later use may run less far ahead of the line to the target, the last one not at all", () => {
    const planned = (aheadMs: number | null) => EXTRA_USES.filter((use) => isInPlan(use, aheadMs));
    expect(planned(null)).toEqual([]);
    expect(planned(2 * HOUR_MS)).toEqual(["second-opinion"]);
    expect(planned(HOUR_MS)).toEqual(["second-opinion", "deep-answer", "debate"]);
    expect(planned(0)).toEqual(EXTRA_USES);
    expect(planned(-9 * HOUR_MS)).toEqual(EXTRA_USES);
  });
});

/** In the newer text symbols have short names and reasons come first. */
const week = (change: object = {}) => ({
  ...{ symbol: "BTC", reason: "R.", against: "A.", invalidation: "I.", evidence: ["ret1h"] },
  ...{ stance: "LONG", conviction: 0.5, size: "large", horizon: "days" },
  ...{ stopVolatilities: 3, targetVolatilities: null, urgency: "take" },
  ...change,
});
const says = (...stances: readonly object[]) => reply(...stances);
const usesOf = (questions: readonly ModelQuestion[]) => questions.map(({ use }) => use ?? "decision");

/** A whole decision: `answers` gives the replies of each round by its questions. */
async function play(
  settings: object,
  answers: (question: ModelQuestion, at: number) => Reply,
  snapshot: Snapshot = market(rising),
): Promise<{ readonly asked: readonly (readonly ModelQuestion[])[]; readonly answer: StrategyAnswer }> {
  const trader = await armed("llm-trader", settings);
  let answer = await decided("llm-trader", snapshot, settings);
  const asked: (readonly ModelQuestion[])[] = [];
  for (let round = 1; answer.kind === "ask"; round++) {
    const { questions, carry = null } = answer;
    asked.push(questions);
    answer = reported(trader, { round, replies: questions.map(answers), carry }, snapshot);
  }
  return { asked, answer };
}
const boughtBy = (answer: StrategyAnswer) => (answer.kind === "targets" ? answer.bought : undefined);

describe("a deep answer", () => {
  const DEEP = { deepCandidates: 2 };

  test("is asked beside the decision once in an hour of the clock, about the best candidates", async () => {
    const questions = async (deepMs?: number) =>
      questionsOf(
        await decided(
          "llm-trader",
          market(rising, deepMs === undefined ? {} : { bought: { "deep-answer": deepMs } }),
          DEEP,
        ),
      );
    const asked = await questions();
    expect(usesOf(asked)).toEqual(["decision", "deep-answer"]);
    expect(asked[1]?.variables).toMatchObject({ task: "deep", focus: expect.stringContaining("ETH") as string });
    expect(usesOf(await questions(AT_MS - MINUTE_MS))).toEqual(["decision", "deep-answer"]);
    expect(usesOf(await questions(AT_MS))).toEqual(["decision"]);
  });

  test("alone opens nothing; with the deciding answer against it nothing either", async () => {
    const { answer } = await play(DEEP, ({ use }) => (use === "deep-answer" ? says(week()) : says()));
    expect(targetsOf(answer)).toEqual([]);
    expect(boughtBy(answer)).toEqual([{ use: "deep-answer", changed: false, without: [] }]);
  });

  test("shares the bytes of the deciding question's system part, for the provider's prefix cache", async () => {
    const [plain, deep] = questionsOf(await decided("llm-trader", market(rising), DEEP));
    if (!plain || !deep) throw new Error("two questions");
    expect(rendered(deep).system).toBe(rendered(plain).system);
    expect(rendered(deep).user).toContain("A deep look at these symbols alone");
    expect(rendered(plain).user).not.toContain("This question");
  });
});

describe("an analyst", () => {
  test("votes on its own symbol: against the opening it halves the agreement and shrinks the size", async () => {
    const { answer, asked } = await play({ analysts: 2 }, ({ use, variables }) =>
      use === undefined || variables["focus"] === "ETH" ? says(week()) : says(week({ stance: "FLAT" })),
    );
    expect(usesOf(asked[0] ?? [])).toEqual(["decision", "symbol-analyst", "symbol-analyst"]);
    const [target] = targetsOf(answer);
    expect(target?.size).toBeLessThan(0.8);
    expect(boughtBy(answer)).toMatchObject([
      { use: "symbol-analyst", changed: true, without: [{ symbol: BTC, leg: "LONG", size: 0.8 }] },
    ]);
  });

  test("has no say on another symbol than its own", async () => {
    const { answer } = await play({ analysts: 1, deepCandidates: 0 }, ({ use }) =>
      use === undefined ? says(week()) : says(week(), week({ symbol: "ETH" })),
    );
    expect(targetsOf(answer).map(({ symbol }) => symbol)).toEqual([BTC]);
  });
});

describe("a bull and a bear", () => {
  const chances = (bull: number, bear: number) => {
    const caseOf = (chance: number) => said({ argument: "A.", fatal: "F.", chance, echo: "e" });
    return ({ use, variables }: ModelQuestion) =>
      use === undefined ? says(week()) : caseOf(String(variables["side"]).startsWith("bull") ? bull : bear);
  };

  test.each([
    [0.6, 0.3, 0],
    [0.7, 0.4, 1],
  ])("with chances of %d and %d leave %d openings", async (bull, bear, left) => {
    const { asked, answer } = await play({ debates: 1 }, chances(bull, bear));
    expect(usesOf(asked[1] ?? [])).toEqual(["debate", "debate"]);
    expect(targetsOf(answer)).toHaveLength(left);
    expect(boughtBy(answer)).toMatchObject([{ use: "debate", changed: left === 0, without: [{ symbol: BTC }] }]);
  });

  test("are not asked about what is held, and one of them alone decides nothing", async () => {
    const held = await play({ debates: 1 }, chances(0.1, 0.1), market(rising, holding("LONG", 300)));
    expect(held.asked).toHaveLength(1);
    const { answer } = await play({ debates: 1 }, (question, at) => (at === 1 ? lost : chances(0.1, 0.1)(question)));
    expect(targetsOf(answer)).toHaveLength(1);
  });
});

describe("a post-mortem", () => {
  const trade = (closedAtMs: number): ClosedTrade => ({
    ...{ id: `t-${closedAtMs}`, symbol: BTC, side: "LONG", qty: dec(1), entryPrice: dec(100), exitPrice: dec(99) },
    ...{
      feesUsdt: dec("0.1"),
      fundingUsdt: dec(0),
      netUsdt: dec("-1.1"),
      openedAtMs: closedAtMs - HOUR_MS,
      closedAtMs,
    },
    ...{
      decisionId: null,
      strategy: "llm-trader",
      thesis: "Said by a model.",
      basis: "market",
      exit: "stop",
      exitReason: "",
    },
  });
  const after = (bought: Record<string, number>) => {
    const recentTrades = [trade(AT_MS - MINUTE_MS), trade(AT_MS - 2 * HOUR_MS), trade(AT_MS - 9 * HOUR_MS)];
    return market(rising, { account: { ...accountOf(), recentTrades }, bought });
  };

  test("examines each close once, without the words of a model, and moves no target", async () => {
    const found = said({ why: "W.", cause: "stop-too-near", again: false, echo: "e" });
    const { asked, answer } = await play({ postMortems: 3 }, ({ use }) => (use ? found : says()), after({}));
    expect(usesOf(asked[0] ?? [])).toEqual(["decision", "post-mortem", "post-mortem"]);
    const text = rendered(asked[0]?.[1] as ModelQuestion).user;
    expect(text).toContain("BTC | LONG | 1.0 | -1.00 | 0.10 | -1.10 | stop | market");
    expect(text).not.toContain("Said by a model");
    expect(boughtBy(answer)).toBeUndefined();
    const later = await play({ postMortems: 3 }, () => says(), after({ "post-mortem": AT_MS - HOUR_MS }));
    expect(usesOf(later.asked[0] ?? [])).toEqual(["decision", "post-mortem"]);
  });

  test("counts ten contracts of a tenth of a coin as one coin", async () => {
    const account = { ...accountOf(), recentTrades: [{ ...trade(AT_MS - MINUTE_MS), qty: dec(10) }] };
    const contracts = { ...rising, rules: { ...rulesOf(BTC), contractSize: dec("0.1") } };
    const { asked } = await play({ postMortems: 3 }, () => says(), market(contracts, { account }));
    const text = rendered(asked[0]?.[1] as ModelQuestion).user;
    expect(text).toContain("BTC | LONG | 1.0 | -1.00 | 0.10 | -1.10 | stop | market");
  });
});

test("the plan's questions never exceed what a decision may ask at once", async () => {
  const all = { samples: 9, secondOpinions: 2, deepCandidates: 4, debates: 3, postMortems: 3, analysts: 4 };
  expect(questionsOf(await decided("llm-trader", market(rising), all))).toHaveLength(12);
});
