/** Mistakes against the invariants of risk, I11 to I18. */
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/core/time.ts";
import { honestRun, LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import { drop, facts, factsOfOrder, frameOf, plants, put, reseen, reword, the } from "./plant.ts";
import {
  type Body,
  BTC,
  CONFIG,
  ETH,
  fact,
  findingsOf,
  history,
  pass,
  row,
  SOL,
  START_MS,
  type Story,
} from "./story.ts";

const sol: move.Wanted = { symbol: SOL, leg: "LONG", qty: "1", price: "150" };
const terms = (story: Story): Body => the(story, "session").body["session"] as Body;
const reserved = (story: Story): Body => the(story, "session", (body) => body["event"] === "reserved").body;
const config = (story: Story, part: string): Body =>
  ((the(story, "config").body["config"] as Body)[part] ?? {}) as Body;
/** The configuration is shared by all stories until it is changed in one. */
const reconfigure = (story: Story, part: string, change: Body): void => {
  const entry = the(story, "config");
  entry.body = {
    ...entry.body,
    config: { ...(entry.body["config"] as Body), [part]: { ...config(story, part), ...change } },
  };
};

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
  ]));

/** The row of a phase that begins by the clock, just before an order. */
const phaseBegun = (story: Story, { out }: move.Placed, competition: Body): void => {
  const { config } = the(story, "config").body;
  put(story, "before", out, { kind: "config", body: { by: "phase", config: { ...(config as Body), competition } } });
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
    ["no word on what it rested on", ({ eth }) => void (eth.out.body["seen"] = null)],
  ]));

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

/** A position and what it is worth. */
const hold = (
  story: Story,
  sym: string,
  given: { qty: string; price: string; equity?: string; side?: string },
): void => {
  move.symbol(story, sym);
  move.mark(story, sym, given.price);
  fact(story, "position", { sym, positionSide: given.side ?? "LONG", positionQty: given.qty });
  move.account(story, given.equity ?? "1000");
};

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

describe("I14", () =>
  plants("I14", [
    [
      "an opening beyond the cushion of a major",
      (_run, story) => {
        hold(story, BTC, { qty: "0.024", price: "60000" });
        move.place(story, { ...LONG_BTC, qty: "0.002" });
      },
    ],
    [
      "an opening beyond the cushion of another coin",
      (_run, story) => {
        hold(story, SOL, { qty: "4.6", price: "150" });
        move.place(story, { ...sol, qty: "0.4" });
      },
    ],
    [
      "a long and another symbol's short taken for a hedge",
      (_run, story) => {
        hold(story, BTC, { qty: "0.02", price: "60000" });
        move.place(story, { symbol: ETH, leg: "SHORT", qty: "0.13", price: "3000" });
        hold(story, SOL, { qty: "1", price: "150" });
        move.place(story, { ...sol, qty: "0.2" });
      },
    ],
    [
      "a cushion that stays broken",
      (_run, story) => {
        hold(story, BTC, { qty: "0.02", price: "60000" });
        for (let step = 0; step < 5; step++) {
          move.live(story, 10_000);
          move.mark(story, BTC, `6${step}000`);
          move.account(story, "950");
        }
      },
    ],
    [
      "an equity that falls under the floor without a jump",
      (_run, story) => {
        hold(story, BTC, { qty: "0.01", price: "60000" });
        for (const equity of ["870", "830", "801", "799.99"]) {
          move.live(story, 30_000);
          move.mark(story, BTC, "60000");
          move.account(story, equity);
        }
      },
    ],
    [
      "a jump beyond the gap that costs more than it can",
      (_run, story) => {
        hold(story, BTC, { qty: "0.01", price: "60000" });
        pass(story, 1_000);
        move.mark(story, BTC, "50000");
        move.account(story, "600");
      },
    ],
    [
      "a jump that came back and costs more than it can",
      (_run, story) => {
        hold(story, BTC, { qty: "0.01", price: "60000" });
        for (const price of ["50000", "60000"]) {
          pass(story, 1_000);
          move.mark(story, BTC, price);
        }
        move.account(story, "799");
      },
    ],
    [
      "a jump that came back more than a minute before",
      (_run, story) => {
        hold(story, BTC, { qty: "0.01", price: "60000", equity: "850" });
        for (const price of ["50000", "60000"]) {
          pass(story, 1_000);
          move.mark(story, BTC, price);
        }
        pass(story, 60_001);
        move.account(story, "799");
      },
    ],
    [
      "falls that are beyond the gap only together, more than a minute apart",
      (_run, story) => {
        hold(story, BTC, { qty: "0.01", price: "60000", equity: "850" });
        for (const price of ["56000", "52000"]) {
          pass(story, 60_001);
          move.mark(story, BTC, price);
        }
        move.account(story, "799");
      },
    ],
    [
      "a buffer that is larger than was kept",
      (_run, story) => {
        reconfigure(story, "risk", { bufferUsdt: "100" });
        hold(story, BTC, { qty: "0.012", price: "60000" });
        move.place(story, { ...LONG_BTC, qty: "0.004" });
      },
    ],
  ]));

describe("I15", () =>
  plants("I15", [
    ["an old book", ({ btc }) => reseen(btc, { bookAgeMs: 3_100 })],
    ["an old mark", ({ btc }) => reseen(btc, { markAgeMs: 5_100 })],
    ["an old account reading", ({ btc }) => reseen(btc, { accountAgeMs: 30_100 })],
    ["an unsure clock", ({ btc }) => reseen(btc, { clockUncertaintyMs: 5_001 })],
    ["a book that was never read", ({ btc }) => reseen(btc, { bookAgeMs: null })],
    [
      "a book that grew old while the order waited for its slot",
      ({ btc }, story) => {
        frameOf(story, btc.id)["atMs"] = btc.out.atMs + 2_900;
      },
    ],
    [
      "a decision of six minutes before",
      ({ btc }, story) => {
        for (const entry of story.entries)
          if (entry.kind === "decision" && entry.decisionId === btc.decisionId) entry.atMs -= 360_000;
      },
    ],
    ["a decision that declares a shorter life", ({ btc }) => reseen(btc, { decisionLifeMs: 1 })],
    [
      "an order of no decision",
      ({ btc }, story) => {
        for (const entry of story.entries.filter(
          (known) => known.kind === "decision" && known.decisionId === btc.decisionId,
        ))
          drop(story, entry);
      },
    ],
    ["no word on what it rested on", ({ btc }) => void (btc.out.body["seen"] = null)],
  ]));

const halt = (story: Story, to = "HALT"): void =>
  void row(story, "floor", { from: "NORMAL", to, equityUsdt: "810", reason: "equity" });
const resume = (story: Story): void => void row(story, "operator", { command: "resume", from: "HALT", to: "NORMAL" });
const whole = (story: Story): void =>
  void row(story, "reconcile", { event: "complete", startedAtMs: story.nowMs, positions: [] });

describe("I16", () =>
  plants("I16", [
    [
      "an opening after a halt",
      (_run, story) => {
        halt(story);
        pass(story, 5_000);
        move.place(story, sol);
      },
    ],
    [
      "an opening after HOLD",
      (_run, story) => {
        halt(story, "HOLD");
        pass(story, 5_000);
        move.place(story, sol);
      },
    ],
    [
      "an opening after the operator's halt",
      (_run, story) => {
        row(story, "operator", { command: "halt", from: "NORMAL", to: "HALT" });
        pass(story, 5_000);
        move.place(story, sol);
      },
    ],
    [
      "a halt that a restart forgets",
      (_run, story) => {
        halt(story);
        pass(story, 5_000);
        move.boot(story, "b2");
        move.place(story, sol);
      },
    ],
    [
      "a resume without a reconciliation",
      (_run, story) => {
        halt(story);
        pass(story, 5_000);
        resume(story);
      },
    ],
    [
      "a resume whose reconciliation came after it",
      (_run, story) => {
        halt(story);
        pass(story, 5_000);
        resume(story);
        whole(story);
      },
    ],
    [
      "a halt that ends by itself",
      (_run, story) => {
        halt(story);
        whole(story);
        row(story, "floor", { from: "HALT", to: "NORMAL", reason: "equity is back" });
      },
    ],
    [
      "an order that waited through the halt and left after it",
      (_run, story) => {
        const { id, decisionId, params } = move.promise(story, sol);
        move.write(story, "order.place", params, {
          decisionId,
          sessionId: "ras_1",
          seen: move.seen(story, sol),
          reserve: "150",
        });
        halt(story);
        pass(story, 2_500);
        move.placeFrame(story, params);
        void id;
      },
    ],
    [
      "FLATTEN left to WARN by the ladder",
      (_run, story) => {
        halt(story, "FLATTEN");
        row(story, "floor", { from: "FLATTEN", to: "WARN", reason: "?" });
      },
    ],
  ]));

describe("I17", () =>
  plants("I17", [
    ["a position in one-way mode", ({ btc }) => reseen(btc, { hedgeMode: false })],
    ["no position in hedge mode", ({ btc }, story) => reword(story, btc, { positionSide: undefined })],
    ["NONE in hedge mode", ({ btc }, story) => reword(story, btc, { positionSide: "NONE" })],
    ["a mode that was never read", ({ btc }) => reseen(btc, { hedgeMode: null })],
    ["an order before the boot had read anything", (_run, story) => drop(story, the(story, "reconcile"))],
    [
      "a mode read in the boot before",
      (_run, story) => {
        pass(story, 1_000);
        story.boot = "b2";
        row(story, "boot", { boot: "b2" });
        row(story, "boot", { boot: "b2", ready: true });
        move.place(story, sol);
      },
    ],
    [
      "a mode that the venue does not have",
      (_run, story) => {
        for (const account of facts(story, "account")) account["modes"] = { EXCHANGE_A: "NET" };
      },
    ],
    [
      "a mode that the venue has on the other exchange alone",
      (_run, story) => {
        for (const account of facts(story, "account")) account["modes"] = { EXCHANGE_A: "NET", EXCHANGE_B: "BOTH" };
      },
    ],
  ]));

describe("I18", () =>
  plants("I18", [
    ["a price between two ticks", ({ btc }, story) => reword(story, btc, { price: "60100.05" })],
    ["a quantity between two lots", ({ btc }, story) => reword(story, btc, { quantity: "0.0051" })],
    ["a value below the minimum", ({ eth }, story) => reword(story, eth, { quantity: "0" })],
    ["a crumb", ({ btc }) => reseen(btc, { rules: { ...move.RULES[BTC], minNotional: "301" } })],
    ["a symbol in lower case", ({ btc }, story) => reword(story, btc, { symbol: BTC.toLowerCase() })],
    [
      "a symbol outside the universe",
      (_run, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, universe: ["ETH", "SOL"] } };
      },
    ],
    [
      "a symbol that the phase does not have",
      ({ btc }, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, universe: "phase" } };
        reword(story, btc, { symbol: "EXCHANGE_A_PERP_NONESUCH_USDT" });
      },
    ],
    [
      "a symbol that the file names and the phase does not have",
      ({ btc }, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, universe: ["ETH", "SOL", "NONESUCH"] } };
        reword(story, btc, { symbol: "EXCHANGE_A_PERP_NONESUCH_USDT" });
      },
    ],
    [
      "the spot market of a base in the universe",
      ({ btc }, story) => reword(story, btc, { symbol: "EXCHANGE_A_SPOT_BTC_USDT" }),
    ],
    [
      "rules that changed before it arrived",
      ({ btc }, story) => {
        const at = story.venue.indexOf(factsOfOrder(story, btc)[0] ?? {});
        const known = facts(story, "rules", (found) => found["sym"] === BTC)[0];
        story.venue.splice(at, 0, { ...known, atMs: btc.out.atMs, lotSize: "0.01" });
      },
    ],
    [
      "an opening whose rules nobody reported",
      ({ btc }, story) => {
        reseen(btc, { rules: null });
        for (const known of facts(story, "rules", (found) => found["sym"] === BTC))
          story.venue.splice(story.venue.indexOf(known), 1);
      },
    ],
    ["a price of zero", ({ btc }, story) => reword(story, btc, { price: "0" })],
  ]));
