/** Mistakes against the invariants of model money, I19 to I21. */
import { describe } from "vitest";
import * as move from "./moves.ts";
import { drop, last, plants, put, the } from "./plant.ts";
import { type Body, CONFIG, pass, row, type Story } from "./story.ts";

const HOUR_MS = 3_600_000;

/** One spend of the journal alone, at an instant. */
const spend = (
  story: Story,
  id: string,
  money: { bound: string; cost?: string; atMs?: number; how?: string },
): void => {
  const { bound, cost, atMs = story.nowMs, how = "actual" } = money;
  row(story, "model-reserve", {
    attemptId: id,
    decisionId: "d",
    purpose: "decision",
    model: "m-1",
    atMs,
    boundUsd: bound,
  });
  if (cost !== undefined) row(story, "model-settle", { attemptId: id, atMs, costUsd: cost, how });
};

describe("I19", () =>
  plants("I19", [
    ["a reservation above the day's limit", (_run, story) => spend(story, "a", { bound: "10.01", cost: "0" })],
    [
      "many small ones above it",
      (_run, story) => {
        for (let at = 0; at < 21; at++) spend(story, `a${at}`, { bound: "0.5", cost: "0.49" });
      },
    ],
    [
      "open reservations above it",
      (_run, story) => {
        spend(story, "a", { bound: "5" });
        spend(story, "b", { bound: "5" });
      },
    ],
    [
      "24 hours across midnight",
      (_run, story) => {
        spend(story, "a", { bound: "6", cost: "6" });
        pass(story, 20 * HOUR_MS);
        spend(story, "b", { bound: "6", cost: "6" });
      },
    ],
    ["a settlement above its bound and the limit", (_run, story) => spend(story, "a", { bound: "1", cost: "11" })],
    [
      "more than a lower configured limit",
      (_run, story) => {
        const entry = the(story, "config");
        entry.body = { ...entry.body, config: { ...CONFIG, model: { dayLimitUsd: "1" } } };
        spend(story, "a", { bound: "1.5", cost: "0.1" });
      },
    ],
    [
      "an adopted figure that is not counted",
      (_run, story) => {
        row(story, "model-settle", { attemptId: "adopt-1", atMs: story.nowMs, costUsd: "9.9", how: "adopted" });
        spend(story, "a", { bound: "0.2", cost: "0.1" });
      },
    ],
    [
      "a settlement below the true cost",
      ({ attempt }, story) => {
        the(story, "model-settle", (body) => body["attemptId"] === attempt).body["costUsd"] = "0.001";
      },
    ],
    [
      "a repair that was not settled",
      ({ attempt }, story) => {
        story.charges.push({ ...story.charges[0], requestId: `${attempt}.repair`, costUsd: "0.003" });
      },
    ],
  ]));

describe("I20", () =>
  plants("I20", [
    [
      "a call without a reservation",
      (_run, story) => void story.charges.push({ ...story.charges[0], requestId: "ask-unknown" }),
    ],
    ["a call without an id", (_run, story) => void story.charges.push({ ...story.charges[0], requestId: "" })],
    ["a request charged twice", (_run, story) => void story.charges.push({ ...story.charges[0], costUsd: "0.0001" })],
    ["a bound below the cost", (_run, story) => void (the(story, "model-reserve").body["boundUsd"] = "0.0019")],
    ["a reservation after the call", (_run, story) => void (the(story, "model-reserve").body["atMs"] = story.nowMs)],
    ["a reservation that is never settled", (_run, story) => drop(story, the(story, "model-settle"))],
    [
      "one that a crash left open for ever",
      (_run, story) => {
        drop(story, last(story, "stop"));
        spend(story, "a", { bound: "0.1" });
        move.runStarts(story, "b2");
      },
    ],
    [
      "a correction of a bill that was known",
      (_run, story) => {
        const settle = the(story, "model-settle");
        put(story, "after", settle, { kind: "model-settle", body: { ...settle.body, costUsd: "0", how: "corrected" } });
      },
    ],
    [
      "a correction upwards",
      (_run, story) => {
        spend(story, "b", { bound: "0.01", cost: "0.01", how: "bound" });
        row(story, "model-settle", { attemptId: "b", atMs: story.nowMs, costUsd: "0.02", how: "corrected" });
      },
    ],
    [
      "a reservation settled twice",
      (_run, story) => {
        const settle = the(story, "model-settle");
        put(story, "after", settle, { kind: "model-settle", body: settle.body });
      },
    ],
    [
      "a reservation made twice",
      (_run, story) => {
        const reserve = the(story, "model-reserve");
        put(story, "after", reserve, { kind: "model-reserve", body: reserve.body });
      },
    ],
    [
      "a reservation released for want of evidence",
      (_run, story) => Object.assign(the(story, "model-settle").body, { how: "released", costUsd: "0" }) && undefined,
    ],
    [
      "an unknown cost settled below its bound",
      (_run, story) => void (the(story, "model-settle").body["how"] = "bound"),
    ],
    ["a settlement of nothing that was reserved", (_run, story) => drop(story, the(story, "model-reserve"))],
  ]));

/** A shared answer and the row that shows it. */
const share = (story: Story, attempt: string, change: Body = {}): void =>
  void move.question(story, "d-shared", attempt, { cached: true, ...change });

describe("I21", () =>
  plants("I21", [
    [
      "an answer of 300 s before",
      ({ attempt }, story) => {
        pass(story, 300_000);
        share(story, attempt);
      },
    ],
    ["an answer to another question", ({ attempt }, story) => share(story, attempt, { key: "k-2" })],
    ["an answer of another model", ({ attempt }, story) => share(story, attempt, { model: "m-2" })],
    ["an answer that nobody paid for", (_run, story) => share(story, "ask-nobody")],
    ["a shared answer with a price of its own", ({ attempt }, story) => share(story, attempt, { costUsd: "0.001" })],
    ["a shared answer without a key", ({ attempt }, story) => share(story, attempt, { key: null })],
    [
      "an answer older than its day",
      ({ attempt }, story) => {
        pass(story, 25 * HOUR_MS);
        share(story, attempt);
      },
    ],
    [
      "an answer shared before it was booked",
      ({ attempt }, story) => {
        const settle = the(story, "model-settle");
        put(story, "before", settle, {
          kind: "question",
          body: { outcome: { kind: "answered", cached: true, attempt, key: "k-1", model: "m-1", costUsd: "0" } },
        });
      },
    ],
  ]));
