/** What becomes of the answers of a model: a decision, a failure that is counted, or nothing. */
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { agentSettings } from "../../src/control/agent-settings.ts";
import { anyQuestion, holding, ready, scripted, settingsOf, target } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { modelAnswer } from "../support/model-outcomes.ts";

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
    const played = (text: string) => story(`1 s -> asks model 2 times\n${text}`, ready({ strategies: strategies() }));

    test("a failed decision fails whatever else was answered", () => {
      played(`
        model fails HTTP 529 part 0
        model answers part 1     -> nothing, logs decision.failed saying HTTP 529
      `);
    });

    test("a refused further question does not matter; what was bought is in the row and in the next snapshot", () => {
      played(`
        model answers part 0
        model fails no money part 1    -> places BTC once
      `);
      bought.length = 0;
      const w = played(`
        model answers part 0
        model answers part 1     -> places BTC once
      `);
      const atMs = w.nowMs;
      w.tick(400_000);
      expect(bought).toEqual([{}, { "deep-answer": atMs }]);
      const rows = w.of("record").flatMap(({ row, body }) => (row === "decision" && "by" in body ? [body] : []));
      expect(rows[0]).toMatchObject({
        bought: [{ use: "debate", changed: false }],
        miscited: [{ symbol: "EXCHANGE_A_PERP_BTC_USDT", name: "news:9" }],
      });
    });
  });
});
