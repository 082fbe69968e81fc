/** The review as it runs: from the journal's trades through the gateway to the agent, and what stops it. */
import { expect, test } from "vitest";
import type { Lesson } from "../../src/context/memory.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { silentLog } from "../../src/core/log.ts";
import { ZERO } from "../../src/core/decimal.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import type { AskRequest, ModelGateway } from "../../src/llm/contract/port.ts";
import { dailyReview } from "../../src/control/daily-review.ts";
import { realEnv } from "../net/servers.ts";

const env = realEnv();
/** One instant for all trades: the review reads the latest first, and a tick between two would change their order. */
const NOW_MS = env.clock.nowMs();
const closed = (id: string, netUsdt: string, agoMs = 3_600_000) => ({
  kind: "trade",
  atMs: NOW_MS,
  decisionId: null,
  body: {
    event: "closed",
    id,
    symbol: "EXCHANGE_A_PERP_BTC_USDT",
    side: "LONG",
    qty: "0.004",
    entryPrice: "60000",
    exitPrice: "59000",
    feesUsdt: "0.2",
    fundingUsdt: "0",
    netUsdt,
    openedAtMs: NOW_MS - agoMs - 60_000,
    closedAtMs: NOW_MS - agoMs,
    basis: "market",
    exit: "stop",
    exitReason: "stop",
  },
});

async function review(rows: object[], reply: object): Promise<{ asked: AskRequest[]; learnt: Lesson[]; text: string }> {
  const asked: AskRequest[] = [];
  const learnt: Lesson[] = [];
  const gateway = {
    ask: (request: AskRequest) => {
      asked.push(request);
      return Promise.resolve(reply);
    },
  } as unknown as ModelGateway;
  const text = await dailyReview({
    env,
    log: silentLog,
    journal: { rows: () => rows } as unknown as JournalReader,
    gateway,
    learning: () => ({ review: "off", lookBack: DAY_MS, lessonsFor: 7 * DAY_MS, tradesMin: 2 }),
    contractSize: () => 1,
    learnt: (lessons) => void learnt.push(...lessons),
  });
  return { asked, learnt, text };
}
const answered = (lessons: object[]) => ({
  kind: "answered",
  value: { lessons, echo: "e" },
  costUsd: ZERO,
});
const wider = { kind: "stop-wider", symbol: "BTC", leg: "LONG", value: 2, evidence: ["t1", "t2"] };

test("trades of the look-back become typed lessons, asked for under their own purpose", async () => {
  const { asked, learnt } = await review([closed("a", "-4"), closed("b", "-4")], answered([wider]));
  expect(asked).toMatchObject([{ purpose: "review", prompt: "daily-review", replySchemaName: "lessons" }]);
  expect(learnt).toMatchObject([{ kind: "stop-wider", value: 2, evidence: ["a", "b"] }]);
});

test("too few trades, or old ones: the model is not asked", async () => {
  const old = 2 * 86_400_000;
  for (const rows of [[], [closed("a", "-4")], [closed("a", "-4", old), closed("b", "-4", old)]]) {
    const { asked, text } = await review(rows, answered([]));
    expect(asked).toEqual([]);
    expect(text).toMatch(/nothing is asked/);
  }
});

test("a model that is not to be had leaves the lessons as they are", async () => {
  const { learnt, text } = await review([closed("a", "-4"), closed("b", "-4")], {
    kind: "over-budget",
    reason: "nothing is left today",
    leftUsd: ZERO,
    costUsd: ZERO,
  });
  expect(learnt).toEqual([]);
  expect(text).toMatch(/over-budget, nothing is left today/);
});
