/** Spans without a stop, and the money of models. Legal for the verifier. */
import { test } from "vitest";
import * as move from "./moves.ts";
import { fact, pass, row, SOL } from "./story.ts";
import { sol, held, silent, spend, legal, type Legal } from "./legal-histories.ts";

const protection: readonly Legal[] = [
  legal("14 s without a stop", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    pass(story, 14_000);
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  legal("a minute without a stop while the venue is down", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    fact(story, "faults", { accountId: null, on: ["maintenance"] });
    move.live(story, 60_000);
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 5_000);
    move.protect(story, sol);
    move.live(story, 40_000);
  }),
  legal("a process that is frozen before it can place a stop", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    pass(story, 40_000);
    move.beat(story);
    move.protect(story, sol);
    move.live(story, 20_000);
  }),
  legal("a supervised stop while the venue takes none", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    for (let at = 0; at < 6; at++) {
      move.supervise(story, sol, 12_000);
      move.live(story, 10_000);
    }
    move.protect(story, sol);
    move.live(story, 20_000);
  }),
  legal("a supervised stop while the venue takes none, taken up again after a death", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    for (let at = 0; at < 3; at++) {
      move.supervise(story, sol, 12_000);
      move.live(story, 10_000);
    }
    pass(story, 30_000);
    move.runStarts(story, "b2", { positions: [{ leg: `${SOL}|LONG`, qty: "1" }] });
    move.supervise(story, sol, 12_000);
    move.live(story, 5_000);
    move.protect(story, sol);
    move.live(story, 20_000);
  }),
  legal("a supervised stop for what the one at the venue does not cover", (story) => {
    const placed = move.place(story, sol);
    pass(story, 100);
    move.fill(story, placed, { held: "1" });
    move.protect(story, { ...sol, qty: "0.4" });
    for (let at = 0; at < 4; at++) {
      move.supervise(story, sol, 12_000);
      move.live(story, 10_000);
    }
    move.protect(story, { ...sol, qty: "0.6" });
    move.live(story, 20_000);
  }),
  legal("a supervised stop for a part, taken up again 10 s after an outage", (story) => {
    move.partThroughOutage(story, sol);
    move.live(story, 10_000);
    move.supervise(story, sol, 12_000);
    move.live(story, 10_000);
    move.protect(story, { ...sol, qty: "0.6" });
    move.live(story, 20_000);
  }),
  legal("a new stop beside the old one for a while", (story) => {
    const { stop } = held(story);
    move.live(story, 20_000);
    move.protect(story, sol);
    move.live(story, 20_000);
    move.algo(story, stop, "CANCELLED");
    move.live(story, 20_000);
  }),
  legal("a stop that somebody else left standing alone: it is theirs to take away", (story) => {
    const stop = { algoOrderId: "2190000000077777", id: "by-hand", wanted: sol };
    move.algo(story, stop, "NEW");
    move.live(story, 40_000);
  }),
  legal("a stop that outlives its position by ten seconds", (story) => {
    const { stop } = held(story);
    pass(story, 5_000);
    move.close(story, sol, null);
    pass(story, 10_000);
    move.algo(story, stop, "CANCELLED");
    move.live(story, 40_000);
  }),
];

const money: readonly Legal[] = [
  legal("exactly ten dollars", (story) => {
    spend(story, "a", { bound: "4", cost: "4" });
    spend(story, "b", { bound: "6", cost: "5.5" });
    spend(story, "c", { bound: "0.5", cost: "0.5" });
  }),
  legal("six dollars, and six more 24 hours later", (story) => {
    spend(story, "a", { bound: "6", cost: "6" });
    pass(story, 86_400_000);
    spend(story, "b", { bound: "6", cost: "6" });
  }),
  legal("reserved a second before midnight, settled after", (story) => {
    const midnight = Date.UTC(2026, 2, 11);
    pass(story, midnight - 1_000 - story.nowMs);
    spend(story, "a", { bound: "6", cost: "2", settledMs: midnight + 5_000 });
    pass(story, 10_000);
    spend(story, "b", { bound: "8", cost: "3" });
  }),
  legal("an adopted figure above the limit, and no call since", (story) => {
    spend(story, "a", { bound: "5", cost: "5" });
    row(story, "model-settle", {
      attemptId: "adopt-1",
      atMs: story.nowMs,
      costUsd: "7",
      how: "adopted",
      reportedUsd: "12",
    });
  }),
  legal("a repair paid by the reservation of its question", (story) => {
    const attempt = move.ask(story, "d-1");
    const [first] = story.charges;
    story.charges.push({ ...first, seq: 2, requestId: `${attempt}.repair`, costUsd: "0.001" });
    const settle = story.entries.find((entry) => entry.kind === "model-settle");
    if (settle) settle.body["costUsd"] = "0.003";
  }),
  legal("a reservation that a crash left open, settled at its bound by the next run", (story) => {
    row(story, "model-reserve", { attemptId: "a", decisionId: "d", model: "m-1", atMs: story.nowMs, boundUsd: "0.02" });
    story.charges.push({
      seq: 1,
      startedMs: story.nowMs + 5,
      atMs: story.nowMs + 900,
      model: "m-1",
      requestId: "a",
      costUsd: "0.004",
    });
    pass(story, 3_000);
    story.runId = "b2";
    story.startedMs = story.nowMs;
    row(story, "model-settle", { attemptId: "a", atMs: story.nowMs, costUsd: "0.02", how: "crash" });
    move.runStarts(story, "b2");
  }),
  legal("a refused call that cost nothing", (story) => spend(story, "a", { bound: "0.02", cost: "0", how: "nothing" })),
  legal("an answer shared after 299 s", (story) => {
    const attempt = move.ask(story, "d-1");
    move.live(story, 290_000);
    pass(story, 9_000);
    move.question(story, "d-2", attempt, { cached: true });
  }),
  legal("two questions in flight together, one pays", (story) => {
    const attempt = move.ask(story, "d-1");
    const paid = story.entries.pop();
    move.question(story, "d-2", attempt, { cached: true });
    if (paid) story.entries.push(paid);
  }),
  legal("the fallback opens after the model has failed", (story) => {
    const decisionId = "d-1";
    row(story, "decision", { trigger: ["cadence"], strategy: "llm-trader" }, decisionId);
    row(story, "question", { prompt: "llm-trader" }, decisionId);
    pass(story, 400);
    move.question(story, decisionId, "ask-1", { kind: "unavailable" });
    row(story, "decision", { failed: "llm-trader", reason: "unavailable" }, decisionId);
    row(story, "decision", { by: "momentum", kind: "wishes", targets: [] }, decisionId);
    held(story, { ...sol, decisionId });
  }),
  legal("a model that takes two minutes while the loop beats on", (story) => {
    row(story, "question", { prompt: "llm-trader" }, "d-1");
    move.live(story, 120_000);
    move.question(story, "d-1", "ask-1");
  }),
];

test.each([...protection, ...money])("$what", ({ play }) => silent(play()));
