/** `ballast flatten`: everything is closed and withdrawn, and the ladder rests at HALT until the operator resumes. */
import { describe, expect, test } from "vitest";
import type { World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** A long position of 0.004 BTC with its stop, which the operator wants closed. */
const FLATTENED = `
  list BTC LONG 0.004
  stop S1
  1 s                          -> nothing
  flatten                      -> floor FLATTEN
  1 s                          -> closes once
`;

const rowsOf = (w: World, kind: string) => w.of("record").flatMap(({ row, body }) => (row === kind ? [body] : []));

describe("the operator says flatten", () => {
  test("what is held is closed at the market for that reason, once, and the row says who said so", () => {
    const w = story(`${FLATTENED}
      1 s                      -> nothing
    `);
    expect(rowsOf(w, "operator")).toEqual([{ command: "flatten", from: "NORMAL", to: "FLATTEN", withdraws: "all" }]);
    expect(rowsOf(w, "order")).toMatchObject([{ why: "the operator said flatten" }]);
    expect(w.agent.status(w.nowMs).floorReason).toBe("the operator said flatten");
  });

  test("once nothing is held the agent is halted, and stays so however good its equity is", () => {
    const w = story(`${FLATTENED}
      push BTC LONG flat
      1 s                      -> floor HALT
    `);
    expect(w.agent.status(w.nowMs).floorReason).toBe(
      "flattened by the operator; `ballast resume` after you have looked",
    );
    story(
      `
      list nothing, no stops
      60 s                     -> floor HALT
      resume
      2 s
      list nothing, no stops
      1 s                      -> floor NORMAL
      `,
      w,
    );
  });

  test("a halted agent is flattened as well", () => {
    story(`
      list BTC LONG 0.004
      stop S1
      halt
      1 s                      -> nothing, floor HALT
      flatten
      1 s                      -> closes once
    `);
  });

  test("a halt for another reason does not stop it: what the venue would not close is closed later", () => {
    story(`${FLATTENED}
      close refused 401020
      halt the disk is full    -> floor FLATTEN
      8 s with list BTC LONG 0.004, S1 -> closes
      push BTC LONG flat
      1 s                      -> floor HALT
    `);
  });
});
