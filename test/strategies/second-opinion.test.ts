/** Further samples are bought where they can change a decision, and vote together with the first. */
import { beforeAll, expect, test } from "vitest";
import type { Snapshot } from "../../src/context/snapshot.ts";
import type { Reply, StrategyAnswer } from "../../src/strategy/strategy.ts";
import { BTC, ETH } from "../strategy/snapshots.ts";
import { armed, lost, questionsOf, reported, targetsOf } from "./asking.ts";
import { holding, market, reply, rising, stance } from "./model-rig.ts";

beforeAll(async () => void (await armed("llm-trader")), 300_000);

const OLDER = { prompt: "llm-trader", secondOpinions: 2 };
const first = async (replies: readonly Reply[], snapshot: Snapshot = market(rising), settings: object = {}) =>
  reported(await armed("llm-trader", { ...OLDER, ...settings }), { replies }, snapshot);
const LONG = reply(stance());

/** Both rounds: what the first answer leads to, and the further samples. */
async function both(one: readonly Reply[], further: readonly Reply[]): Promise<StrategyAnswer> {
  const asked = await first(one);
  if (asked.kind !== "ask") throw new Error("no second opinion was asked for");
  const trader = await armed("llm-trader", OLDER);
  return reported(trader, { round: 2, replies: further, carry: asked.carry }, market(rising));
}

test("an opening buys two further samples, each a question of its own for that use", async () => {
  const questions = questionsOf(await first([LONG]));
  expect(questions.map(({ use }) => use)).toEqual(["second-opinion", "second-opinion"]);
  expect(new Set(questions.map(({ fingerprint }) => fingerprint)).size).toBe(2);
});

test.each<[string, Reply, Partial<Snapshot>, object]>([
  ["changes nothing", reply(), {}, {}],
  ["keeps what is held", LONG, holding("LONG", 300), {}],
  ["closes", reply(stance({ stance: "FLAT" })), holding("LONG", 300), {}],
  ["opens, where none are wanted", LONG, {}, { secondOpinions: 0 }],
])("an answer that %s buys none", async (_what, answer, change, settings) => {
  expect((await first([answer], market(rising, change), settings)).kind).toBe("targets");
});

test("samples that name different sides buy more, though they open nothing together", async () => {
  expect((await first([LONG, reply(stance({ stance: "SHORT" }))], market(rising), { samples: 2 })).kind).toBe("ask");
});

test("two against one drop the opening, and the note says that the money changed the decision", async () => {
  const changed = await both([LONG], [reply(), reply(stance({ symbol: ETH }))]);
  expect(targetsOf(changed)).toEqual([]);
  expect(changed).toMatchObject({ note: expect.stringMatching(/^\[second-opinion: changed\]/) as string });
  const kept = await both([LONG], [LONG, LONG]);
  expect(targetsOf(kept)).toMatchObject([{ symbol: BTC, leg: "LONG", size: 0.8 }]);
  expect(kept).toMatchObject({ note: expect.stringMatching(/^\[second-opinion: kept\]/) as string });
});

test("samples that the plan had no money for are no votes: the first answer stands as it was", async () => {
  const plain = await both([LONG], [lost, lost]);
  expect(targetsOf(plain)).toMatchObject([{ symbol: BTC, leg: "LONG", size: 0.8 }]);
  expect(targetsOf(await both([LONG], [LONG, lost]))).toMatchObject([{ size: 0.8 }]);
});
