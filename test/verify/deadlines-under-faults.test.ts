/**
 * Deadlines while a fault is on: they stop only for as long as no request that they need could have been served. The facts
 * are those of the simulated service; a record without them is judged from outside, by the names of the faults.
 */
import { describe, expect, test } from "vitest";
import { begun, sol } from "./legal-histories.ts";
import * as move from "./moves.ts";
import { type Body, fact, findingsOf, history, pass, type Story } from "./story.ts";

const STOP = "POST /api/v1/algo/order";
const READ = "GET /api/v1/trading/position";

const faults = (story: Story, on: readonly string[], reach: Body = {}): Body =>
  fact(story, "faults", { accountId: null, on, barred: [], touched: [], ...reach });
const off = (story: Story): Body => faults(story, []);

/** A call that ends now. */
const call = (story: Story, name: string, served: boolean, { tookMs = 50, ...more }: Body & { tookMs?: number } = {}) =>
  fact(story, "call", { call: name, sinceMs: story.nowMs - tookMs, served, ...more });

/** A call that arrives now, and that is never answered unless `call` ends it. */
const received = (story: Story, name: string): Body => fact(story, "received", { call: name });

/** A fresh position without a stop, opened while a fault delays the reads. */
function bare(): Story {
  const story = begun();
  faults(story, ["rest-delay"], { touched: [READ] });
  const placed = move.place(story, sol);
  pass(story, 100);
  move.fill(story, placed, { held: "1" });
  return story;
}

const saw = (story: Story): readonly string[] => [...findingsOf(history(story)).keys()];

type Case = readonly [what: string, happen: (story: Story) => void];

function laterProtected(story: Story): void {
  off(story);
  pass(story, 1_000);
  move.protect(story, sol);
  move.live(story, 40_000);
}

describe("a position that waits for its stop longer than 15 s is a violation", () => {
  const cases: readonly Case[] = [
    [
      "while a fault strikes a share of the stops, and none is sent",
      (story) => {
        faults(story, ["server-error"], { touched: [STOP] });
        move.live(story, 30_000);
      },
    ],
    [
      "while a fault lets no news, no candles and no order history through",
      (story) => {
        faults(story, ["server-error"], { barred: ["GET /api/v1/trading/history/orders"] });
        move.live(story, 30_000);
      },
    ],
    [
      "while the market stream is frozen",
      (story) => {
        faults(story, ["freeze", "half-open"]);
        move.live(story, 30_000);
      },
    ],
    [
      "after one stop failed, and none was tried again",
      (story) => {
        faults(story, ["server-error"], { touched: [STOP] });
        pass(story, 500);
        call(story, STOP, false);
        move.live(story, 30_000);
      },
    ],
    [
      "after a stop failed and a later one was served",
      (story) => {
        faults(story, ["server-error"], { touched: [STOP] });
        pass(story, 500);
        call(story, STOP, false);
        pass(story, 2_000);
        call(story, STOP, true);
        move.beat(story);
        move.live(story, 20_000);
      },
    ],
    [
      "longer than a refusal asked for",
      (story) => {
        faults(story, ["rate-limit-burst"], { touched: [STOP] });
        pass(story, 500);
        call(story, STOP, false, { retryAfterMs: 5_000 });
        move.live(story, 30_000);
      },
    ],
    [
      "after a stop that was never answered, once the fault is over",
      (story) => {
        faults(story, ["rest-delay"], { touched: [STOP] });
        pass(story, 500);
        received(story, STOP);
        move.live(story, 2_000);
        off(story);
        move.live(story, 30_000);
      },
    ],
    [
      "after the read that showed it was answered",
      (story) => {
        move.live(story, 10_000);
        call(story, READ, true, { tookMs: 9_000 });
        move.live(story, 20_000);
      },
    ],
  ];
  test.each(cases)("%s", (_what, happen) => {
    const story = bare();
    happen(story);
    laterProtected(story);
    expect(saw(story)).toContain("I9");
  });
});

describe("a position may wait longer for its stop", () => {
  const cases: readonly Case[] = [
    [
      "while every stop is bound to fail",
      (story) => {
        faults(story, ["server-error"], { barred: [STOP] });
        move.live(story, 60_000);
      },
    ],
    [
      "while no position can be read",
      (story) => {
        faults(story, ["read-lag"], { barred: [READ] });
        move.live(story, 60_000);
      },
    ],
    [
      "while each stop that was sent failed",
      (story) => {
        faults(story, ["server-error"], { touched: [STOP] });
        for (let at = 0; at < 12; at++) {
          pass(story, 2_500);
          call(story, STOP, false);
          if (at % 4 === 3) move.beat(story);
        }
      },
    ],
    [
      "while each stop that was sent is never answered",
      (story) => {
        faults(story, ["rest-delay"], { touched: [STOP] });
        for (let at = 0; at < 12; at++) {
          pass(story, 2_500);
          received(story, STOP);
          if (at % 4 === 3) move.beat(story);
        }
      },
    ],
    [
      "for as long as a refusal asked for",
      (story) => {
        faults(story, ["rate-limit-burst"], { touched: [STOP] });
        pass(story, 500);
        call(story, STOP, false, { retryAfterMs: 25_000 });
        move.live(story, 30_000);
      },
    ],
    [
      "while the stop that it sent is on its way",
      (story) => {
        faults(story, ["rest-delay"], { touched: [STOP] });
        move.live(story, 20_000);
        call(story, STOP, true, { tookMs: 12_000 });
      },
    ],
    [
      "until the first read that can show it is answered",
      (story) => {
        move.live(story, 10_000);
        call(story, READ, true, { tookMs: 9_000 });
        pass(story, 9_000);
      },
    ],
    [
      "while the process was stopped from outside",
      (story) => {
        faults(story, ["process-stopped"]);
        move.live(story, 60_000);
      },
    ],
  ];
  test.each(cases)("%s", (_what, happen) => {
    const story = bare();
    happen(story);
    laterProtected(story);
    expect(saw(story)).toEqual([]);
  });

  test("while a fault is on that may cut it off, where nothing says which calls it struck", () => {
    const story = begun();
    fact(story, "faults", { accountId: null, on: ["server-error"] });
    const placed = move.place(story, sol);
    move.fill(story, placed, { held: "1" });
    move.live(story, 60_000);
    fact(story, "faults", { accountId: null, on: [] });
    pass(story, 1_000);
    move.protect(story, sol);
    move.live(story, 40_000);
    expect(saw(story)).toEqual([]);
  });
});

describe("a reconciliation of 13 s", () => {
  const restarted = (happen: (story: Story) => void): readonly string[] => {
    const story = begun();
    pass(story, 5_000);
    const startedAtMs = story.nowMs;
    happen(story);
    off(story);
    pass(story, startedAtMs + 13_000 - story.nowMs);
    move.runStarts(story, "b2");
    const { body = {} } = story.entries.findLast(({ kind }) => kind === "reconcile") ?? {};
    body["startedAtMs"] = startedAtMs;
    move.live(story, 10_000);
    return saw(story);
  };

  test("is too long while a fault strikes a share of the calls and none of them failed", () => {
    expect(
      restarted((story) => {
        faults(story, ["server-error", "freeze"], { touched: [READ] });
        pass(story, 12_000);
      }),
    ).toContain("I26");
  });

  test("is legal with four seconds of them without an answer", () => {
    expect(
      restarted((story) => {
        faults(story, ["server-error"], { touched: [READ] });
        pass(story, 100);
        call(story, READ, false);
        pass(story, 4_000);
        call(story, READ, true);
      }),
    ).toEqual([]);
    expect(
      restarted((story) => {
        faults(story, ["rate-limit-burst"], { touched: [READ] });
        pass(story, 100);
        call(story, READ, false, { retryAfterMs: 4_000 });
      }),
    ).toEqual([]);
  });

  test("is legal where reads are never answered, and too long where the only one was", () => {
    const hangs = (story: Story): void => {
      faults(story, ["rest-delay"], { touched: [READ] });
      pass(story, 100);
      received(story, READ);
      pass(story, 4_000);
      received(story, READ);
      pass(story, 8_000);
    };
    expect(restarted(hangs)).toEqual([]);
    expect(
      restarted((story) => {
        faults(story, ["rest-delay"], { touched: [READ] });
        pass(story, 100);
        received(story, READ);
        pass(story, 50);
        call(story, READ, true);
        pass(story, 12_000);
      }),
    ).toContain("I26");
  });
});
