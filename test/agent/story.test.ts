/** The language of `support/agent-story.ts` fails where it should, and shows where. */
import { expect, test } from "vitest";
import { story } from "../support/agent-story.ts";
import { holding, ready } from "../support/agent-world.ts";
import { readerOf } from "../support/reader-of.ts";

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

test("a restart is the same story on the next run, with what the first one wanted and wrote", () => {
  const w = story(`
    wants BTC LONG 0.5
    1 s                  -> places BTC BUY 0.003 at 60123 once, writes intent open
    restart              -> asks order
    order OPEN           -> orders OPEN
    wants nothing
    order CANCELLED      -> orders none, writes intent end CANCELLED
  `);
  expect(w.given.runId).toBe("t2");
});

test("the next run finds the rows of the kind and the time that it asks for", () => {
  const w = story(`
    wants BTC LONG 0.5
    1 s                  -> places BTC BUY 0.003 at 60123 once, writes intent open
  `);
  const reader = readerOf(w);
  const [written] = reader.rows({ kinds: ["intent"] });
  const atMs = written?.atMs ?? NaN;
  expect(reader.rows({ kinds: ["intent"], sinceMs: atMs })).toEqual([written]);
  expect(reader.rows({ kinds: ["intent"], sinceMs: atMs + 1 })).toEqual([]);
  expect(reader.rows({ limit: 1, newest: true })).toEqual(reader.rows().slice(-1));
  expect(reader.latest("intent")).toEqual(written);
});

test("what a line looks for in the log and the journal is found in that line alone", () => {
  const gone = (look: string) => () => story(`hold disk is full\nhold wal grows -> ${look}`);
  expect(gone("logs hold.began saying grows, writes decision")).toThrow("found: logs hold.began saying grows,");
  expect(gone("logs hold.began saying full")).toThrow("found: nothing");
});

test("what a strategy of the test's own wants is not for the story to say", () => {
  const strategies = { chosen: holding(), fallback: holding() };
  expect(() => story("wants BTC LONG 0.5", ready({ strategies }))).toThrow("the test's own");
});
