/** The language of `support/agent-story.ts` fails where it should, and shows where. */
import { expect, test } from "vitest";
import { story } from "../support/agent-story.ts";

test("a line that ends otherwise fails with the story, the line and what was found", () => {
  const wrong = () =>
    story(`
      list BTC LONG 0.004
      0.25 s              -> nothing
    `);
  expect(wrong).toThrow(/> 0\.25 s +-> nothing\nfound: protects all, 0\.75 s after the start/);
});

test("what the status shows is compared as well", () => {
  expect(() => story("list BTC LONG 0.004 -> holds BTC SHORT 0.004")).toThrow("found: holds BTC LONG 0.004");
});

test("a line that says nothing known is named", () => {
  expect(() => story("shout BTC")).toThrow('nothing happens by "shout"');
});
