/** Mistakes against the invariants of notional and leverage, I11 to I13. */
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/core/time.ts";
import { honestRun } from "./base.ts";
import * as move from "./moves.ts";
import { drop, facts, factsOfOrder, frameOf, hold, plants, put, reconfigure, reseen, reword, the } from "./plant.ts";
import { sol } from "./legal-histories.ts";
import { type Body, BTC, ETH, findingsOf, history, SOL, START_MS, type Story } from "./story.ts";

const terms = (story: Story): Body => the(story, "session").body["session"] as Body;

const reserved = (story: Story): Body => the(story, "session", (body) => body["event"] === "reserved").body;

const beyond =
  (part: string, change: Body) =>
  (_run: unknown, story: Story): void =>
    reconfigure(story, part, change);

describe("I11", () =>
  plants("I11", [
    ["an order above its session's cap", (_run, story) => void (terms(story)["maxNotionalPerOrder"] = "300")],
    ["an order above the configured share", (_run, story) => reconfigure(story, "risk", { perOrderEquityShare: 0.3 })],
    ["an order sized by an equity that has fallen", ({ btc }) => reseen(btc, { equityUsdt: "700" })],
    ["a session that has used more than its total", (_run, story) => void (terms(story)["maxTotalNotional"] = "500")],
    [
      "an order that its session never reserved",
      (_run, story) =>
        drop(
          story,
          the(story, "session", (body) => body["event"] === "reserved"),
        ),
    ],
    ["a reservation below the order's value", (_run, story) => void (reserved(story)["notional"] = "300")],
    [
      "a reservation after the write",
      ({ btc }, story) => {
        const late = the(story, "session", (body) => body["event"] === "reserved");
        drop(story, late);
        put(story, "after", btc.out, { kind: "session", body: late.body });
      },
    ],
    ["ten times the quantity", ({ btc }, story) => reword(story, btc, { quantity: "0.05" })],
    ["a short whose mark stands far above its limit", ({ eth }) => reseen(eth, { mark: "4200" })],
    ["contracts of ten taken for one", ({ btc }) => reseen(btc, { rules: { ...move.RULES[BTC], contractSize: "10" } })],
    [
      "an order that cannot be valued",
      ({ btc }, story) => {
        reword(story, btc, { price: undefined, orderType: "MARKET" });
        reseen(btc, { mark: null });
      },
    ],
    ["a file that lets an order be ten times the equity", beyond("risk", { perOrderEquityShare: 10 })],
    ["a file with a share below zero", beyond("risk", { perOrderEquityShare: -1 })],
    ["a file that gives half the price away", beyond("execution", { slippage: 0.5 })],
    ["a file with stops at half the price", beyond("risk", { maxStopDistance: "0.5" })],
    [
      "an order above the equity, which the file allows",
      ({ btc }, story) => {
        reconfigure(story, "risk", { perOrderEquityShare: 10 });
        reseen(btc, { equityUsdt: "290" });
      },
    ],
  ]));

test("I11 holds an order against the verifier's own share of equity, whatever the file says", () => {
  const { story, btc } = honestRun();
  reconfigure(story, "risk", { perOrderEquityShare: 10 });
  reseen(btc, { equityUsdt: "290" });
  const found = (findingsOf(history(story)).get("I11") ?? []).map(({ what }) => what);
  expect(found).toEqual(
    expect.arrayContaining([
      "the configuration gives risk.perOrderEquityShare as 10, allowed 0 to 1",
      expect.stringMatching(/the configured share of equity is 290$/),
    ]),
  );
});

/** The row of a phase that begins by the clock, just before an order. */
const phaseBegun = (story: Story, { out }: move.Placed, competition: Body): void => {
  const { config } = the(story, "config").body;
  put(story, "before", out, { kind: "config", body: { by: "phase", config: { ...(config as Body), competition } } });
};

const inPhaseTwo = (story: Story, competition: Body): void => {
  const entry = the(story, "config");
  entry.body = { ...entry.body, config: { ...(entry.body["config"] as Body), phase: 2, competition } };
};

describe("I12", () =>
  plants("I12", [
    ["a leverage above the cap in the row", ({ btc }) => reseen(btc, { leverage: 3 })],
    ["a leverage that was never read", ({ btc }) => reseen(btc, { leverage: null })],
    ["a reading older than a minute", ({ btc }) => reseen(btc, { leverageAgeMs: 61_000 })],
    ["a reading of no known age", ({ btc }) => reseen(btc, { leverageAgeMs: null })],
    [
      "a reading that ages on the way",
      ({ btc }, story) => {
        reseen(btc, { leverageAgeMs: 59_900 });
        frameOf(story, btc.id)["atMs"] = btc.out.atMs + 200;
      },
    ],
    [
      "a venue that stands at twenty",
      (_run, story) =>
        void Object.assign(facts(story, "leverage", (known) => known["sym"] === BTC)[0] ?? {}, { leverage: "20" }),
    ],
    [
      "a setting that was reset before the order",
      ({ btc }, story) => {
        const at = story.venue.indexOf(factsOfOrder(story, btc)[0] ?? {});
        story.venue.splice(at, 0, {
          fact: "leverage",
          atMs: btc.out.atMs,
          accountId: "2188000000000001",
          sym: BTC,
          leverage: "10",
        });
      },
    ],
    ["five in the first phase", ({ eth }) => reseen(eth, { leverage: 5 })],
    [
      "a phase that began an hour early",
      ({ btc }, story) => phaseBegun(story, btc, { phaseTwo: new Date(btc.out.atMs + 3_600_000).toISOString() }),
    ],
    ["a phase that began with no moment configured", ({ btc }, story) => phaseBegun(story, btc, {})],
    [
      "a file that gives Phase II before its own time of it",
      (_run, story) => inPhaseTwo(story, { phaseTwo: new Date(START_MS + DAY_MS).toISOString() }),
    ],
    [
      "a file that gives Phase II before whoever judges does",
      (_run, story) => {
        inPhaseTwo(story, {});
        story.phaseTwoMs = START_MS + DAY_MS;
      },
    ],
    ["no word on what it rested on", ({ eth }) => void (eth.out.body["seen"] = null)],
  ]));

test("five times the equity is allowed to no file before Phase II has begun", () => {
  const { story } = honestRun();
  inPhaseTwo(story, {});
  hold(story, BTC, { qty: "0.034", price: "60000" });
  expect(findingsOf(history(story)).has("I13")).toBe(false);
  story.phaseTwoMs = START_MS + DAY_MS;
  expect(findingsOf(history(story)).has("I13")).toBe(true);
});

test.each([
  [{}, "Phase II began, and no moment was configured for it"],
  [{ phaseTwo: "soon" }, "Phase II began, and no moment was configured for it"],
  [{ phaseTwo: new Date(START_MS + DAY_MS).toISOString() }, /^Phase II began \d+ ms before its moment$/],
])("I12 says of a competition %j why its second phase was early", (competition, words) => {
  const { story, btc } = honestRun();
  phaseBegun(story, btc, competition);
  const [found] = findingsOf(history(story)).get("I12") ?? [];
  expect(found?.what).toMatch(words);
});

describe("I13", () =>
  plants("I13", [
    ["a position of twice the equity", (_run, story) => hold(story, BTC, { qty: "0.034", price: "60000" })],
    [
      "two positions that are too much together",
      (_run, story) => {
        hold(story, BTC, { qty: "0.016", price: "60000" });
        hold(story, ETH, { qty: "0.4", price: "3000" });
      },
    ],
    [
      "a long and a short that do not cancel out",
      (_run, story) => {
        hold(story, BTC, { qty: "0.017", price: "60000" });
        hold(story, BTC, { qty: "0.017", price: "60000", side: "SHORT" });
      },
    ],
    [
      "resting openings on top",
      (_run, story) => {
        hold(story, BTC, { qty: "0.03", price: "60000" });
        move.order(story, move.place(story, { ...sol, qty: "1.0", resting: true }), "OPEN", "0");
      },
    ],
    [
      "a mark that has moved",
      (_run, story) => {
        hold(story, ETH, { qty: "0.6", price: "3000" });
        move.mark(story, ETH, "3400");
      },
    ],
    [
      "an equity that has fallen",
      (_run, story) => {
        hold(story, BTC, { qty: "0.03", price: "60000" });
        move.account(story, "900");
      },
    ],
    [
      "contracts of ten",
      (_run, story) => {
        hold(story, SOL, { qty: "2", price: "150" });
        Object.assign(facts(story, "rules", (known) => known["sym"] === SOL)[0] ?? {}, { contractSize: "10" });
      },
    ],
  ]));
