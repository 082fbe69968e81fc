/** Near the floor everything is closed, by a loss that two sources show; then a halt stands. */
import { describe, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { ready, settingsOf } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** A long position of 0.004 BTC with its stop at 58200. */
const GUARDED = `
  list BTC LONG 0.004
  0.25 s                       -> protects all
  stop S1
`;

describe("the floor", () => {
  test("a true fall seen by two sources flattens and halts; a single bad reading liquidates nothing", () => {
    story(`${GUARDED}
      wallet 1000
      list BTC LONG 0.004, equity 0
      1 s                      -> nothing, floor NORMAL
      wallet 810
      list BTC LONG 0.004, equity 810
      1 s                      -> closes, floor FLATTEN
      push BTC LONG flat
      1 s                      -> floor HALT
    `);
  });

  test.each([
    ["all", "0.01", "-100", "899.9"],
    ["a part", "0.008", "-80", "889.9"],
  ])(
    "the loss of a close of %s is counted once where no push reports the position. Fault U4",
    (_, qty, lost, after) => {
      story(`
      list BTC LONG 0.01
      stop S1 for 0.01
      price 50000
      1 s
      fill SELL ${qty} @ 50000 by 900 earning ${lost} now
      1 s                      -> floor NORMAL, equity 899.9
      price 45000
      1 s                      -> equity ${after}
    `);
    },
  );

  test.each(["before it", "while it is being closed"])(
    "a halt %s keeps nothing from being closed near the floor",
    (when) => {
      const plain = settingsOf();
      const risk = { ...plain.risk, warnUsdt: dec("930"), holdUsdt: dec("920"), flattenUsdt: dec("900") };
      const [before, after] = when === "before it" ? ["halt", ""] : ["", "halt"];
      story(
        `
        list BTC LONG 0.004, S1
        1 s
        ${before}
        wallet 890
        list BTC LONG 0.004, S1, equity 890
        1 s                    -> closes once
        ${after}
        close unsent
        3 s                    -> closes once, floor HALT
        `,
        ready({ settings: { ...plain, risk } }),
      );
    },
  );

  test("nothing counts as closed near the floor that a later list may bring back. Fault R9", () => {
    story(`
      list BTC LONG 0.004
      0.25 s
      wallet 815
      list BTC LONG 0.004, S1, equity 815
      1 s                      -> closes once
      close unknown
      6 s
      list nothing, no stops, equity 815
      1 s                      -> holds nothing
      wallet 825
      list BTC LONG 0.004, S1, equity 825
      1 s                      -> closes, holds BTC LONG 0.004, floor FLATTEN
    `);
  });

  test("a close below holdUsdt moves no rung, though nothing can be valued until the account is read", () => {
    story(
      `
      wallet 840
      list BTC LONG 0.001, equity 840
      1 s                      -> floor HOLD
      3 s with list BTC LONG 0.001, S1 for 0.001, equity 840
      0 s                      -> floor WARN
      push BTC LONG flat
      10 s                     -> floor WARN
      0 s                      -> logs floor.changed never
      `,
    );
  });
});
