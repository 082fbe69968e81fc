/** A stop that the venue accepts in its reply and refuses when it registers it: a refusal like any other. Records §6.5. */
import { describe, test } from "vitest";
import { story } from "../support/agent-story.ts";

describe("a stop that is rejected after its reply is asked for in a simpler form at once", () => {
  test("by a push, once for each request, and that form is asked for first from then on", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      protect done S1
      stop S1 REJECTED
      stop S1 REJECTED
      0.25 s                   -> protects 0.004
      protect done S2
      stop S2
      list BTC LONG 0.004, ETH LONG 0.1 @ 3000
      0.25 s                   -> protects 0.1
    `);
  });

  test("by a push after one that showed it on its way", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      protect done S1
      stop S1 PENDING_NEW      -> stop live
      stop S1 REJECTED
      0.25 s                   -> protects 0.004
    `);
  });

  test("by the answer to a question about it, where its push is lost", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all once
      protect done S1
      3 s                      -> asks S1
      found S1 REJECTED
      0.25 s                   -> protects 0.004
    `);
  });
});

test("a requested stop that is over is known by the id of its reply where its record has none of ours", () => {
  story(`
    list BTC LONG 0.004
    0.25 s                     -> protects all once
    protect done S1
    stop S1 EXPIRED
    2 s                        -> nothing
    2.25 s                     -> protects all once
  `);
});
