/** Whatever a model writes, a decision comes to valid targets or to a reason for the fallback; nothing throws. Faults L9, L10. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readReply } from "../../src/llm/replies/reply.ts";
import { askStrategy, interpretReplies } from "../../src/strategy/guarded.ts";
import type { ArmedStrategy, ModelQuestion, Reply } from "../../src/strategy/strategy.ts";
import { newsOf, BTC, ETH } from "../strategy/snapshots.ts";
import { armed, questionsOf, sound } from "./asking.ts";
import { holding, market, rising, stance } from "./model-rig.ts";

const ECHO = "echo-1";
const seen = market(rising, { ...holding("LONG", 200), news: [newsOf("1")] });
const symbols = new Set(seen.symbols.map((view) => view.symbol));

/** The reply as the gateway would hand it on. */
function replyTo(question: ModelQuestion, text: string): Reply {
  const read = readReply(text, { schema: question.replySchema, echo: ECHO, canary: "fence-1" });
  return read.ok ? { kind: "answered", value: read.value, model: "m" } : { kind: "failed", reason: read.error };
}

/** What the strategy makes of one text as the reply to each of its questions: what the agent would carry out. */
function cameTo(strategy: ArmedStrategy, text: string): "targets" | "asks on" | "fallback" {
  const asked = sound(askStrategy(strategy, seen));
  if (asked.kind !== "ask") throw new Error("it asks nothing");
  const replies = questionsOf(asked).map((question) => replyTo(question, text));
  if (replies.every((reply) => reply.kind === "failed")) return "fallback";
  const read = interpretReplies(strategy, { round: 1, replies, carry: asked.carry ?? null }, seen);
  if (!read.ok) return "fallback";
  if (read.value.kind !== "targets") return read.value.kind === "ask" ? "asks on" : "fallback";
  for (const target of read.value.targets) {
    expect(symbols.has(target.symbol)).toBe(true);
    expect(["LONG", "SHORT"]).toContain(target.leg);
    expect(target.size >= 0 && target.size <= 1).toBe(true);
    expect(target.stopDistance > 0 && target.stopDistance <= 0.2).toBe(true);
    expect(target.targetDistance === null || (target.targetDistance > 0 && target.targetDistance <= 1)).toBe(true);
  }
  return "targets";
}

/** The stances of these replies are those of the older question. */
const OLDER = { prompt: "llm-trader" };

const good = (change: object = {}): string => JSON.stringify({ echo: ECHO, summary: "S.", stances: [stance(change)] });

describe("a corpus of bad replies", () => {
  test.each([
    ["a good one", good(), "targets"],
    ["nothing", "", "fallback"],
    ["prose", "I would wait.", "fallback"],
    ["another language", "我会等待。", "fallback"],
    ["thinking that is never closed", `<think>${good()}`, "fallback"],
    ["thinking, then the answer", `<think>hm {"a":1}</think>${good()}`, "targets"],
    ["two objects", good() + good(), "fallback"],
    ["a key twice", good().replace('"echo"', '"summary":"x","echo"'), "fallback"],
    ["cut by its length limit", good().slice(0, -20), "fallback"],
    ["a number beyond float64", good({ conviction: 1 }).replace('"conviction":1', '"conviction":1e309'), "fallback"],
    ["a symbol that is not listed", good({ symbol: "EXCHANGE_A_PERP_FAKE_USDT" }), "fallback"],
    ["a bare symbol", good({ symbol: "BTC" }), "fallback"],
    ["a side that is none", good({ stance: "BUY" }), "fallback"],
    ["a conviction in percent", good({ conviction: 90 }), "fallback"],
    ["a stop in dollars", good({ stopVolatilities: 64_000 }), "fallback"],
    ["a stop on the wrong side", good({ stopVolatilities: -2 }), "fallback"],
    ["leverage, asked for", good({ leverage: 50 }), "fallback"],
    ["a quantity", good({ qty: 1_000 }), "fallback"],
    ["the answer to another question", good().replace(ECHO, "echo-2"), "fallback"],
    ["the fence word", good({ reason: "fence-1" }), "fallback"],
    ["a list for an object", `[${good()}]`, "targets"],
    ["stances that are no list", good().replace(/"stances":\[.*\]/, '"stances":{}'), "fallback"],
    [
      "every symbol twice",
      JSON.stringify({ echo: ECHO, summary: "S.", stances: [stance(), stance({ stance: "SHORT" })] }),
      "targets",
    ],
  ])("%s", async (_, text, expected) => {
    expect(cameTo(await armed("llm-trader", OLDER), text)).toBe(expected);
  });
});

describe.each(["llm-trader", "llm-cascade", "llm-panel"])("%s", (name) => {
  const members = [
    "symbol",
    "stance",
    "conviction",
    "horizon",
    "stopVolatilities",
    "targetVolatilities",
    "urgency",
    "reason",
    "evidence",
  ];
  const odd = fc.oneof(
    fc.constantFrom(BTC, ETH, "LONG", "SHORT", "FLAT", "", null, 0, 1, -1, 0.5, 1e308, 1_000, 50, true, "news:1"),
    fc.double(),
    fc.string(),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const changed = fc.dictionary(fc.constantFrom(...members, "leverage", "__proto__", "extra"), odd, { maxKeys: 3 });
  const object = fc
    .tuple(
      fc.array(changed, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("echo", "summary", "changed", "views", "risk"), odd),
    )
    .map(([stances, more]) =>
      JSON.stringify({ echo: ECHO, summary: "S.", stances: stances.map((one) => stance(one)), ...more }),
    );
  const cut = fc.tuple(object, fc.nat(400)).map(([text, at]) => text.slice(0, at));
  const spliced = fc
    .tuple(object, fc.nat(300), fc.string({ maxLength: 8 }))
    .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at + 1));

  test("comes to valid targets or the fallback, whatever is written", async () => {
    const strategy = await armed(name, OLDER);
    fc.assert(
      fc.property(fc.oneof(object, cut, spliced, fc.json(), fc.string()), (text) => {
        expect(["targets", "asks on", "fallback"]).toContain(cameTo(strategy, text));
      }),
      { numRuns: 150 },
    );
  });
});
