import { describe, expect, onTestFinished, test } from "vitest";
import { decisionOfOrder, decisionStory } from "../../src/report/decisions/story.ts";
import { openIntents } from "../../src/restore/restore-intents.ts";
import { endedIntent, openIntent, wholeRow } from "../support/rows.ts";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import { spendLedger } from "../../src/journal/spend-ledger.ts";
import { freshJournalPath, START_MS, virtualEnv } from "./support.ts";
import { rawRow } from "../support/raw-row.ts";

function open(path = freshJournalPath(), env = virtualEnv()): Journal {
  const journal = openJournal({ path, env, runId: "b" });
  onTestFinished(() => journal.close());
  return journal;
}

describe("promises to place orders", () => {
  test("what has no end is found after a restart, oldest first", () => {
    const path = freshJournalPath();
    const first = openJournal({ path, env: virtualEnv(), runId: "b" });
    for (const n of [1, 2, 3]) first.append(openIntent(n), `d-${n}`);
    first.append(endedIntent(2), "d-2");
    first.close();
    const found = openIntents(open(path));
    expect(found.map(({ intentId, seq, atMs }) => [intentId, seq, atMs])).toEqual([
      ["agent-1", 1, START_MS],
      ["agent-3", 3, START_MS],
    ]);
    expect(found[1]?.stopPrice?.toFixed()).toBe("58800");
  });

  test("neither rows of another kind nor other words about a promise begin or end one", () => {
    const journal = open();
    journal.append(openIntent(1), "d-1");
    journal.append(rawRow("order", { event: "end", intentId: "agent-1" }));
    journal.append(
      rawRow("intent", { event: "amend-end", intentId: "agent-1", clientOrderId: "c", how: "not-sent", reason: "r" }),
    );
    expect(openIntents(journal).map(({ intentId }) => intentId)).toEqual(["agent-1"]);
  });
});

describe("the spend ledger", () => {
  test("keeps reservations and bookings, and finds those of a span", () => {
    const env = virtualEnv();
    const ledger = spendLedger(open(freshJournalPath(), env));
    ledger.append(rawRow("model-reserve", { id: "a", usd: "0.02" }), "d-1");
    env.clock.advanceSync(1_000);
    ledger.append(rawRow("model-settle", { id: "a", usd: "0.01" }));
    expect(ledger.rowsSince(START_MS, 0)).toMatchObject([
      rawRow("model-reserve", { id: "a", usd: "0.02" }),
      rawRow("model-settle", { id: "a", usd: "0.01" }),
    ]);
    expect(ledger.rowsSince(START_MS + 1, 0)).toHaveLength(1);
    expect(ledger.rowsSince(START_MS + 5_000, 1)).toMatchObject([{ kind: "model-settle" }]);
    expect(ledger.rowsSince(START_MS, 1)).toHaveLength(2);
  });
});

describe("the story of a decision", () => {
  test("has its own rows and the fills of its orders, in order, and no one else's", () => {
    const journal = open();
    for (const id of ["d-1", "d-2"]) journal.append(rawRow("decision", { failed: "hold", reason: "a test" }), id);
    journal.append(openIntent(1), "d-1");
    journal.append(wholeRow("fill", {}));
    journal.append(wholeRow("fill", { clientOrderId: "agent-2", orderId: "78" }));
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
