/** Mistakes against the invariants of floor, freshness and halt, I14 to I16. */
import { describe } from "vitest";
import { LONG_BTC } from "./base.ts";
import * as move from "./moves.ts";
import { drop, frameOf, hold, plants, reconfigure, reseen } from "./plant.ts";
import { sol } from "./legal-histories.ts";
import { BTC, ETH, pass, row, SOL, type Story } from "./story.ts";

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
        move.runStarts(story, "b2");
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
