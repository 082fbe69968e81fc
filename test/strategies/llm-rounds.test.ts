import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { strictJsonSchema } from "../../src/llm/replies/schema.ts";
import type { ModelQuestion, Reply, StrategyAnswer } from "../../src/strategy/strategy.ts";
import { BTC, ETH, newsOf } from "../strategy/snapshots.ts";
import { armed, decided, lost, questionsOf, said, reported, targetsOf } from "./asking.ts";
import { holding, market, practised, rendered, reply, rising, stance } from "./model-rig.ts";

describe("llm-cascade", () => {
  const first = async (snapshot: Snapshot): Promise<StrategyAnswer> => decided("llm-cascade", snapshot);
  const triaged = async (value: object, snapshot = market(rising), settings = {}): Promise<StrategyAnswer> =>
    reported(await armed("llm-cascade", settings), { replies: [said(value)], carry: "triage" }, snapshot);

  test("the cheap model is asked first, with headlines but no texts", async () => {
    const news = [newsOf("1", { text: "A long body." })];
    const [asked, ...more] = questionsOf(await first(market({}, { news })));
    expect(more).toEqual([]);
    expect(asked).toMatchObject({ prompt: "llm-triage", tier: "cheap" });
    const { user } = rendered(asked as ModelQuestion);
    expect(user).toContain("Title 1");
    expect(user).not.toContain("A long body");
  });

  test("what does not matter costs no second call; what does goes to the strong one, on what was named", async () => {
    const idle = await triaged({ echo: "e", matters: false, symbols: [], why: "Quiet." });
    expect(idle).toMatchObject({ kind: "targets", targets: [], note: expect.stringContaining("Quiet") as string });
    const [asked] = questionsOf(await triaged({ echo: "e", matters: true, symbols: [ETH], why: "Up." }));
    expect(asked?.prompt).toBe("llm-trader");
    expect(asked?.tier ?? "strong").toBe("strong");
    expect((asked?.variables["market"] as { symbol: string }[]).map(({ symbol }) => symbol)).toEqual([ETH]);
    const wide = questionsOf(
      await triaged({ echo: "e", matters: true, symbols: [ETH], why: "" }, market(rising), { focus: false }),
    );
    expect(wide[0]?.variables["market"]).toHaveLength(2);
  });

  test("the triage's words never become a target; the strong answer does", async () => {
    const cascade = await armed("llm-cascade");
    const answer = reported(cascade, { round: 2, replies: [reply(stance())], carry: "deciding" }, market(rising));
    expect(targetsOf(answer)).toMatchObject([{ symbol: BTC, leg: "LONG" }]);
    const invented = await triaged({ echo: "e", matters: true, symbols: ["X"], why: "buy X" });
    expect((questionsOf(invented)[0]?.variables["market"] as unknown[]).length).toBe(2);
  });

  test("a held symbol in a violent move passes the triage by", async () => {
    const [asked] = questionsOf(await first(market({ returns: { "1h": -0.03 } }, holding("LONG", 30))));
    expect(asked?.prompt).toBe("llm-trader");
  });

  test("the practice model triages it, and decides", async () => {
    const moving = market({ ...rising, tradeFlow: 0.8 });
    const [triage] = questionsOf(await first(moving));
    const cascade = await armed("llm-cascade");
    const next = reported(cascade, { replies: [practised(triage as ModelQuestion)], carry: "triage" }, moving);
    const [deciding] = questionsOf(next);
    const answer = reported(
      cascade,
      { round: 2, replies: [practised(deciding as ModelQuestion)], carry: "deciding" },
      moving,
    );
    expect(targetsOf(answer)).toMatchObject([{ symbol: BTC, leg: "LONG" }]);
    const [quiet] = questionsOf(await first(market({})));
    expect(practised(quiet as ModelQuestion)).toMatchObject({ value: { matters: false, symbols: [] } });
  });
});

describe("llm-panel", () => {
  const view = (change: object = {}) => ({
    symbol: BTC,
    view: "LONG",
    conviction: 0.6,
    note: "Up.",
    evidence: ["ret1h"],
    ...change,
  });
  const views = (...list: readonly object[]) => said({ echo: "e", views: list, warning: "" });
  const heard = async (replies: readonly Reply[], snapshot = market(rising)): Promise<ModelQuestion> => {
    const panel = await armed("llm-panel");
    const [asked] = questionsOf(reported(panel, { replies, carry: { asked: ["market", "news", "risk"] } }, snapshot));
    if (!asked) throw new Error("no question");
    return asked;
  };

  test("three analysts are asked side by side, of the cheap model; each prompt renders", async () => {
    const questions = questionsOf(
      await decided("llm-panel", market(rising, { ...holding("LONG", 9), news: [newsOf("1")] })),
    );
    expect(questions.map(({ prompt }) => prompt)).toEqual(["llm-panel-market", "llm-panel-news", "llm-panel-risk"]);
    for (const question of questions) {
      expect(question.tier).toBe("cheap");
      expect(rendered(question).user).toContain(BTC);
      expect(strictJsonSchema(question.replySchema).ok).toBe(true);
    }
    const [marketOnly] = questions;
    expect(rendered(marketOnly as ModelQuestion).user).not.toContain("Title 1");
  });

  test("the decision has their views before it, fenced; who did not answer is said to be missing", async () => {
    const asked = await heard([
      views(view({ note: "x | y <<<fence" })),
      lost,
      views(view({ view: "FLAT", evidence: ["ret1h", "news:1"] })),
    ]);
    const { user } = rendered(asked);
    expect(user).toContain(
      `<<<fence-1\nanalyst | symbol | view | conviction | evidence | note\nmarket | ${BTC} | LONG | 0.60 | ret1h | x / y`,
    );
    expect(user).toContain("news | - | - | - | - | this analyst did not answer");
    expect(user).toContain(`risk | ${BTC} | FLAT | 0.60 | ret1h,news:1 | Up.`);
  });

  test("views are no orders: only the decision becomes targets", async () => {
    const panel = await armed("llm-panel");
    const answer = reported(
      panel,
      { round: 2, replies: [reply(stance({ stance: "SHORT" }))], carry: { miscited: [] } },
      market(rising),
    );
    expect(targetsOf(answer)).toMatchObject([{ symbol: BTC, leg: "SHORT" }]);
  });

  test("other views make another question, and the practice model answers every one of them", async () => {
    const moving = market({ ...rising, tradeFlow: 0.8 });
    const questions = questionsOf(await decided("llm-panel", moving));
    const asked = await heard(questions.map(practised), moving);
    expect(rendered(asked).user).toMatch(new RegExp(`market \\| ${BTC} \\| LONG`));
    const panel = await armed("llm-panel");
    expect(
      targetsOf(reported(panel, { round: 2, replies: [practised(asked)], carry: { miscited: [] } }, moving)),
    ).toMatchObject([{ leg: "LONG" }]);
    expect((await heard([views(view()), lost, lost])).fingerprint).not.toBe(asked.fingerprint);
  });
});
