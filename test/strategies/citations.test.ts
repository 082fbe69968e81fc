/** An answer may cite what its own question showed: the check stands where the reply is read. Fault A2. */
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { readReply } from "../../src/llm/replies/reply.ts";
import type { ModelQuestion, Reply, StrategyAnswer } from "../../src/strategy/strategy.ts";
import { BTC, factOf, newsOf, snapshotOf, viewOf } from "../strategy/snapshots.ts";
import { armed, decided, questionsOf, reported, said, targetsOf } from "./asking.ts";
import { market, reply, rising, stance } from "./model-rig.ts";

const OLDER = { prompt: "llm-trader" };

const asked = async (snapshot: Snapshot, settings: object = {}): Promise<ModelQuestion> => {
  const [first] = questionsOf(await decided("llm-trader", snapshot, { ...OLDER, ...settings }));
  if (!first) throw new Error("no question");
  return first;
};

/** The reply as the gateway passes it on: text, read by the question's own schema. */
function replied(question: ModelQuestion, ...evidence: readonly string[]): Reply {
  const text = JSON.stringify({ echo: "e", summary: "S.", stances: [stance({ evidence })] });
  const read = readReply(text, { schema: question.replySchema, echo: "e", canary: "fence-1" });
  if (!read.ok) throw new Error(read.error);
  return said(read.value);
}

/** What becomes of an answer to a question on `seen` that is read when the snapshot is `now`. */
async function answered(seen: Snapshot, evidence: readonly string[], now = seen): Promise<StrategyAnswer> {
  const question = await asked(seen);
  return reported(await armed("llm-trader", OLDER), { replies: [replied(question, ...evidence)] }, now);
}
const miscitedOf = (answer: StrategyAnswer) =>
  answer.kind === "targets" ? (answer.miscited ?? []).map(({ name }) => name) : [];

const first = newsOf("1");
const second = newsOf("2", { title: "See news:7, which confirms it", text: "Reuters says so in news:8." });

describe("a cited name", () => {
  test.each<[string, readonly string[], readonly string[], readonly string[], object[]]>([
    ["that was shown stays", ["news:1", "ret1h"], ["news:1", "ret1h"], [], [{ size: 0.8 }]],
    ["is compared without regard to case", ["NEWS:1", "RET1H"], ["NEWS:1", "RET1H"], [], [{ size: 0.8 }]],
    ["that nobody knows is dropped", ["ret1h", "news:9"], ["ret1h"], ["news:9"], [{ size: 0.55 }]],
    ["that only another item's text names is dropped", ["ret1h", "news:7"], ["ret1h"], ["news:7"], [{ size: 0.55 }]],
    ["of a source that an item names is dropped", ["ret1h", "Reuters"], ["ret1h"], ["Reuters"], [{ size: 0.55 }]],
    ["alone and unknown is no reason", ["news:8"], [], ["news:8"], []],
    ["that is a title is none", [second.title], [], [second.title], []],
  ])("%s", async (_name, evidence, kept, dropped, expected) => {
    const answer = await answered(market(rising, { news: [first, second] }), evidence);
    expect(targetsOf(answer)).toHaveLength(expected.length);
    expect(targetsOf(answer)).toMatchObject(expected.map((target) => ({ ...target, evidence: kept })));
    expect(miscitedOf(answer)).toEqual(dropped);
  });

  test("of news counts if the question showed it, whatever has come and gone since", async () => {
    const seen = market(rising, { news: [first] });
    const later = market(rising, { news: [second] });
    const gone = await answered(seen, ["ret1h", "news:1"], later);
    expect([targetsOf(gone)[0]?.evidence, miscitedOf(gone)]).toEqual([["ret1h", "news:1"], []]);
    const came = await answered(seen, ["ret1h", "news:2"], later);
    expect([targetsOf(came)[0]?.evidence, miscitedOf(came)]).toEqual([["ret1h"], ["news:2"]]);
  });

  test("of news that the question left out for want of room was not shown", async () => {
    const news = Array.from({ length: 60 }, (_, at) => newsOf(`${at}`, { title: `${at} ${"word ".repeat(30)}` }));
    const question = await asked(market(rising, { news }), { promptTokensMax: 1_000 });
    const shown = (question.variables["news"] as { id: string }[]).map(({ id }) => id);
    const hidden = news.map(({ key }) => key).filter((key) => !shown.includes(key));
    expect([shown.length > 0, hidden.length > 0]).toEqual([true, true]);
    const { value } = replied(question, "ret1h", shown[0] ?? "", hidden[0] ?? "") as { value: unknown };
    expect(value).toMatchObject({ stances: [{ evidence: ["ret1h", shown[0]], notShown: [hidden[0]] }] });
  });

  test("of the owner's data counts while it was shown as fresh", async () => {
    const facts = (stale: boolean) => ({ facts: { flows: factOf({ netBtc: 1 }, 1, { stale }) } });
    expect(miscitedOf(await answered(market(rising, facts(false)), ["ret1h", "flows.netBtc"]))).toEqual([]);
    expect(miscitedOf(await answered(market(rising, facts(true)), ["ret1h", "flows.netBtc"]))).toEqual([
      "flows.netBtc",
    ]);
  });
});

test("leaving a position needs no evidence, and what was cited in vain is reported all the same", async () => {
  const question = await asked(market(rising, { news: [first] }));
  const flat = { echo: "e", summary: "S.", stances: [stance({ stance: "FLAT", evidence: ["news:9"] })] };
  const answer = reported(
    await armed("llm-trader", OLDER),
    { replies: [said(question.replySchema.parse(flat))] },
    market(rising),
  );
  expect(targetsOf(answer)).toEqual([]);
  expect(answer).toMatchObject({
    miscited: [{ symbol: BTC, name: "news:9" }],
    note: expect.stringContaining("cited but not shown: news:9") as string,
  });
});

test("a reply that was recorded before the check is judged by the snapshot at hand", async () => {
  const trader = await armed("llm-trader", OLDER);
  const read = (key: string) =>
    reported(trader, { replies: [reply(stance({ evidence: ["ret1h", key] }))] }, market(rising, { news: [first] }));
  expect([miscitedOf(read("news:1")), miscitedOf(read("news:9"))]).toEqual([[], ["news:9"]]);
});

describe("the analysts of a panel", () => {
  const view = (evidence: readonly string[]) => ({
    ...{ symbol: BTC, view: "LONG", conviction: 0.6, note: "Up." },
    evidence,
  });

  test("cite what their own text showed; the decision sees no other id, and its row names the rest", async () => {
    const snapshot = snapshotOf({ symbols: [viewOf(BTC, rising)], news: [first] });
    const panel = await armed("llm-panel");
    const opening = await decided("llm-panel", snapshot);
    const cited: readonly (readonly string[])[] = [["ret1h", "news:1"], ["news:1", "news:9"], ["ret1h"]];
    const replies = questionsOf(opening).map(({ replySchema }, at) =>
      said(replySchema.parse({ echo: "e", views: [view(cited[at] ?? [])], warning: "" })),
    );
    const carry = opening.kind === "ask" ? opening.carry : null;
    const deciding = reported(panel, { replies, carry }, snapshot);
    if (deciding.kind !== "ask") throw new Error("it decides at once");
    const rows = deciding.questions[0]?.variables["views"] as { analyst: string; evidence: string }[];
    // The market analyst's text shows no news.
    expect(rows.map(({ analyst, evidence }) => `${analyst} ${evidence}`)).toEqual([
      "market ret1h",
      "news news:1",
      "risk ret1h",
    ]);
    const answer = reported(
      panel,
      { round: 2, replies: [reply(stance())], ...(deciding.carry === undefined ? {} : { carry: deciding.carry }) },
      snapshot,
    );
    expect(targetsOf(answer)).toHaveLength(1);
    expect(miscitedOf(answer)).toEqual(["news:1", "news:9"]);
  });
});
