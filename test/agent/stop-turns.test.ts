/**
 * The venue takes three new stops and three changes of stops in 50 s: nothing is opened, or added to, whose stop could not
 * follow in time. Records §3; invariant I9.
 */
import { expect, test } from "vitest";
import { ETH, ready, settingsOf, START_MS } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const REFUSED = "logs review.verdict saying could not follow";

/** Both symbols are held with their stops and BTC is to grow, after this many recent changes of stops. */
function adding(
  changes: number,
  then: "grows" | "stays",
  { eth = "0.05", stop = "S1 for 0.004", distance = "0.02" } = {},
): void {
  const amendAskedMs = Array.from({ length: changes }, () => START_MS - 1_000);
  const w = story(
    `
    wants BTC LONG 1 stop ${distance}
    list BTC LONG 0.004, ETH LONG ${eth} @ 3000, ${stop}, S2 of ETH for 0.05 at 2900
    6 s                          -> ${then === "grows" ? `${REFUSED} never` : REFUSED}
    `,
    ready({ restored: { amendAskedMs } }),
  );
  expect(w.of("place")).toHaveLength(then === "grows" ? 1 : 0);
}

test("a position grows while its stop can be made larger", () => {
  adding(0, "grows");
  adding(2, "grows");
});

test("a position does not grow while the venue takes no change of its stop", () => {
  adding(3, "stays");
});

test("the change that another stop needs is not spent on this one", () => {
  adding(2, "stays", { eth: "0.1" });
  adding(0, "grows", { eth: "0.1" });
});

test.each([
  [0, 1],
  [2, 0],
])("a resting order becomes larger only while its stop can follow (%i changes taken: %i times)", (taken, times) => {
  const amendAskedMs = Array.from({ length: taken }, () => START_MS + 30_000);
  const settings = settingsOf({ execution: { ...settingsOf().execution, restFor: 600_000 } });
  const seen = (eth: string): string =>
    `list BTC LONG 0.001, ETH LONG ${eth} @ 3000, S1 for 0.001, S2 of ETH for 0.05 at 2900, order OPEN`;
  const w = story(
    `
    list BTC LONG 0.001, ETH LONG 0.05 @ 3000, S1 for 0.001, S2 of ETH for 0.05 at 2900
    wants BTC LONG 0.5 resting
    until place
    rest
    wants BTC LONG 0.9 resting
    36 s with ${seen("0.05")}
    push ETH LONG 0.06
    40 s with ${seen("0.06")}
    `,
    ready({ restored: { amendAskedMs }, settings }),
  );
  expect(w.of("amend")).toHaveLength(times);
});

test("a stop of no quantity grows with its position; a nearer one, as an order promised, needs a change", () => {
  adding(3, "grows", { stop: "S1 for 0", distance: "0.04" });
  adding(3, "stays", { stop: "S1 for 0" });
  adding(2, "grows", { stop: "S1 for 0" });
});

test("an opening does not leave once a refused stop has used the slot that its own stop would need", () => {
  const w = story(
    `
    wants ETH LONG 0.5, BTC LONG 0.5
    1 s                          -> places ETH, places BTC
    place done 301
    order FILLED by 301
    list BTC LONG 0.003, no stops
    0.25 s                       -> protects all
    `,
    ready({ restored: { protectAskedMs: [START_MS - 1_000] } }),
  );
  const eth = w.of("place").find(({ intent }) => intent.draft.order.symbol === ETH);
  const again = (): string | null | undefined => eth && w.agent.recheck(eth.intent, w.nowMs);
  expect(again()).toBeNull();
  story("protect refused 50001\n0.25 s -> protects 0.003", w);
  expect(again()).toMatch(/its stop could not be placed in time/);
});

test.each([
  [2, 1],
  [3, 0],
])(
  "a position without a stop grows only while the venue takes one for it (after %i of them: %i orders)",
  (taken, orders) => {
    const protectAskedMs = Array.from({ length: taken }, () => START_MS - 1_000);
    const w = story(
      `
    wants BTC LONG 1
    list BTC LONG 0.004, no stops
    3 s
    `,
      ready({ restored: { protectAskedMs } }),
    );
    expect(w.of("place")).toHaveLength(orders);
  },
);

test("nothing that adds to a position leaves once the position is being closed", () => {
  const w = story(`
    wants BTC LONG 1
    list BTC LONG 0.004, S1 for 0
    until place
    stop S1 CANCELLED
    until close
  `);
  expect(w.agent.recheck(w.last("place").intent, w.nowMs)).toMatch(/being closed/);
});

test("a change of a stop that is refused for the key waits until the venue answers", () => {
  story(`
    list BTC LONG 0.004, S1 for 0.004
    push BTC LONG 0.006
    4.25 s                       -> moves S1 for 0.006 once
    move refused 2000
    20 s                         -> nothing
    list BTC LONG 0.006, S1 for 0.004
    1 s                          -> moves S1 for 0.006 once
  `);
});

test("a change of a stop that never left keeps no turn, and is asked for again after seconds", () => {
  const asked = "1.5 s                        -> moves S1 for 0.006 once";
  const unsent = ["blocked", "unsent", "blocked", "blocked"].map((how) => `move ${how}\n3 s -> nothing\n${asked}`);
  story(`
    list BTC LONG 0.004, S1 for 0.004
    push BTC LONG 0.006
    4.25 s                       -> moves S1 for 0.006 once
    ${unsent.join("\n")}
  `);
});

test("a smaller size that waits for its turn does not leave once the position is larger again", () => {
  const w = story(`
    list BTC LONG 0.004, S1 for 0.006
    25 s with list BTC LONG 0.004, S1 for 0.006    -> moves S1 for 0.004 once
  `);
  const leaves = (line: string): boolean => w.agent.mayAmend(story(line, w).last("amend-protection"), w.nowMs);
  expect(leaves("push BTC LONG 0.003")).toBe(true);
  expect(leaves("push BTC LONG 0.006")).toBe(false);
  story("move blocked\npush BTC LONG 0.008\n4.25 s -> moves S1 for 0.008 once", w);
  expect(leaves("push BTC LONG 0.009")).toBe(true);
});
