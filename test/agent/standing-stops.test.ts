/** What stands at the venue counts: over restarts, beside a second stop, against lists that lag, and where no answer comes. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { heldBy } from "../../src/restore/restore-positions.ts";
import { BTC, position, ready, standingStop, START_MS, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore } from "../support/past-facts.ts";
import { idOf, nameOf } from "../support/story/words.ts";
import { trailed } from "../support/trailed.ts";

const KEY = `${BTC}|LONG`;

describe("over a restart", () => {
  const standing = (w: World) => heldBy(w.given.restored?.positionFacts ?? [], w.nowMs).get(KEY)?.repliedAlgoId;

  test("a move that was decided and not yet made is made by the next run", () => {
    const w = story(
      `
      price 60700
      0.25 s                     -> moves S1 once
      restart
      price 60600
      list BTC LONG 0.004, S1
      0.25 s                     -> moves S1 to 60021.1 once
      `,
      trailed(),
    );
    expect(standing(w)).toBe(standingStop().algoOrderId);
  });

  test("a stop that trailed is live, though the mark of a list that lags is below it", () => {
    story(
      `
      price 61500
      0.25 s                     -> moves S1 to 60885 once
      move done
      stop S1 at 60885
      25 s with list BTC LONG 0.004, S1 at 60885
      restart
      list BTC LONG 0.004, S1 at 60885
      10 s                       -> nothing, stop live at 60885
      `,
      trailed({ trailing: { activation: 1, distance: 1 } }),
    );
  });

  test("a stop that was lost and requested again does not count as live", () => {
    const w = story(
      `
      stop S1 CANCELLED
      5 s                        -> protects all
      restart
      `,
      trailed(),
    );
    expect(standing(w)).toBeNull();
  });

  test("a stop whose end was reported protects nothing, though a list of the next run still shows it", () => {
    story(
      `
      stop S1 CANCELLED
      restart
      list BTC LONG 0.004, S1
      1 s                        -> nothing, stop asked
      `,
      trailed(),
    );
  });

  test("a stop whose end is pushed without a time protects nothing, though its records before bear one", () => {
    const w = trailed();
    const ended = standingStop({ algoOrderId: idOf("S1"), clientOrderId: "p-boot-1" });
    w.feed({ kind: "algo", algo: { ...ended, state: "CANCELLED", updatedAtMs: 0 } });
    story(
      `
      0 s                        -> stop none
      5 s                        -> protects all
      `,
      w,
    );
  });

  test.each(["S1 at 58200, S2 at 59500", "S2 at 59500, S1 at 58200"])(
    "of two stops on one position the safer one stays and the other is cancelled, as read: %s",
    (stops) => {
      const before = heldBefore({ openedAtMs: START_MS, stopPrice: dec("58200") });
      story(
        `
        list BTC LONG 0.004, ${stops}    -> cancels S1 once
        0.25 s                   -> nothing, stop live at 59500, stop wanted at 59500
        `,
        ready({ restored: { positionFacts: before } }),
      );
    },
  );

  test("of two stops the one that now covers more stays, though a list shows both as they were before", () => {
    const w = story("stop S1 for 0.006 -> nothing", trailed());
    const second = standingStop({ algoOrderId: idOf("S2"), clientOrderId: "p-boot-2", qty: dec("0.005") });
    w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: [standingStop(), second] });
    expect(w.of("cancel-algo").map(({ algoOrderId }) => nameOf(algoOrderId))).toEqual(["S2"]);
  });

  test.each([
    ["59500", "59500"],
    ["57000", "58200"],
  ])("of a listed stop at 58200 and one at %s that was pushed since, the safer one counts", (at, live) => {
    const w = story(`
      list BTC LONG 0.004, no stops
      0.25 s                     -> protects all once
      2 s
      stop S2 at ${at}           -> stop live at ${at}
    `);
    const listed = standingStop({ algoOrderId: idOf("S1"), clientOrderId: "p-boot-1" });
    w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: [listed], startedAtMs: w.nowMs - 1_000 });
    story(
      `
      0 s                        -> nothing, stop live at ${live}
      list BTC LONG 0.004, S2 at ${at}, S1 at 58200
      0 s                        -> stop live at ${live}
      `,
      w,
    );
  });

  test("pushes of two stops come to the same end, and none is cancelled twice in a row", () => {
    story(
      `
      stop S2 at 59500           -> cancels S1 once
      stop S1                    -> nothing
      stop S2 at 59500           -> nothing
      0 s                        -> stop live at 59500
      stop S1 CANCELLED          -> stop live
      `,
      trailed(),
    );
  });
});

describe("a stop that the venue has", () => {
  test("and does not fire is made good here, after a moment", () => {
    story(
      `
      price 58000
      3 s                        -> nothing
      4 s                        -> closes
      `,
      trailed(),
    );
  });

  test("is safer than the one we know of: it is kept, and never moved back", () => {
    story(
      `
      0.25 s                     -> nothing, stop wanted at 59000
      price 60700
      0.25 s                     -> moves S1 to 60021.1 once
      `,
      trailed({}, "S1 at 59000"),
    );
  });

  test("is larger than what a list shows: it is made smaller once no list that lags may have shown it", () => {
    story(`
      list BTC LONG 0.004
      stop S1 for 0.009
      19 s                       -> nothing
      2 s                        -> moves S1 for 0.004 once
    `);
  });

  test("reported by a list that lags does not undo what a push reported later", () => {
    const w = story(
      `
      price 60700
      0.25 s                     -> moves S1 to 60021.1
      stop S1 at 60021.1
      1 s
      `,
      trailed(),
    );
    w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: [standingStop({ updatedAtMs: 1 })] });
    story("0 s -> stop live at 60021.1", w);
  });
});

test("an unresponsive venue gets few amendments, and one at once when it answers again", () => {
  story(
    `
    list BTC LONG 0.006          -> nothing
    1 s                          -> moves S1 for 0.006 once
    move unknown
    20 s                         -> nothing
    list BTC LONG 0.006          -> nothing
    1 s                          -> moves S1 for 0.006 once
    move unknown
    28 s                         -> moves S1 for 0.006 once
    `,
    trailed(),
  );
});

test("a stop that was asked to cover less counts as that at once, whenever word of it comes", () => {
  story(`
    list BTC LONG 0.006 @ 60000, S1 for 0.006
    15 s
    list BTC LONG 0.004
    21 s                   -> moves S1 for 0.004 once
    move done
    list BTC LONG 0.006 @ 60000
    5 s                    -> moves S1 for 0.006
  `);
});
