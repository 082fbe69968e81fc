import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { agentSettings } from "../../src/control/agent-settings.ts";
import { restore } from "../../src/restore/restore.ts";
import type { StrategyAnswer } from "../../src/strategy/strategy.ts";
import {
  account,
  BTC,
  ETH,
  holding,
  position,
  ready,
  scripted,
  session,
  settingsOf,
  update,
  target,
  world,
} from "../support/agent-world.ts";
import { modelAnswer, modelFailure } from "../support/model-outcomes.ts";
import { readerOf } from "../support/reader-of.ts";

const wanting = (...targets: ReturnType<typeof target>[]) => ({
  chosen: scripted("scripted", () => ({ kind: "targets", targets, note: "as told" })),
  fallback: holding(),
});

describe("from targets to an order on the wire", () => {
  test("once ready, a decision is made, and its intent is journaled before the order is requested", () => {
    const w = ready({ strategies: wanting(target()) });
    w.tick(1_000);
    expect(w.logs("agent.ready")).toHaveLength(1);
    const kinds = w.effects.map((effect) => (effect.kind === "record" ? `row:${effect.row}` : effect.kind));
    expect(kinds.indexOf("row:intent")).toBeGreaterThan(0);
    expect(kinds.indexOf("row:intent")).toBeLessThan(kinds.indexOf("place"));
    const { draft } = w.last("place").intent;
    expect(draft.order).toMatchObject({
      symbol: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      timeInForce: "IOC",
    });
    // Half of 40 % of 1,000 USDT, rounded down to the lot: never larger than proposed.
    expect(draft.order.qty.toFixed()).toBe("0.003");
    expect(draft.stopPrice?.toFixed()).toBe("58803");
  });

  test("the same target ten times is one position", () => {
    const w = ready({ strategies: wanting(target()) });
    w.tick(1_000);
    const placed = w.last("place");
    w.feed({ kind: "order", update: update(placed, { state: "FILLED", executedQty: placed.intent.draft.order.qty }) });
    w.feed({
      kind: "position",
      update: {
        symbol: BTC,
        positionSide: "LONG",
        qty: placed.intent.draft.order.qty,
        avgPrice: placed.intent.draft.order.qty.add(60_000),
        leverage: 2,
      },
    });
    for (let round = 0; round < 10; round++) w.tick(61_000);
    expect(w.of("place")).toHaveLength(1);
  });

  test("without a session every opening is denied and the reason is reported", () => {
    const w = ready({ strategies: wanting(target()) });
    w.feed({ kind: "session", session: null, reason: "session.consent is empty" });
    w.tick(1_000);
    expect(w.of("place")).toHaveLength(0);
    expect(w.logs("review.verdict").join()).toMatch(/denied.*session/);
  });

  test("nothing is opened while a stream is down, and the close still goes out", () => {
    const w = ready({ strategies: wanting(target({ symbol: ETH }), target({ size: 0 })) });
    w.account({ positions: [position(BTC, "0.004", "60000")] });
    w.feed({ kind: "stream", stream: "user", up: false, reason: "gone" });
    w.tick(1_000);
    expect(w.of("place")).toHaveLength(0);
    expect(w.last("close").known.symbol).toBe(BTC);
  });

  test("stale prices open nothing", () => {
    const w = ready({ strategies: wanting(target()) });
    w.nowMs += 9_000;
    w.feed({ kind: "tick" });
    expect(w.of("place")).toHaveLength(0);
    expect(w.logs("review.verdict").join()).toMatch(/freshness/);
  });

  test("a reversal closes now and opens at a later decision", () => {
    const w = ready({ strategies: wanting(target({ leg: "SHORT" })) });
    w.account({ positions: [position(BTC, "0.004", "60000")] });
    w.tick(1_000);
    expect(w.of("place")).toHaveLength(0);
    expect(w.last("close")).toMatchObject({ known: { symbol: BTC, side: "LONG" } });
  });

  test.each([
    ["closed", target({ size: 0 })],
    ["turned", target({ leg: "SHORT" })],
  ])("a position younger than the minimum holding is not %s by a change of mind", (_how, wanted) => {
    const settings = settingsOf();
    const patient = { ...settings, risk: { ...settings.risk, minHolding: 60_000 } };
    const closesAt = (ageMs: number): number => {
      const w = ready({ strategies: wanting(wanted), settings: patient });
      w.account({ positions: [{ ...position(BTC, "0.004", "60000"), createdAtMs: w.nowMs - ageMs }] });
      w.tick(1_000);
      return w.of("close").length;
    };
    expect([closesAt(5_000), closesAt(65_000)]).toEqual([0, 1]);
  });

  test("the last look refuses what has become stale between review and wire", () => {
    const w = ready({ strategies: wanting(target()) });
    w.tick(1_000);
    const { intent } = w.last("place");
    expect(w.agent.recheck(intent, w.nowMs)).toBeNull();
    expect(w.agent.recheck(intent, w.nowMs + 10_000)).toMatch(/freshness/);
    w.feed({ kind: "session", session: { ...session(w.nowMs), active: false }, reason: "stopped" });
    expect(w.agent.recheck(intent, w.nowMs)).toMatch(/session/);
  });

  test("the last look leaves out the order itself and the intents beside it", () => {
    const settings = settingsOf();
    const w = ready({
      strategies: wanting(target(), target({ symbol: ETH })),
      settings: { ...settings, risk: { ...settings.risk, ordersPerHour: 2 } },
    });
    w.tick(1_000);
    expect(w.of("place").map(({ intent }) => w.agent.recheck(intent, w.nowMs))).toEqual([null, null]);
  });

  test("a restart does not reset the hour: earlier intents count", () => {
    const settings = settingsOf();
    const given = {
      strategies: wanting(target()),
      settings: { ...settings, risk: { ...settings.risk, ordersPerHour: 1 } },
    };
    const before = ready(given);
    before.tick(1_000);
    expect(before.of("place")).toHaveLength(1);
    const { openingsMs } = restore(readerOf(before), before.nowMs);
    const w = ready({ ...given, restored: { openingsMs: openingsMs ?? [] } });
    w.tick(1_000);
    expect(w.of("place")).toEqual([]);
  });

  test("a resting order follows the price though it was the last one that the hour may have", () => {
    const settings = settingsOf();
    const w = ready({
      strategies: wanting(target({ urgency: "rest" })),
      settings: { ...settings, risk: { ...settings.risk, ordersPerHour: 1 } },
    });
    w.tick(1_000);
    w.feed({ kind: "order", update: update(w.last("place"), {}) });
    w.price(BTC, 60_030);
    for (let second = 0; second < 6; second++) w.tick(1_000);
    const { intent } = w.last("amend");
    expect(w.agent.recheckAmend(intent, w.nowMs)).toBeNull();
  });

  test("in one-way mode positionSide is left out", () => {
    const w = ready({ strategies: wanting(target()) });
    w.account({
      account: [
        {
          exchange: "EXCHANGE_A",
          equity: position(BTC, "1000", "1").qty,
          availableMargin: position(BTC, "1000", "1").qty,
          maintenanceMargin: position(BTC, "0", "1").qty,
          unrealizedPnl: position(BTC, "0", "1").qty,
          positionMode: "NET",
          status: "NORMAL",
        },
      ],
    });
    w.tick(1_000);
    expect(w.last("place").intent.draft.order.positionSide).toBe("NONE");
  });
});

describe("a model that is asked", () => {
  const question = {
    prompt: "llm-trader",
    variables: {},
    replySchema: {} as never,
    replySchemaName: "r",
    maxOutputTokens: 100,
    fingerprint: "f",
  };
  const asking = (interpret: (reply: unknown) => StrategyAnswer) => ({
    chosen: scripted("asker", () => ({ kind: "ask", questions: [question] }), interpret),
    fallback: scripted("second", () => ({ kind: "targets", targets: [], note: "the fallback holds" })),
  });

  test("its answer becomes an order", () => {
    const w = ready({ strategies: asking(() => ({ kind: "targets", targets: [target()], note: "long" })) });
    w.tick(1_000);
    const { decisionId } = w.last("ask-model");
    w.feed({
      kind: "model",
      decisionId,
      outcome: modelAnswer(),
    });
    expect(w.last("place").intent.decisionId).toBe(decisionId);
  });

  test("what a lone reading of the account says between two ticks is opened on by no answer", () => {
    const w = ready({ strategies: asking(() => ({ kind: "targets", targets: [target()], note: "long" })) });
    w.tick(1_000);
    const { decisionId } = w.last("ask-model");
    w.account({ account: [account("10000")] });
    w.feed({
      kind: "model",
      decisionId,
      outcome: modelAnswer(),
    });
    expect(w.of("place")).toEqual([]);
    expect(w.logs("review.verdict").join()).toMatch(/The readings of equity do not agree/);
  });

  test("a failure is counted and the fallback decides; it never passes for a hold of the model", () => {
    const w = ready({ strategies: asking(() => ({ kind: "targets", targets: [target()], note: "long" })) });
    w.tick(1_000);
    w.feed({
      kind: "model",
      decisionId: w.last("ask-model").decisionId,
      outcome: modelFailure("HTTP 529"),
    });
    expect(w.of("place")).toHaveLength(0);
    expect(w.logs("decision.failed").join()).toMatch(/HTTP 529.*second decides/);
    expect(w.agent.status(w.nowMs)).toMatchObject({ failedDecisions: 1, lastDecision: { strategy: "second" } });
  });

  describe("with a question of the spend plan beside it", () => {
    const both = [question, { ...question, fingerprint: "g", use: "deep-answer" as const }];
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

  test("each round of questions has the whole time to be answered", () => {
    let rounds = 0;
    const w = ready({
      strategies: asking(() =>
        ++rounds < 3 ? { kind: "ask", questions: [question] } : { kind: "targets", targets: [target()], note: "long" },
      ),
    });
    w.tick(1_000);
    for (let part = 0; part < 3; part++) {
      for (let n = 0; n < 4; n++) {
        w.tick(50_000);
        w.account();
      }
      const { decisionId } = w.last("ask-model");
      w.feed({ kind: "model", decisionId, part, outcome: modelAnswer() });
    }
    expect(w.logs("decision.failed")).toEqual([]);
    expect(rounds).toBe(3);
  });

  test("an answer is waited for as long as the gateway waits for it", () => {
    const patient = readConfig("model: { timeout: 10m }");
    if (!patient.ok) throw new Error("refused");
    const { answersWithinMs } = agentSettings(patient.value, "EXCHANGE_A");
    const w = ready({
      strategies: asking(() => ({ kind: "targets", targets: [target()], note: "long" })),
      settings: settingsOf({ answersWithinMs }),
    });
    w.tick(1_000);
    for (let n = 0; n < 11; n++) {
      w.tick(50_000);
      w.account();
    }
    const { decisionId } = w.last("ask-model");
    w.feed({ kind: "model", decisionId, outcome: modelAnswer() });
    expect(w.logs("decision.failed")).toEqual([]);
    expect(w.agent.status(w.nowMs)).toMatchObject({ failedDecisions: 0, lastDecision: { decisionId } });
  });

  test("answers that never come are a failure like any other", () => {
    const w = ready({ strategies: asking(() => ({ kind: "targets", targets: [target()], note: "long" })) });
    w.tick(1_000);
    for (let minute = 0; minute < 6; minute++) w.tick(55_000);
    expect(w.logs("decision.failed").join()).toMatch(/did not come in time.*second decides/);
    expect(w.agent.status(w.nowMs)).toMatchObject({ failedDecisions: 1, lastDecision: { strategy: "second" } });
  });

  test("an answer to another question is not taken", () => {
    const w = ready({ strategies: asking(() => ({ kind: "targets", targets: [target()], note: "long" })) });
    w.tick(1_000);
    w.feed({
      kind: "model",
      decisionId: "d-other-1",
      outcome: modelAnswer(),
    });
    expect(w.of("place")).toHaveLength(0);
  });
});

describe("switching", () => {
  test("a saved file switches the strategy; positions are adopted or closed as it says", () => {
    const w = ready({ strategies: wanting() });
    w.account({ positions: [position(BTC, "0.004", "60000")] });
    w.feed({
      kind: "settings",
      settings: settingsOf(),
      strategies: {
        chosen: scripted("other", () => ({ kind: "targets", targets: [], note: "" })),
        fallback: holding(),
      },
      change: { handover: "adopt", by: "file", request: null },
    });
    expect(w.logs("strategy.switched")).toHaveLength(1);
    expect(w.of("close")).toHaveLength(0);
    w.feed({
      kind: "settings",
      settings: settingsOf(),
      strategies: { chosen: holding(), fallback: holding() },
      change: { handover: "close", by: "file", request: null },
    });
    w.tick();
    expect(w.last("close").known.symbol).toBe(BTC);
  });

  test("an agent that is not ready decides nothing", () => {
    const w = world({ strategies: wanting(target()) });
    for (let i = 0; i < 20; i++) w.tick(1_000);
    expect(w.logs("decision.made")).toHaveLength(0);
  });
});
