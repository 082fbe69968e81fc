/** The first messages of each story in every sequence, with losses, a repeat and a death; more: `npm run interleavings`. */
import { describe, expect, test } from "vitest";
import { explore, type Limits } from "./explore.ts";
import { type Choice, play } from "./play.ts";
import { STORIES } from "./scene.ts";

const ALL: Limits = { messages: 8, depth: 2, repeats: true, deaths: true, oldLists: true };

describe.each(STORIES)("%s", (story) => {
  test("whatever arrives of the first two choices, the agent ends where the venue is", { timeout: 120_000 }, () => {
    const { histories, states, failures } = explore(story, ALL);
    expect(failures).toEqual([]);
    expect(histories).toBeGreaterThan(35);
    expect(states).toBeGreaterThan(10);
  });

  test("nothing has to arrive, and everything may, in the sequence in which it was sent", { timeout: 60_000 }, () => {
    expect(play(story, [], ALL).problems).toEqual([]);
    let played = play(story, [], ALL);
    const arrived: Choice[] = [];
    for (let [next] = played.next; next?.startsWith("> "); [next] = played.next) {
      arrived.push(next);
      played = play(story, arrived, ALL);
    }
    expect(played.problems).toEqual([]);
    expect(arrived.length).toBeGreaterThan(story === "open" ? 6 : 3);
  });
});

describe("histories that once went wrong", () => {
  test.each([
    "> fill, death, > position, > order FILLED",
    "> position, death, again position, > order FILLED",
    "> position, death, again position, > fill",
  ])("%s: a push says nothing of what it includes, so that no fill of an earlier run is added to it", (history) => {
    expect(play("open", history.split(", ") as Choice[], ALL).problems).toEqual([]);
  });
});

test("the checker notices a process that forgets what the one before it had sent", { timeout: 60_000 }, () => {
  const history: readonly Choice[] = ["death", "old list", "old list"];
  expect(play("open", history, ALL).problems).toEqual([]);
  const { problems } = play("open", history, { messages: 8, forgets: ["intent", "wire-out"] });
  expect(problems).toContain("2 openings were sent");
});
