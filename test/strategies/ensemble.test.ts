import { expect, test } from "vitest";
import { z } from "zod";
import ensemble from "../../strategies/ensemble.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { dec } from "../../src/core/decimal.ts";
import type { ClosedTrade } from "../../src/domain/closed-trade.ts";
import { loadStrategy } from "../../src/strategy/registry.ts";
import type { ArmedStrategy, ModelQuestion, StrategyAnswer, TargetPosition } from "../../src/strategy/strategy.ts";
import { factsOf, withFacts } from "../../src/strategy/thesis.ts";
import { accountOf, AT_MS, BTC, heldOf, snapshotOf } from "../strategy/snapshots.ts";
import { armed, decided, lost, questionsOf, said, sound, reported, targetsOf } from "./asking.ts";
import { askStrategy } from "../../src/strategy/guarded.ts";

const target = (change: Partial<TargetPosition> = {}): TargetPosition => ({
  symbol: BTC,
  leg: "LONG",
  size: 0.8,
  stopDistance: 0.02,
  targetDistance: null,
  urgency: "take",
  reason: "r",
  evidence: ["ret1h"],
  ...change,
});
const wanting = (...targets: TargetPosition[]): StrategyAnswer => ({ kind: "targets", targets, note: "" });
const fake = (name: string, answer: () => StrategyAnswer, interpret?: () => StrategyAnswer): ArmedStrategy => ({
  strategy: {
    name,
    description: name,
    settings: z.strictObject({}),
    needsModel: interpret !== undefined,
    decide: answer,
    ...(interpret ? { interpret } : {}),
  },
  settings: {},
});
/** An ensemble of fakes, each of weight one. */
const of = (...members: ArmedStrategy[]): ArmedStrategy => ({
  strategy: ensemble.compose(members),
  settings: ensemble.settings.parse({
    members: Object.fromEntries(members.map(({ strategy }) => [strategy.name, {}])),
  }),
});
const vote = (snapshot: Snapshot, ...answers: StrategyAnswer[]): readonly TargetPosition[] =>
  targetsOf(sound(askStrategy(of(...answers.map((answer, n) => fake(`m${n}`, () => answer))), snapshot)));
const questionOf = (prompt: string): ModelQuestion => ({
  prompt,
  variables: {},
  replySchema: z.object({}),
  replySchemaName: "s",
  maxOutputTokens: 10,
  fingerprint: prompt,
});
const NONE = wanting();
const LONG = wanting(target());
const SHORT = wanting(target({ leg: "SHORT" }));
const OUT = wanting(target({ size: 0 }));

test("opens what enough of the weight wants, smaller where fewer agree, naming who voted", () => {
  expect(vote(snapshotOf(), LONG, LONG)).toMatchObject([{ leg: "LONG", size: 0.8 }]);
  const [half] = vote(snapshotOf(), LONG, NONE);
  expect(half).toMatchObject({ leg: "LONG", size: 0.55 });
  expect(factsOf(half?.reason ?? null).votes).toEqual({ m0: 0.5 });
  expect(vote(snapshotOf(), LONG, NONE, NONE, NONE)).toMatchObject([{ size: 0.4 }]);
  expect(vote(snapshotOf(), LONG, NONE, NONE, NONE, NONE)).toEqual([]);
  expect(vote(snapshotOf(), LONG, SHORT)).toEqual([]);
  expect(vote(snapshotOf(), LONG, LONG, SHORT)).toMatchObject([{ leg: "LONG" }]);
});

test("who wanted a position decides about leaving it", () => {
  const held = (thesis: string | null): Snapshot =>
    snapshotOf({ account: accountOf([{ ...heldOf(BTC, "LONG", 60), thesis }]) });
  const owned = held(withFacts({ votes: { m0: 0.5 } }, "r"));
  expect(vote(owned, NONE, OUT, OUT)).toEqual([]);
  expect(vote(owned, OUT, NONE, NONE)).toMatchObject([{ leg: "LONG", size: 0 }]);
  expect(vote(owned, SHORT, NONE, NONE)).toMatchObject([{ leg: "LONG", size: 0 }]);
  expect(vote(held(null), OUT, NONE, NONE)).toEqual([]);
  expect(vote(held(null), OUT, OUT, NONE)).toMatchObject([{ size: 0 }]);
});

test("weights follow the record of what each voted for, within bounds, the same each time", () => {
  const trade = (by: string, net: number, at: number): ClosedTrade => ({
    id: `${by}${at}`,
    symbol: BTC,
    side: "LONG",
    qty: dec("1"),
    entryPrice: dec("100"),
    exitPrice: dec("101"),
    feesUsdt: dec("0"),
    fundingUsdt: dec("0"),
    netUsdt: dec(String(net)),
    openedAtMs: AT_MS - at,
    closedAtMs: AT_MS,
    decisionId: null,
    strategy: "ensemble",
    thesis: withFacts({ votes: { [by]: 0.5 } }, "r"),
    basis: "market",
    exit: "stop",
    exitReason: "stop",
  });
  const recentTrades = Array.from({ length: 40 }, (_, at) => trade(at % 2 ? "m0" : "m1", at % 2 ? 0.8 : -0.8, at));
  const reported = (trades: readonly ClosedTrade[]) =>
    snapshotOf({ account: { ...accountOf(), recentTrades: trades } });
  expect(vote(reported([]), LONG, SHORT)).toEqual([]);
  expect(vote(reported(recentTrades), LONG, SHORT)).toMatchObject([{ leg: "LONG" }]);
  expect(vote(reported(recentTrades), SHORT, LONG)).toMatchObject([{ leg: "SHORT" }]);
  const answer = sound(
    askStrategy(
      of(
        fake("m0", () => LONG),
        fake("m1", () => SHORT),
      ),
      reported(recentTrades),
    ),
  );
  const weights = [...(answer.kind === "targets" ? answer.note : "").matchAll(/m\d (\d\.\d+)/g)].map(([, text]) =>
    Number(text),
  );
  expect(weights[0]).toBeGreaterThan(1.5);
  expect(weights[0]).toBeLessThan(3);
  expect((weights[0] ?? 0) * (weights[1] ?? 0)).toBeCloseTo(1, 1);
});

test("the record of a shadow counts like trades of its own", () => {
  const record = (name: string, returnAfterCosts: number) => ({
    name,
    strategy: name,
    sinceMs: 0,
    decisions: 200,
    failed: 0,
    trades: 60,
    wins: 30,
    open: 0,
    returnAfterCosts,
    maxDrawdown: 0.02,
    sharpe: null,
    hourlyDrawdown: 0,
    costBps: null,
    model: null,
    modelCostUsd: 0,
  });
  const records = [record("m0", 0.05), record("m1", -0.03)];
  expect(vote(snapshotOf({ records }), LONG, SHORT)).toMatchObject([{ leg: "LONG" }]);
  expect(vote(snapshotOf({ records: [record("m0", 0), record("m1", 0)] }), LONG, SHORT)).toEqual([]);
});

test("a member that throws or abstains has no vote; when none can judge it abstains", () => {
  const thrower = (name: string): ArmedStrategy =>
    fake(name, () => {
      throw new Error("boom");
    });
  const two = sound(
    askStrategy(
      of(
        thrower("bad"),
        fake("m0", () => LONG),
      ),
      snapshotOf(),
    ),
  );
  expect(targetsOf(two)).toMatchObject([{ size: 0.55 }]);
  expect(two).toMatchObject({ note: expect.stringContaining("bad: it threw: boom") as string });
  expect(sound(askStrategy(of(thrower("bad"), thrower("worse")), snapshotOf()))).toMatchObject({ kind: "abstain" });
});

const spin = (): never => {
  for (;;);
};

// After two that hang a member may take a seventh of the time of the whole, and vm counts real time: a member that only
// waits for a core on a busy machine must not be cut off too.
const WHOLE_MS = 3_000;
const READING_MS = 1_600;

test("a member that hangs has no vote; the others decide, within the time of the whole", () => {
  const long = (name: string) => fake(name, () => LONG);
  const asking: StrategyAnswer = { kind: "ask", questions: [questionOf("p")], carry: null };
  const hanging = { ...of(fake("spin", spin), long("m0"), fake("late", spin), long("m1")), msMax: WHOLE_MS };
  const beganMs = performance.now();
  const answer = sound(askStrategy(hanging, snapshotOf()));
  expect(performance.now() - beganMs).toBeLessThan(WHOLE_MS);
  expect(targetsOf(answer)).toMatchObject([{ leg: "LONG", size: 0.55 }]);
  expect(answer).toMatchObject({
    note: expect.stringMatching(/spin: it did not return.*late: it did not/) as string,
  });

  const reading = {
    ...of(
      long("m0"),
      fake("spin", () => asking, spin),
    ),
    msMax: READING_MS,
  };
  const asked = sound(askStrategy(reading, snapshotOf()));
  const read = reported(
    reading,
    { replies: [said({})], carry: asked.kind === "ask" ? asked.carry : null },
    snapshotOf(),
  );
  expect(targetsOf(read)).toMatchObject([{ leg: "LONG", size: 0.55 }]);
  expect(read).toMatchObject({ note: expect.stringContaining("spin: it did not return") as string });
});

test("members that ask a model are asked side by side, each with its own replies", () => {
  const asker = (name: string, count: number) =>
    fake(
      name,
      () => ({
        kind: "ask",
        questions: Array.from({ length: count }, (_, n) => questionOf(`${name}${n}`)),
        carry: name,
      }),
      () => LONG,
    );
  const strategy = of(
    asker("m0", 2),
    fake("m1", () => SHORT),
    asker("m2", 1),
  );
  const asked = sound(askStrategy(strategy, snapshotOf()));
  expect(questionsOf(asked).map(({ prompt }) => prompt)).toEqual(["m00", "m01", "m20"]);
  const carry = asked.kind === "ask" ? asked.carry : null;
  const all = reported(strategy, { replies: [said({}), lost, said({})], carry }, snapshotOf());
  expect(targetsOf(all)).toMatchObject([{ leg: "LONG" }]);
  expect(targetsOf(reported(strategy, { replies: [said({}), said({}), lost], carry }, snapshotOf()))).toEqual([]);
});

test("its members are loaded by name, with their settings; itself and outsiders are refused", async () => {
  const loaded = await armed("ensemble", {
    members: { hold: {}, momentum: { weight: 2, settings: { horizon: "fast" } } },
  });
  expect(loaded.strategy.needsModel).toBe(false);
  expect(await decided("ensemble", snapshotOf())).toMatchObject({ kind: "targets" });
  const withModel = await armed("ensemble", { members: { "llm-trader": {}, momentum: {} } });
  expect(withModel.strategy.needsModel).toBe(true);
  for (const [members, reason] of [
    [{ ensemble: {}, hold: {} }, "cannot be a member of itself"],
    [{ momentun: {}, hold: {} }, "did you mean momentum?"],
    [{ momentum: { settings: { maxSiz: 1 } }, hold: {} }, "did you mean maxSize?"],
    [{ hold: {} }, "at least two"],
  ] as const) {
    const refused = await loadStrategy("ensemble", { members });
    expect(refused.ok ? "" : refused.error).toContain(reason);
  }
});
