/** Mistakes against the invariant of where a stop stands, I37, and moves of a stop that break no rule. */
import { describe, expect, test } from "vitest";
import { honestRun, LONG_BTC, SHORT_ETH } from "./base.ts";
import * as move from "./moves.ts";
import { facts, plants, the } from "./plant.ts";
import { type Body, BTC, fact, findingsOf, history, type Story } from "./story.ts";

const LEG = `${BTC}|LONG`;
const further = (price: string): string => String(Math.round(Number(price) * 9) / 10);
const placedAt = (body: Body): boolean => body["leg"] === LEG && typeof body["clientOrderId"] === "string";

/** Everywhere it stands: what the rows ask for, and what the venue has. */
function stopAt(story: Story, price: string): void {
  for (const entry of story.entries) {
    if (entry.kind === "protection" && entry.body["leg"] === LEG) entry.body = { ...entry.body, stopPrice: price };
    if (entry.kind === "wire-out" && entry.body["action"] === "algo.place")
      entry.body = { ...entry.body, params: { ...(entry.body["params"] as Body), triggerPrice: price } };
  }
  for (const algo of facts(story, "algo")) algo["conditionalTriggerPrice"] = price;
}

const intentOf = (story: Story, id: string) => the(story, "intent", (body) => body["clientOrderId"] === id);
const approvedAt = (story: Story, id: string, found: string | null): void => {
  const verdict = the(story, "verdict", (body) => body["clientOrderId"] === id);
  verdict.body = { ...verdict.body, verdicts: found === null ? [] : [{ limit: "protection", kind: "allow", found }] };
};

/** An intent, its verdict and its position, as one that decides so would have written them. */
function promisedAt(story: Story, id: string, price: string): void {
  const intent = intentOf(story, id);
  intent.body = { ...intent.body, stopPrice: price };
  approvedAt(story, id, price);
  for (const entry of story.entries)
    if (entry.kind === "position" && entry.body["kind"] !== "closed") entry.body = { ...entry.body, stopPrice: price };
  stopAt(story, price);
}

/** Somebody else's stop for the position, and nothing of ours. */
function counted(story: Story, price: string): void {
  const ours = facts(story, "algo");
  for (const algo of ours) {
    algo["clientOrderId"] = "by-hand";
    algo["conditionalTriggerPrice"] = price;
  }
  const stop = the(story, "protection", (body) => body["standing"] === true);
  stop.body = { ...stop.body, stopPrice: price };
}

const SAFE = move.stopOf(LONG_BTC);

/** Our stop as the venue took it. */
const firstOf = (story: Story): Body => facts(story, "algo")[0] as Body;

/** Rows that want our stop at each of these prices in turn, and the prices at which the venue has it after its placement. */
function movedTo(story: Story, wanted: readonly string[], stands: readonly string[]): void {
  const placed = the(story, "protection", (body) => body["standing"] === true);
  const row = (stopPrice: string) => ({
    ...placed,
    body: { leg: LEG, moving: true, from: SAFE, stopPrice, why: "trailing" },
  });
  story.entries.splice(story.entries.indexOf(placed) + 1, 0, ...wanted.map(row));
  const first = firstOf(story);
  story.venue.splice(
    story.venue.indexOf(first) + 1,
    0,
    ...stands.map((conditionalTriggerPrice) => ({ ...first, conditionalTriggerPrice })),
  );
  for (const algo of facts(story, "algo", (each) => each["orderState"] === "CANCELLED"))
    algo["conditionalTriggerPrice"] = stands.at(-1);
}

/** `words`: of what I37 finds; undefined where it finds nothing. */
function expectWrong(story: Story, words: string | undefined): void {
  const found = findingsOf(history(story)).get("I37");
  if (words === undefined) expect(found).toBeUndefined();
  else expect(found?.map(({ what }) => what).join()).toContain(words);
}

describe("I37", () => {
  plants("I37", [
    ["all stops stand 10 % further away than wanted", (_run, story) => stopAt(story, further(SAFE))],
    [
      "the decision's distance is stretched by 10 % on the way to the intent",
      ({ btc }, story) => promisedAt(story, btc.id, String(Number(LONG_BTC.price) * (1 - 0.033) - 120)),
    ],
    ["the stop price of an intent is halved", ({ btc }, story) => promisedAt(story, btc.id, String(Number(SAFE) / 2))],
    [
      "the same of a short, whose order never filled",
      ({ eth }, story) => {
        promisedAt(story, eth.id, String(Number(SHORT_ETH.price) * 1.5));
        stopAt(story, SAFE);
      },
    ],
    [
      "the intent's row alone has another stop than the limits counted",
      ({ btc }, story) => approvedAt(story, btc.id, "59000"),
    ],
    ["no limit counted the stop", ({ btc }, story) => approvedAt(story, btc.id, null)],
    [
      "an opening has no stop",
      ({ btc }, story) => {
        const intent = intentOf(story, btc.id);
        intent.body = { ...intent.body, stopPrice: null };
      },
    ],
    ["the stop lies on the winning side", ({ btc }, story) => promisedAt(story, btc.id, "61000")],
    [
      "an order is larger than a limit allowed",
      ({ btc }, story) => {
        const verdict = the(story, "verdict", (body) => body["clientOrderId"] === btc.id);
        const verdicts = verdict.body["verdicts"] as readonly Body[];
        verdict.body = { ...verdict.body, verdicts: [...verdicts, { limit: "cushion", kind: "shrink", qty: "0.004" }] };
      },
    ],
    [
      "the venue has the stop elsewhere than it was asked for",
      (_run, story) => {
        for (const algo of facts(story, "algo")) algo["conditionalTriggerPrice"] = further(SAFE);
      },
    ],
    [
      "the venue's stop moves away from safety",
      ({ stop }, story) => {
        const [placed] = facts(story, "algo");
        const at = story.venue.indexOf(placed as Body);
        story.venue.splice(at + 1, 0, { ...placed, conditionalTriggerPrice: "57000", algoOrderId: stop.algoOrderId });
      },
    ],
    [
      "the venue's stop moves to where nothing wanted it",
      (_run, story) => {
        const [placed] = facts(story, "algo");
        story.venue.splice(story.venue.indexOf(placed as Body) + 1, 0, { ...placed, conditionalTriggerPrice: "59900" });
      },
    ],
    ["a less safe stop of somebody else counts", (_run, story) => counted(story, further(SAFE))],
    [
      "the wanted stop of a position becomes that of somebody else, which is less safe",
      (_run, story) => {
        const grown = the(story, "position", (body) => body["kind"] === "resized");
        grown.body = { ...grown.body, stopPrice: further(SAFE) };
      },
    ],
    [
      "a move goes away from safety",
      (_run, story) => {
        const placed = the(story, "protection", placedAt);
        const body = { leg: LEG, moving: true, from: SAFE, stopPrice: "58000", why: "trailing" };
        story.entries.splice(story.entries.indexOf(placed) + 1, 0, { ...placed, body });
      },
    ],
    [
      "a position of nobody counts a stop at half its price",
      (_run, story) => {
        const wanted: move.Wanted = { ...LONG_BTC, hedge: true };
        move.position(story, wanted, "0.01");
        fact(story, "algo", {
          algoOrderId: "2195000000009999",
          clientOrderId: "by-hand",
          sym: BTC,
          side: "SELL",
          positionSide: "LONG",
          orderQty: "0.01",
          orderState: "NEW",
          conditionalTriggerPrice: "30000",
        });
        move.runStarts(story, "b2");
        move.live(story, 60_000);
        move.position(story, wanted, "0");
      },
    ],
  ]);

  test("sees nothing in a stop that moves towards safety, at the venue after its row", () => {
    const { story } = honestRun();
    movedTo(story, ["59000"], ["59000"]);
    expect(findingsOf(history(story)).get("I37")).toBeUndefined();
  });

  test.each([
    ["has shown no other rules", [], "which no row wanted"],
    ["had shown a coarser tick", ["rule-change"], undefined],
  ])("a stop may stand at a rounded price where the venue %s", (_, on, found) => {
    const { story } = honestRun();
    movedTo(story, ["59007.5"], ["59000"]);
    story.venue.unshift({ fact: "faults", atMs: firstOf(story)["atMs"], accountId: null, on });
    expectWrong(story, found);
  });

  test.each([
    ["has shown no other rules", [], "58160", "its decision wanted"],
    ["had shown a coarser tick", ["rule-change"], "58160", undefined],
    ["had shown a coarser tick", ["rule-change"], "58140", "its decision wanted"],
  ])("an order may promise a rounded stop where the venue %s %j: %s", (_, on, price, found) => {
    const { story, btc } = honestRun();
    promisedAt(story, btc.id, price);
    story.venue.unshift({ fact: "faults", atMs: firstOf(story)["atMs"], accountId: null, on: [] });
    story.venue.unshift({ fact: "faults", atMs: -1e15, accountId: null, on });
    expectWrong(story, found);
  });

  test.each([
    ["has shown no other rules", [], "58100", true],
    ["had shown a coarser tick", ["rule-change"], "58100", false],
    ["had shown a coarser tick", ["rule-change"], "58090", true],
  ])("a position may have its promised stop rounded where the venue %s %j: %s", (_, on, price, isFound) => {
    const { story } = honestRun();
    for (const algo of facts(story, "algo")) algo["conditionalTriggerPrice"] = price;
    story.venue.unshift({ fact: "faults", atMs: firstOf(story)["atMs"], accountId: null, on });
    const unsafe = findingsOf(history(story))
      .get("I37")
      ?.filter(({ what }) => what.includes("no safer stop"));
    expect(unsafe).toHaveLength(isFound ? 1 : 0);
  });

  test.each([
    ["unknown", undefined],
    ["done", "away from safety"],
  ])("a stop may fall back to a change whose answer was %s", (outcome, found) => {
    const { story, stop } = honestRun();
    movedTo(story, ["58900", "59000"], ["59000", "58900"]);
    move.write(story, "algo.replace", { algoOrderId: stop.algoOrderId, triggerPrice: "58900" });
    move.answer(story, outcome);
    expectWrong(story, found);
  });

  test("sees nothing in a stop that an order has just promised a position that was without one", () => {
    const { story } = honestRun();
    for (const entry of story.entries)
      if (entry.kind === "position") entry.body = { ...entry.body, stopPrice: null, avgPrice: "56500" };
    expect(findingsOf(history(story)).get("I37")).toBeUndefined();
  });

  test("sees nothing in an own stop that lies far away and whose row is lost", () => {
    const { story } = honestRun();
    const asked = the(story, "protection", placedAt);
    story.entries.splice(story.entries.indexOf(asked), 1);
    for (const algo of facts(story, "algo")) algo["clientOrderId"] = "p-b1-99";
    for (const entry of story.entries)
      if (entry.kind === "position") entry.body = { ...entry.body, stopPrice: null, avgPrice: "66000" };
    expect(findingsOf(history(story)).get("I37")).toBeUndefined();
  });

  test("takes no bound from the file that it judges: none allows a stop beyond 20 %", () => {
    const { story, btc } = honestRun();
    const config = the(story, "config");
    const risk = { ...((config.body["config"] as Body)["risk"] as Body), maxStopDistance: 0.9 };
    config.body = { ...config.body, config: { ...(config.body["config"] as Body), risk } };
    const decided = the(
      story,
      "decision",
      (body) => (body["wishes"] as readonly Body[] | undefined)?.[0] !== undefined,
    );
    decided.body = { ...decided.body, wishes: [{ symbol: BTC, leg: "LONG", stopDistance: 0.5 }] };
    promisedAt(story, btc.id, String(Number(LONG_BTC.price) / 1.002 / 2));
    expectWrong(story, "the furthest allowed");
  });
});
