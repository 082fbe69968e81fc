/** Each story with every fate of one push among the first four, in full six; two at a time and more: `npm run deliveries`. */
import { describe, expect, test } from "vitest";
import { lengthOf } from "../support/lengths.ts";
import { fatesOf, judge, lettersOf } from "./fates.ts";
import { judgeHistory } from "./histories.ts";
import { play } from "./story.ts";
import { STORIES, type StoryName } from "./plots.ts";

const NAMES = Object.keys(STORIES) as readonly StoryName[];
const SEEN = [
  { mode: "BOTH", lagMs: 8_000 },
  { mode: "NET", lagMs: 0 },
] as const;

describe.each(SEEN)("in $mode mode, with lists $lagMs ms behind", (seen) => {
  test.each(NAMES)(
    "%s: whichever push is lost, doubled or late, the agent ends where the venue is",
    { timeout: 240_000 },
    (story) => {
      const undisturbed = play({ story, ...seen, fates: [] });
      expect(undisturbed.problems).toEqual([]);
      const wrong = [...fatesOf(lengthOf(4, 6), 1)].flatMap((fates) =>
        judge({ story, ...seen, fates }, undisturbed).wrong.map((what) => `${lettersOf(fates)}: ${what}`),
      );
      expect(wrong).toEqual([]);
    },
  );
});

test("the checker says so where something else is held than in the undisturbed run", { timeout: 60_000 }, () => {
  const scenario = { story: "open", mode: "BOTH", lagMs: 0, fates: [] } as const;
  const undisturbed = play(scenario);
  expect(judge(scenario, undisturbed).wrong).toEqual([]);
  expect(judge(scenario, { ...undisturbed, heldQty: undisturbed.heldQty.mul(2) }).wrong.join()).toMatch(/is held, not/);
});

test("fates are counted: one mishap of three kinds in two places, or both", () => {
  expect([...fatesOf(2, 2)].map(lettersOf)).toHaveLength(1 + 2 * 3 + 9);
  expect([...fatesOf(8, 2)]).toHaveLength(277);
});

/** Each was wrong once: a stop of the position before, a late push of the other side, a list from before a fill ... */
const FOUND = [
  1108, 1147, 1531, 2005, 4049, 10193, 10238, 11789, 30394, 30910, 51125, 53029, 502563, 900101, 910715, 921363,
  8211815, 8212210,
];
/** The same, of histories in which the process dies. */
const FOUND_WITH_DEATHS = [
  ...[3, 377, 1464, 1895, 2297, 2971, 3452, 3956, 4502, 40245, 40294, 41172, 45892, 46656, 47078, 47175, 47799, 47922],
  ...[101021, 112773, 122941, 603218, 1004268, 1009837, 1012340, 2102262, 3009266],
  ...[4002558, 4002728, 4036908, 6001089, 8005340, 8092650, 8104403],
];
const FRESH = Array.from({ length: lengthOf(15, 60) }, (_, at) => at + 1);

test.each([
  { which: "that were wrong once", seeds: FOUND, deaths: false },
  { which: "from the first on", seeds: FRESH, deaths: false },
  { which: "with deaths that were wrong once", seeds: FOUND_WITH_DEATHS, deaths: true },
  { which: "with deaths from the first on", seeds: FRESH, deaths: true },
])(
  "drawn histories $which end right, and no position lacks a stop for long",
  { timeout: 240_000 },
  ({ seeds, deaths }) => {
    const wrong = seeds.flatMap((seed) =>
      judgeHistory(seed, { deaths }).wrong.map((what) => `history ${seed}: ${what}`),
    );
    expect(wrong).toEqual([]);
  },
);
