/** Mistakes against the invariants of determinism, uptime and memory, I28 to I30. */
import { describe } from "vitest";
import * as move from "./moves.ts";
import { last, plants, the, twinOf } from "./plant.ts";
import { report } from "./legal-histories.ts";
import { type Body, fact, pass, row, type Story } from "./story.ts";

const same = (story: Story, edit: (other: Story) => void): void =>
  void (story.finish = (built) => ({ ...built, same: twinOf(edit) }));

describe("I28", () =>
  plants("I28", [
    ["one row more", (_run, story) => same(story, (other) => void move.beat(other))],
    ["one row less", (_run, story) => same(story, (other) => void other.entries.pop())],
    [
      "another id",
      (_run, story) => same(story, (other) => void (the(other, "preview").body["previewId"] = "rpv_other")),
    ],
    ["another time", (_run, story) => same(story, (other) => void (last(other, "beat").atMs += 1))],
    [
      "another order of rows",
      (_run, story) => same(story, (other) => other.entries.push(...other.entries.splice(-2).reverse()) && undefined),
    ],
    [
      "another run",
      (_run, story) => same(story, (other) => other.entries.forEach((entry) => void (entry.runId = "b1x"))),
    ],
    ["an empty journal", (_run, story) => same(story, (other) => void other.entries.splice(0))],
  ]));

const outside = (story: Story, gaps: readonly { fromMs: number; toMs: number }[]): void =>
  void fact(story, "uptime", { rest: { firstSeenMs: 0, open: 1, upMs: 1, upShare: 1, gaps } });

const begin = (story: Story): number => the(story, "beat").atMs;

describe("I29", () =>
  plants("I29", [
    ["two beats at once", (_run, story) => void move.beat(story)],
    [
      "beats made up after a stall",
      (_run, story) => {
        pass(story, 60_000);
        for (let at = 0; at < 6; at++) {
          move.beat(story);
          pass(story, 10);
        }
      },
    ],
    [
      "a beat four seconds after another",
      (_run, story) => {
        move.live(story, 10_000);
        pass(story, 4_000);
        move.beat(story);
      },
    ],
    [
      "a beat of a loop that stands still",
      (_run, story) => {
        move.live(story, 10_000);
        last(story, "beat").body["sinceTickMs"] = 5_200;
      },
    ],
    [
      "beats through an outage that the prober saw",
      (_run, story) => outside(story, [{ fromMs: begin(story) + 10_000, toMs: begin(story) + 50_000 }]),
    ],
    [
      "an outage that the prober did not see",
      (_run, story) => {
        pass(story, 120_000);
        move.beat(story);
        outside(story, []);
      },
    ],
    [
      "a short outage of half a percent",
      (_run, story) => outside(story, [{ fromMs: begin(story) + 10_000, toMs: begin(story) + 12_000 }]),
    ],
  ]));

const gauge = (story: Story, gauges: Body): void => report(story, { gauges });

/** Two hours of beats whose vitals follow a rule. */
const processStats = (story: Story, of: (hour: number, at: number) => Body): void => {
  for (let at = 0; at < 120; at++) {
    pass(story, 60_000);
    row(story, "beat", { stage: "ready", vitals: of(at / 60, at) });
  }
};

describe("I30", () =>
  plants("I30", [
    ["a map above its cap", (_run, story) => gauge(story, { previews: { high: 2_001, cap: 2_000 } })],
    ["a list one above its cap", (_run, story) => gauge(story, { news: { high: 11, cap: 10 } })],
    ["a heap above its bound", (_run, story) => gauge(story, { heapMb: { high: 600, cap: 512 } })],
    ["a collection without a cap", (_run, story) => gauge(story, { orders: { high: 5 } })],
    ["a gauge that is no figure", (_run, story) => gauge(story, { orders: 5 })],
    ["a cap of infinity", (_run, story) => gauge(story, { orders: { high: 5, cap: null } })],
    [
      "one bad gauge among good ones",
      (_run, story) => gauge(story, { a: { high: 1, cap: 2 }, b: { high: 3, cap: 2 }, c: { high: 0, cap: 1 } }),
    ],
    [
      "a high-water mark that falls",
      (_run, story) => {
        gauge(story, { news: { high: 9, cap: 10 } });
        gauge(story, { news: { high: 8, cap: 10 } });
      },
    ],
    [
      "a collection above its cap in the last row",
      (_run, story) => void (last(story, "stop").body["gauges"] = { rows: { high: 3, cap: 2 } }),
    ],
    [
      "a heap that grows towards its limit",
      (_run, story) => processStats(story, (hour) => ({ heapUsed: 100e6 + hour * 50e6, heapLimit: 400e6 })),
    ],
    [
      "open files that grow, with some noise",
      (_run, story) => processStats(story, (hour, at) => ({ files: 40 + 60 * hour + (at % 7) })),
    ],
    [
      "a heap that falls back at every collection, a little less each time",
      (_run, story) =>
        processStats(story, (hour, at) => ({ heapUsed: 100e6 + hour * 20e6 + (at % 5) * 10e6, heapLimit: 400e6 })),
    ],
  ]));
