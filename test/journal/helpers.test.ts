import { describe, expect, onTestFinished, test } from "vitest";
import { decisionOfOrder, decisionStory } from "../../src/report/decision-story.ts";
import { type IntentBody, intentLog, openIntents } from "../../src/journal/intents.ts";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import { spendLedger } from "../../src/journal/spend-ledger.ts";
import { freshJournalPath, START_MS, virtualEnv } from "./support.ts";

function open(path = freshJournalPath(), env = virtualEnv()): Journal {
  const journal = openJournal({ path, env, boot: "b" });
  onTestFinished(() => journal.close());
  return journal;
}

const intent = (n: number): IntentBody => ({
  intentId: `i-${n}`,
  clientOrderId: `agent-${n}`,
  decisionId: `d-${n}`,
  symbol: "EXCHANGE_A_PERP_BTC_USDT",
  opening: true,
  order: { qty: "0.005", limitPrice: "60000" },
  stopPrice: "58800",
  targetPrice: null,
});

describe("intents", () => {
  test("what has no end is found after a restart, oldest first", () => {
    const path = freshJournalPath();
    const first = openJournal({ path, env: virtualEnv(), boot: "b" });
    const log = intentLog(first);
    for (const n of [1, 2, 3]) expect(log.open(intent(n)).ok).toBe(true);
    log.end("i-2", { how: "refused", code: "401023", message: "margin" });
    first.close();
    const journal = open(path);
    expect(openIntents(journal).map(({ intentId }) => intentId)).toEqual(["i-1", "i-3"]);
    const again = intentLog(journal);
    expect(again.byClientOrderId("agent-3")).toMatchObject({ stopPrice: "58800", seq: 3 });
    expect(again.end("i-3", { how: "terminal", orderId: "1", state: "FILLED", executedQty: "0.005" }).ok).toBe(true);
    expect(again.pending().map(({ intentId }) => intentId)).toEqual(["i-1"]);
  });

  test("one intent, one client order id, one end", () => {
    const log = intentLog(open());
    log.open(intent(1));
    expect(log.open(intent(1))).toMatchObject({ ok: false });
    expect(log.open({ ...intent(2), clientOrderId: "agent-1" })).toMatchObject({ ok: false });
    expect(log.end("i-1", { how: "not-sent", reason: "stale" }).ok).toBe(true);
    expect(log.end("i-1", { how: "not-sent", reason: "stale" })).toMatchObject({ ok: false });
  });

  const proof = { misses: 3, spreadMs: 30_000, openOrdersEmpty: true, executionsEmpty: true, positionUnchanged: true };
  test.each([
    [{}, true],
    [{ misses: 2 }, false],
    [{ spreadMs: 29_999 }, false],
    [{ openOrdersEmpty: false }, false],
    [{ executionsEmpty: false }, false],
    [{ positionUnchanged: false }, false],
  ])("absence with %j is accepted: %s", (change, accepted) => {
    const log = intentLog(open());
    log.open(intent(1));
    expect(log.end("i-1", { how: "absent", ...proof, ...change }).ok).toBe(accepted);
    expect(log.pending()).toHaveLength(accepted ? 0 : 1);
  });
});

describe("the spend ledger", () => {
  test("keeps reservations and bookings, and finds those of a span", () => {
    const env = virtualEnv();
    const ledger = spendLedger(open(freshJournalPath(), env));
    ledger.append({ kind: "model-reserve", body: { id: "a", usd: "0.02" }, decisionId: "d-1" });
    env.clock.advanceSync(1_000);
    ledger.append({ kind: "model-settle", body: { id: "a", usd: "0.01" } });
    expect(ledger.rowsSince(START_MS, 0)).toEqual([
      { kind: "model-reserve", atMs: START_MS, body: { id: "a", usd: "0.02" } },
      { kind: "model-settle", atMs: START_MS + 1_000, body: { id: "a", usd: "0.01" } },
    ]);
    expect(ledger.rowsSince(START_MS + 1, 0)).toHaveLength(1);
    expect(ledger.rowsSince(START_MS + 5_000, 1)).toMatchObject([{ kind: "model-settle" }]);
    expect(ledger.rowsSince(START_MS, 1)).toHaveLength(2);
  });
});

describe("the story of a decision", () => {
  test("has its own rows and the fills of its orders, in order, and no one else's", () => {
    const journal = open();
    journal.append("decision", { n: 1 }, "d-1");
    journal.append("decision", { n: 2 }, "d-2");
    journal.append("intent", { event: "open", ...intent(1) }, "d-1");
    journal.append("fill", { clientOrderId: "agent-1", orderId: "77", qty: "0.005" });
    journal.append("fill", { clientOrderId: "agent-2", orderId: "78" });
    const story = decisionStory(journal, "d-1");
    expect(story.rows.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, "decision"],
      [3, "intent"],
      [4, "fill"],
    ]);
    expect(story.clientOrderIds).toEqual(["agent-1"]);
    expect(decisionStory(journal, "d-9").rows).toEqual([]);
    expect(decisionOfOrder(journal, "agent-1")).toBe("d-1");
    expect(decisionOfOrder(journal, "77")).toBe("d-1");
    expect(decisionOfOrder(journal, "99")).toBeNull();
  });
});
