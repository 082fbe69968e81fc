/** From what a strategy wants to an order on the wire, or to the reason why there is none; and what a model answers. */
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { agentSettings } from "../../src/control/agent-settings.ts";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import {
  anyQuestion,
  holding,
  ready,
  scripted,
  settingsOf,
  target,
  world,
  type World,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { modelAnswer, modelFailure } from "../support/model-outcomes.ts";

/** A ready agent with other limits. */
function limited(risk: Partial<AgentSettings["risk"]>): World {
  const settings = settingsOf();
  return ready({ settings: { ...settings, risk: { ...settings.risk, ...risk } } });
}

describe("from targets to an order on the wire", () => {
  test("once ready, a decision is made, and its intent is journaled before the order is requested", () => {
    // Half of 40 % of 1,000 USDT, rounded down to the lot: never larger than proposed.
    const w = story(`
      wants BTC LONG 0.5
      1 s                      -> places BTC BUY 0.003 once
    `);
    expect(w.logs("agent.ready")).toHaveLength(1);
    const kinds = w.effects.map((effect) => (effect.kind === "record" ? `row:${effect.row}` : effect.kind));
    expect(kinds.indexOf("row:intent")).toBeGreaterThan(0);
    expect(kinds.indexOf("row:intent")).toBeLessThan(kinds.indexOf("place"));
    const { draft } = w.last("place").intent;
    expect(draft.order).toMatchObject({ positionSide: "LONG", orderType: "LIMIT", timeInForce: "IOC" });
    expect(draft.stopPrice?.toFixed()).toBe("58803");
  });

  test("the same target ten times is one position", () => {
    const plain = settingsOf();
    const w = story(
      `
      wants BTC LONG 0.5
      1 s                      -> places BTC BUY 0.003 once
      order FILLED
      push BTC LONG 0.003 @ 60003
      stop S1 for 0.003 at 58803
      110 s with list BTC LONG 0.003 @ 60003, S1 -> nothing
      `,
      ready({ settings: { ...plain, cadence: { ...plain.cadence, every: 10_000, minGap: 1_000 } } }),
    );
    expect(w.logs("decision.made").length).toBeGreaterThan(10);
  });

  test("without a session every opening is denied and the reason is reported", () => {
    story(`
      session none because session.consent is empty
      wants BTC LONG 0.5
      1 s                      -> nothing, logs review.verdict saying denied
    `);
  });

  test("nothing is opened while a stream is down, and the close still goes out", () => {
    story(`
      list BTC LONG 0.004, S1
      stream down
      wants ETH LONG 0.5, BTC flat
      1 s                      -> closes BTC LONG 0.004
    `);
  });

  test("stale prices open nothing", () => {
    story(`
      wants BTC LONG 0.5
      9 s without prices       -> nothing, logs review.verdict saying freshness
    `);
  });

  test("a reversal closes now and opens at a later decision", () => {
    story(
      `
      list BTC LONG 0.004, S1
      wants BTC SHORT 0.5
      1 s                      -> closes BTC LONG 0.004
      push BTC LONG flat
      100 s with lists         -> cancels S1, places BTC SELL
      `,
      limited({ minHolding: 0, flipCooldown: 0, reentryCooldown: 0 }),
    );
  });

  test.each(["BTC flat", "BTC SHORT 0.5"])(
    "a position younger than the minimum holding is not changed because the strategy wants %s",
    (wanted) => {
      const heldFor = (age: string, then: string): World =>
        story(
          `
          list BTC LONG 0.004 began ${age} ago, S1
          wants ${wanted}
          1 s                    -> ${then}
          `,
          limited({ minHolding: 60_000 }),
        );
      heldFor("5 s", "nothing");
      heldFor("65 s", "closes BTC LONG 0.004 once");
    },
  );

  test("the last look refuses what has become stale between review and wire", () => {
    story(`
      wants BTC LONG 0.5
      1 s                      -> places BTC, recheck passes
      session stopped          -> recheck fails by session
      session active           -> recheck passes
      10 s without prices      -> recheck fails by freshness
    `);
  });

  test("the last look leaves out the order itself and the intents beside it", () => {
    const w = story("wants BTC LONG 0.5, ETH LONG 0.5\n1 s -> places BTC, places ETH", limited({ ordersPerHour: 2 }));
    expect(w.of("place").map(({ intent }) => w.agent.recheck(intent, w.nowMs))).toEqual([null, null]);
  });

  test.each([
    [1, "nothing"],
    [2, "places ETH"],
  ])("a restart does not reset the hour: of %i orders an hour one is used up, then the agent %s", (most, then) => {
    story(
      `
      wants BTC LONG 0.5
      1 s                      -> places BTC once
      order CANCELLED
      wants ETH LONG 0.5
      restart
      1 s                      -> ${then}
      `,
      limited({ ordersPerHour: most }),
    );
  });

  test("a resting order follows the price though it was the last one that the hour may have", () => {
    const w = story(
      `
      wants BTC LONG 0.5 resting
      1 s                      -> places BTC
      order OPEN
      price 60030
      6 s                      -> amends order
      `,
      limited({ ordersPerHour: 1 }),
    );
    expect(w.agent.recheckAmend(w.last("amend").intent, w.nowMs)).toBeNull();
  });

  test("in one-way mode positionSide is left out", () => {
    const w = story(`
      list nothing, one-way
      wants BTC LONG 0.5
      1 s                      -> places BTC BUY
    `);
    expect(w.last("place").intent.draft.order.positionSide).toBe("NONE");
  });

  test("an agent that is not ready decides nothing", () => {
    const w = story("wants BTC LONG 0.5\n20 s -> nothing", world());
    expect(w.logs("decision.made")).toHaveLength(0);
  });
});

describe("a model that is asked", () => {
  test("its answer becomes an order of that decision", () => {
    const w = story(
      `
      wants BTC LONG 0.5
      1 s                      -> asks model once
      model answers            -> places BTC BUY once
      `,
      ready({ asks: true }),
    );
    expect(w.last("place").intent.decisionId).toBe(w.last("ask-model").decisionId);
  });

  test("what a lone reading of the account says between two ticks is opened on by no answer", () => {
    story(
      `
      wants BTC LONG 0.5
      1 s                      -> asks model
      list nothing, no stops, equity 10000
      model answers            -> nothing, logs review.verdict saying The readings of equity do not agree
      `,
      ready({ asks: true }),
    );
  });

  test("a failure is counted and the fallback decides; it never passes for a hold of the model", () => {
    const w = story(
      `
      wants BTC LONG 0.5
      1 s                      -> asks model
      model fails HTTP 529     -> nothing, logs decision.failed once
      `,
      ready({ asks: true }),
    );
    expect(w.logs("decision.failed").join()).toMatch(/HTTP 529.*hold decides/);
    expect(w.agent.status(w.nowMs)).toMatchObject({ failedDecisions: 1, lastDecision: { strategy: "hold" } });
  });

  test("answers that never come are a failure like any other", () => {
    const w = story("wants BTC LONG 0.5\n1 s -> asks model\n330 s", ready({ asks: true }));
    expect(w.logs("decision.failed").join()).toMatch(/did not come in time.*hold decides/);
    expect(w.agent.status(w.nowMs)).toMatchObject({ failedDecisions: 1, lastDecision: { strategy: "hold" } });
  });

  test("an answer to another question is not taken", () => {
    const w = story("wants BTC LONG 0.5\n1 s -> asks model", ready({ asks: true }));
    w.feed({ kind: "model", decisionId: "d-other-1", outcome: modelAnswer() });
    expect(w.of("place")).toHaveLength(0);
  });

  test("each round of questions has the whole time to be answered", () => {
    let rounds = 0;
    const questions = { kind: "ask", questions: [anyQuestion] } as const;
    const answer = { kind: "targets", targets: [target()], note: "long" } as const;
    const asker = scripted(
      "asker",
      () => questions,
      () => (++rounds < 3 ? questions : answer),
    );
    const waiting = "50 s\nlist nothing\n".repeat(4);
    const w = story(
      `
      1 s                      -> asks model once
      ${waiting}
      model answers part 0     -> asks model once
      ${waiting}
      model answers part 1     -> asks model once
      ${waiting}
      model answers part 2
      `,
      ready({ strategies: { chosen: asker, fallback: holding() } }),
    );
    expect(w.logs("decision.failed")).toEqual([]);
    expect(rounds).toBe(3);
  });

  test("an answer is waited for as long as the gateway waits for it", () => {
    const patient = readConfig("model: { timeout: 10m }");
    if (!patient.ok) throw new Error("refused");
    const { answersWithinMs } = agentSettings(patient.value, "EXCHANGE_A");
    const w = story(
      `
      1 s                      -> asks model once
      ${"50 s\nlist nothing\n".repeat(11)}
      model answers            -> logs decision.made once
      `,
      ready({ asks: true, settings: settingsOf({ answersWithinMs }) }),
    );
    const { decisionId } = w.last("ask-model");
    expect(w.logs("decision.failed")).toEqual([]);
    expect(w.agent.status(w.nowMs)).toMatchObject({ failedDecisions: 0, lastDecision: { decisionId } });
  });

  describe("with a question of the spend plan beside it", () => {
    const both = [anyQuestion, { ...anyQuestion, fingerprint: "g", use: "deep-answer" as const }];
    const bought: (Readonly<Record<string, number>> | undefined)[] = [];
    const strategies = () => ({
      chosen: scripted(
        "asker",
        (snapshot) => {
          bought.push(snapshot.bought);
          return { kind: "ask", questions: both };
        },
        () => ({
          kind: "targets",
          targets: [target()],
          note: "long",
          bought: [{ use: "debate", changed: false, without: [] }],
          miscited: [{ symbol: "EXCHANGE_A_PERP_BTC_USDT", name: "news:9" }],
        }),
      ),
      fallback: scripted("second", () => ({ kind: "targets", targets: [], note: "the fallback holds" })),
    });
    const played = (first: ReturnType<typeof modelAnswer> | ReturnType<typeof modelFailure>, second: typeof first) => {
      const w = ready({ strategies: strategies() });
      w.tick(1_000);
      const { decisionId } = w.last("ask-model");
      w.feed({ kind: "model", decisionId, part: 0, outcome: first });
      w.feed({ kind: "model", decisionId, part: 1, outcome: second });
      return w;
    };

    test("a failed decision fails whatever else was answered", () => {
      const w = played(modelFailure("HTTP 529"), modelAnswer());
      expect(w.logs("decision.failed").join()).toMatch(/HTTP 529/);
      expect(w.of("place")).toEqual([]);
    });

    test("a refused further question does not matter; what was bought is in the row and in the next snapshot", () => {
      const refused = played(modelAnswer(), modelFailure("no money"));
      expect(refused.of("place")).toHaveLength(1);
      bought.length = 0;
      const w = played(modelAnswer(), modelAnswer());
      const atMs = w.nowMs;
      w.tick(400_000);
      expect(bought).toEqual([{}, { "deep-answer": atMs }]);
      const rows = w.effects.flatMap((effect) =>
        effect.kind === "record" && effect.row === "decision" ? [effect.body] : [],
      );
      expect(rows.find((body) => "by" in body)).toMatchObject({
        bought: [{ use: "debate", changed: false }],
        miscited: [{ symbol: "EXCHANGE_A_PERP_BTC_USDT", name: "news:9" }],
      });
    });
  });
});
