/** The forms in which a stop is asked for: for all that is held, for a quantity, with a target or without; simpler when refused. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { BTC, ETH, ready, rulesOf, settingsOf, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { heldBefore } from "../support/past-facts.ts";

/** A position of the agent's own decision, with or without a target. */
const holding = (targetDistance: string | null): World =>
  story(`
    wants BTC LONG 0.5${targetDistance === null ? "" : ` target ${targetDistance}`}
    1 s
    place done 301
    order FILLED by 301
    list BTC LONG 0.004, no stops
    0.25 s
  `);

const forms = (w: World): readonly string[] =>
  w
    .of("protect")
    .map(({ order: { condition, qty, takeProfitPrice } }) =>
      [condition, qty.isZero() ? "all" : "sized", ...(takeProfitPrice ? ["target"] : [])].join(" "),
    );

describe("a stop that the venue refuses is asked for in a simpler form", () => {
  test("with a target: for all, then sized with the target, then the stop alone, which stays", () => {
    const w = holding("0.03");
    story(
      `
      protect refused 50001
      0.25 s
      protect refused 50001
      0.25 s
      protect refused 50001
      4 s
      `,
      w,
    );
    expect(forms(w)).toEqual([
      "ENTIRE_CLOSE_POSITION all target",
      "OCO sized target",
      "CONDITIONAL sized",
      "CONDITIONAL sized",
    ]);
  });

  test("without a target no simpler form than the sized one is left: it is repeated after its wait", () => {
    const w = holding(null);
    story(
      `
      protect refused 50001
      0.25 s
      protect refused 50001
      0.25 s
      `,
      w,
    );
    expect(forms(w)).toEqual(["ENTIRE_CLOSE_POSITION all", "CONDITIONAL sized"]);
    story("4 s", w);
    expect(forms(w).slice(2)).toEqual(["CONDITIONAL sized"]);
  });

  test.each(["401097", "11108", "7000", "2000", "http-404"])(
    "a refusal because nothing is left to close, or of the key or the clock, says nothing against it: %s",
    (code) => {
      const w = holding("0.03");
      const refused = `protect refused ${code}\n0.25 s\n`;
      story(refused.repeat(3), w);
      expect(forms(w)).toHaveLength(1);
      story("4 s", w);
      expect(forms(w)).toEqual(["ENTIRE_CLOSE_POSITION all target", "ENTIRE_CLOSE_POSITION all target"]);
    },
  );
});

describe("a stop that a list shows in place", () => {
  const protectedRows = (w: World): number =>
    w.of("record").filter(({ row, body }) => row === "protection" && body["standing"] === true).length;

  test("is reported once, with the time without it, and lists that show it again report nothing", () => {
    const w = story(`
      list BTC LONG 0.004, no stops
      0.25 s                       -> protects all
      protect unknown
      2 s
      list BTC LONG 0.004, S1      -> stop live
    `);
    expect(protectedRows(w)).toBe(1);
    story(
      `
      3 s
      list BTC LONG 0.004, S1      -> stop live
      `,
      w,
    );
    expect(protectedRows(w)).toBe(1);
    expect(w.logs("position.protected")).toHaveLength(1);
    const { unprotected } = w.agent.status(w.nowMs);
    expect(unprotected).toMatchObject({ spans: 1, overdue: 0, nowMs: null });
    expect(unprotected.longestMs).toBeGreaterThan(2_000);
  });
});

test("spans without a stop that exceed the deadline are counted", () => {
  const spans = [100, 9_000, 14_000, 20_000];
  const { unprotected } = ready({ restored: { unprotectedMs: spans } }).agent.status(0);
  expect(unprotected.overdue).toBe(spans.filter((ms) => ms > unprotected.deadlineMs).length);
  expect(unprotected.overdue).toBeGreaterThan(0);
});

describe("the form of a stop", () => {
  test("has a quantity and a side in one-way mode, where a position may turn", () => {
    const w = story(`
      list BTC LONG 0.004, one-way
      0.25 s                   -> protects 0.004
    `);
    expect(w.last("protect").order).toMatchObject({ condition: "CONDITIONAL", side: "SELL", positionSide: "NONE" });
  });

  test("a form that the venue accepts after refusing another is requested first from then on", () => {
    const w = story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all
      protect refused 400001
      0.25 s                   -> protects 0.004
      protect done S1
      list BTC LONG 0.004 @ 60000, ETH LONG 0.1 @ 3000
      0.25 s                   -> protects 0.1
    `);
    expect(w.last("protect").order).toMatchObject({ symbol: ETH, condition: "CONDITIONAL" });
  });

  test("covers all that an entry in slices may still fill; what is held, where the venue refuses that", () => {
    const { execution } = settingsOf();
    const slices = { depthShare: 0.0004, band: 0.002, minUsdt: dec("50"), pause: 6_000 };
    story(
      `
      wants BTC LONG 1
      1 s                      -> places BTC BUY 0.001 once
      order FILLED             -> entries 0.006
      0.25 s                   -> protects all
      protect refused 400001
      0.25 s                   -> protects 0.006
      protect refused 400001
      0.25 s                   -> protects 0.001
      `,
      ready({ settings: settingsOf({ execution: { ...execution, slices } }) }),
    );
  });

  test("covers what is held too where the venue refuses to make it larger than that", () => {
    const { execution } = settingsOf();
    const slices = { depthShare: 0.0004, band: 0.002, minUsdt: dec("50"), pause: 6_000 };
    story(
      `
      list BTC LONG 0.001, S1 for 0.001
      wants BTC LONG 1
      1 s                      -> places BTC BUY 0.001 once
      order FILLED
      0.25 s                   -> moves S1 for 0.006
      move refused 400001
      0.25 s                   -> moves S1 for 0.002
      move refused 400001
      0.25 s                   -> nothing
      `,
      ready({ settings: settingsOf({ execution: { ...execution, slices } }) }),
    );
  });

  test("stays as it was where the venue says that there is nothing to close", () => {
    story(`
      list BTC LONG 0.004
      0.25 s                   -> protects all
      protect refused 401097
      4.1 s                    -> protects all
    `);
  });
});

test("once the venue has changed the tick, a stop that is placed and its target are on the new one", () => {
  const prices = { stopPrice: dec("59407.3"), targetPrice: dec("61807.4") };
  const w = story(
    `
    list BTC LONG 0.004, no stops
    0.25 s                     -> protects all at 59407.3 target 61807.4
    stop S1 at 59407.3 target 61807.4
    `,
    ready({ restored: { positionFacts: heldBefore(prices) } }),
  );
  w.feed({ kind: "rules", rules: [{ ...rulesOf(BTC), tickSize: dec("10") }] });
  story(
    `
    15 s                                              -> nothing
    stop S1 CANCELLED
    0.25 s                                            -> protects all at 59410 target 61800
    stop S2 at 59410 target 61800
    30 s with list BTC LONG 0.004, S2 at 59410        -> nothing
    `,
    w,
  );
});
