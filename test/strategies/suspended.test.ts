/** Strategies at fault, seen from the agent: they are suspended with a log line, the fallback decides, and nothing of theirs is used. */
import type { ModelOutcome } from "../../src/core/model-outcome.ts";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Strategies } from "../../src/agent/contract/events.ts";
import type { Reply, StrategyAnswer } from "../../src/strategy/strategy.ts";
import { BTC, ready, scripted, target, type World } from "../support/agent-world.ts";
import { modelAnswer, modelFailure } from "../support/model-outcomes.ts";

const fallback = scripted("second", () => ({ kind: "targets", targets: [target()], note: "the fallback opens" }));
const pitted = (answer: () => StrategyAnswer): Strategies => ({ chosen: scripted("first", answer), fallback });

test.each<[string, () => StrategyAnswer, RegExp]>([
  [
    "throws",
    () => {
      throw new Error("boom");
    },
    /first is suspended for 5m: it threw: boom; second takes over/,
  ],
  [
    "answers nonsense",
    () => ({ kind: "targets", targets: [target({ size: 7 })], note: "" }),
    /suspended for 5m: .*size must be/,
  ],
  ["answers nothing", () => undefined as never, /suspended for 5m: the answer is not an object/],
])("one that %s is suspended, and the fallback takes over", (_what, answer, line) => {
  const w = ready({ strategies: pitted(answer) });
  w.tick(1_000);
  expect(w.logs("strategy.failed").join()).toMatch(line);
  expect(w.agent.status(w.nowMs)).toMatchObject({ failedDecisions: 1, lastDecision: { strategy: "second" } });
  expect(w.of("place")).toHaveLength(1);
  expect(w.last("place").intent.draft.order.symbol).toBe(BTC);
});

test("one that hangs is suspended once it has used up its processor time, the fallback deciding meanwhile", () => {
  const hanging = scripted("first", () => {
    for (;;);
  });
  const w = ready({ strategies: { chosen: { ...hanging, msMax: 300 }, fallback } });
  for (let tick = 0; tick < 30 && w.logs("strategy.failed").length === 0; tick++) w.tick(61_000);
  const [line] = w.logs("strategy.failed");
  expect(line).toMatch(/first is suspended for 5m: it did not return within 300 ms; second takes over/);
  expect(w.agent.status(w.nowMs)).toMatchObject({ lastDecision: { strategy: "second" } });
});

test("one that a busy machine did not run is not suspended, and the line says whose fault it was", () => {
  let waiting = true;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const slow = scripted("first", () => {
    while (waiting) Atomics.wait(cell, 0, 0, 20);
    return { kind: "targets", targets: [], note: "at last" };
  });
  const w = ready({ strategies: { chosen: { ...slow, msMax: 100 }, fallback } });
  for (let tick = 0; tick < 3; tick++) w.tick(61_000);
  expect(w.logs("strategy.failed")).toEqual([]);
  expect(w.logs("decision.failed").join()).toMatch(/did not return.*the machine is busy and it ran only for \d+%/);
  waiting = false;
  w.tick(61_000);
  expect(w.agent.status(w.nowMs)).toMatchObject({ lastDecision: { strategy: "first", result: "at last" } });
});

test("while suspended it is not asked; afterwards it is, and a valid answer resets the count", () => {
  let calls = 0;
  const w = ready({
    strategies: pitted(() => {
      calls++;
      if (calls === 1) throw new Error("boom");
      return { kind: "targets", targets: [], note: "well again" };
    }),
  });
  w.tick(1_000);
  for (let minute = 0; minute < 4; minute++) w.tick(61_000);
  expect(calls).toBe(1);
  expect(w.logs("decision.failed").join()).toMatch(/it is suspended for .*: it threw: boom/);
  w.tick(120_000);
  expect(calls).toBe(2);
  expect(w.agent.status(w.nowMs)).toMatchObject({ lastDecision: { strategy: "first" } });
});

test("a fallback that fails too changes nothing, aloud", () => {
  const boom = (): StrategyAnswer => {
    throw new Error("both");
  };
  const w = ready({ strategies: { chosen: scripted("first", boom), fallback: scripted("second", boom) } });
  w.tick(1_000);
  expect(w.logs("strategy.failed").join()).toMatch(/the fallback second failed too: it threw: both; nothing changes/);
  expect(w.of("place")).toHaveLength(0);
});

const question = (fingerprint: string) => ({
  prompt: "p",
  variables: {},
  replySchema: z.object({}),
  replySchemaName: "r",
  maxOutputTokens: 100,
  fingerprint,
});
const answered = modelAnswer(1);
const failed = modelFailure("HTTP 529");
const reply = (w: World, part: number, outcome: ModelOutcome): unknown =>
  w.feed({ kind: "model", decisionId: w.last("ask-model").decisionId, part, outcome });

test("several questions and rounds are one decision: all under its id, read together, in order", () => {
  const seen: [number, readonly Reply[], unknown][] = [];
  const w = ready({
    strategies: {
      chosen: scripted(
        "panel",
        () => ({ kind: "ask", questions: ["a", "b", "c"].map(question), carry: "first" }),
        ({ round, replies, carry }) => {
          seen.push([round, replies, carry]);
          if (round === 1) return { kind: "ask", questions: [question("d")], carry: "second" };
          return { kind: "targets", targets: [target()], note: "" };
        },
      ),
      fallback,
    },
  });
  w.tick(1_000);
  const { decisionId } = w.last("ask-model");
  reply(w, 2, answered);
  reply(w, 2, failed);
  reply(w, 0, failed);
  expect(seen).toEqual([]);
  reply(w, 1, answered);
  expect(seen[0]?.[1].map(({ kind }) => kind)).toEqual(["failed", "answered", "answered"]);
  expect(w.last("ask-model")).toMatchObject({ decisionId, part: 3, urgent: true });
  reply(w, 1, answered);
  expect(w.of("place")).toHaveLength(0);
  reply(w, 3, answered);
  expect(seen.map(([round, , carry]) => [round, carry])).toEqual([
    [1, "first"],
    [2, "second"],
  ]);
  expect(w.last("place").intent.decisionId).toBe(decisionId);
  const rows = w.of("record").filter(({ row }) => row === "question");
  expect(rows.map((each) => [each.decisionId, each.body["part"], each.body["round"]])).toEqual(
    [0, 1, 2, 3].map((part) => [decisionId, part, part < 3 ? 1 : 2]),
  );
});

test("a round without any answer is a failed decision and no fault of the strategy", () => {
  const w = ready({
    strategies: {
      chosen: scripted(
        "votes",
        () => ({ kind: "ask", questions: ["a", "b"].map(question) }),
        () => ({ kind: "targets", targets: [], note: "" }),
      ),
      fallback,
    },
  });
  w.tick(1_000);
  reply(w, 0, failed);
  reply(w, 1, failed);
  expect(w.logs("decision.failed").join()).toMatch(/the model failed: HTTP 529\); second decides/);
  expect(w.logs("strategy.failed")).toEqual([]);
});
