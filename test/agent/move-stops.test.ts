/** A stop follows a position in favour: by changes of the standing one, one step after the other, over refusals. */
import { describe, expect, test } from "vitest";
import { ZERO } from "../../src/core/decimal.ts";
import { rejected } from "../../src/protocol/codes.ts";
import { BTC, position, ready, standingStop, START_MS, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { trailed } from "../support/trailed.ts";

const KEY = `${BTC}|LONG`;
const takenMove = () => {
  const { algoOrderId } = standingStop();
  return {
    kind: "protection-amended",
    positionKey: KEY,
    algoOrderId,
    sent: { kind: "done", value: { algoOrderId } },
  } as const;
};
const moves = (w: World) =>
  w.of("record").filter(({ row, body }) => row === "protection" && (body as { moving?: unknown }).moving === true);

describe("a position in favour", () => {
  test("has its standing stop amended in place: to break-even, then behind the price, one step a move", () => {
    const w = story(
      `
      price 60500
      0.25 s                 -> nothing
      price 60700
      0.25 s                 -> moves S1 to 60021.1 once
      move done
      stop S1 at 60021.1     -> stop live at 60021.1
      `,
      trailed(),
    );
    w.tick(51_000);
    story(
      `
      list BTC LONG 0.004, S1
      price 61500
      0.25 s                 -> moves S1 to 60885 once
      `,
      w,
    );
    expect(w.last("amend-protection")).toMatchObject({ positionKey: KEY, change: { triggerType: "MARK_PRICE" } });
    expect(w.of("protect")).toHaveLength(1);
    expect(w.of("cancel-algo")).toHaveLength(0);
    expect(moves(w).map(({ body }) => body["why"])).toEqual(["break-even", "trailing"]);
  });

  test("with stop and target in one order has the field named that bears the stop", () => {
    const w = story("price 60700\n0.25 s -> moves S1 to 60021.1", trailed({}, "S1 at 58200 target 63000"));
    const { change } = w.last("amend-protection");
    expect(change.stopLossPrice?.toFixed()).toBe("60021.1");
    expect(change.triggerPrice).toBeUndefined();
  });

  test("asks for no more amendments than the venue takes, and leaves one for sizes", () => {
    const w = trailed({ breakEven: { after: 0 }, trailing: { activation: 0.5, distance: 0.5 } });
    let answered = 0;
    for (let step = 1; step <= 120; step++) {
      w.price(BTC, 60_400 + step * 40);
      w.tick(400);
      const asked = w.of("amend-protection").at(-1);
      if (w.of("amend-protection").length > answered) w.feed(takenMove());
      answered = w.of("amend-protection").length;
      // The venue applies it at once, so that the next move is possible.
      if (asked?.change.triggerPrice)
        w.feed({ kind: "algo", algo: standingStop({ triggerPrice: asked.change.triggerPrice, updatedAtMs: step }) });
    }
    expect(w.of("amend-protection").length).toBeLessThanOrEqual(2);
    expect(w.of("amend-protection").length).toBeGreaterThan(0);
    story("push BTC LONG 0.006\n4.1 s -> moves S1 for 0.006", w);
  });

  test("uses the slot that is left for what an order promised: a stop nearer than the standing one", () => {
    const w = ready(
      { restored: { amendAskedMs: [START_MS, START_MS] } },
      {
        positions: [position(BTC, "0.001", "60000")],
        openAlgos: [standingStop({ qty: ZERO, condition: "ENTIRE_CLOSE_POSITION" })],
      },
    );
    story(
      `
      wants BTC LONG 0.5 stop 0.01
      until place
      order FILLED               -> orders none
      15 s                       -> moves S1 once
      `,
      w,
    );
    expect(w.last("amend-protection").change.triggerPrice?.gt("59000")).toBe(true);
  });

  test("is moved to what an order promised though no prices stream: the list of positions shows the mark", () => {
    const w = ready(
      {},
      {
        positions: [position(BTC, "0.001", "60000")],
        openAlgos: [standingStop({ qty: ZERO, condition: "ENTIRE_CLOSE_POSITION" })],
      },
    );
    story(
      `
      wants BTC LONG 0.5 stop 0.01
      until place
      16 s without prices
      order FILLED                -> orders none
      1 s without prices          -> nothing
      `,
      w,
    );
    const qty = w.last("place").intent.draft.order.qty.add("0.001").toFixed();
    story(`list BTC LONG ${qty}, S1\n0.25 s without prices -> moves S1 once`, w);
  });

  test.each(["401018", "401058", "401117"])(
    "that the venue reports as %s is replaced at once, and no lagging list brings it back",
    (code) => {
      const w = story("price 60700\n0.25 s -> moves S1", trailed());
      const sent = rejected(code, "Order is already in a terminal state");
      w.feed({ kind: "protection-amended", positionKey: KEY, algoOrderId: "2190000000000999", sent });
      story(
        `
        5 s                  -> nothing
        move refused ${code}
        5 s                  -> protects all at 60021.1 once
        list BTC LONG 0.004, S1 -> stop asked
        `,
        w,
      );
      // Nor in the next run, which knows of the end from the journal.
      const over = w.of("record").filter(({ row, body }) => row === "protection" && "over" in body);
      expect(over.map(({ body }) => body["algoOrderId"])).toEqual([standingStop().algoOrderId]);
    },
  );

  test("a stop keeps its price if the amendment is refused, is watched here, and is amended later", () => {
    story(
      `
      price 60700
      0.25 s                 -> moves S1 once
      move refused 400001    -> nothing, stop live at 58200, stop wanted at 60021.1
      10 s                   -> nothing
      48 s with list BTC LONG 0.004, S1    -> moves S1
      price 60015
      0.25 s                 -> closes BTC, logs order.submitted saying has not been moved there at the venue yet
      `,
      trailed(),
    );
  });

  test("moves nothing on a mark that is old, nor while the price is held back", () => {
    const w = trailed();
    w.price(BTC, 60_700);
    w.quote(0);
    story("6 s without prices -> nothing", w);
  });

  test("has nothing sent that would lie beyond the mark by the time it leaves", () => {
    const w = story("price 60700\n0.25 s -> moves S1", trailed());
    const asked = w.last("amend-protection");
    expect(w.agent.mayAmend(asked, w.nowMs)).toBe(true);
    w.price(BTC, 60_080);
    w.quote(250);
    expect(w.agent.mayAmend(asked, w.nowMs)).toBe(false);
  });
});

test("distances may be in volatility: nothing moves before it is known", () => {
  const w = trailed({ unit: "volatility", breakEven: { after: 1 }, trailing: { activation: 0, distance: 0 } });
  expect(w.context.volatilityHour(BTC, w.nowMs)).toBeNull();
  w.price(BTC, 62_000);
  w.tick();
  expect(moves(w)).toHaveLength(0);
  for (let step = 0; step < 90; step++) {
    w.price(BTC, 62_000 + (step % 2) * 20);
    w.tick(1_000);
  }
  const hour = w.context.volatilityHour(BTC, w.nowMs) ?? 0;
  expect(hour).toBeGreaterThan(0);
  expect(moves(w).length > 0).toBe(62_000 >= 60_000 * (1 + hour));
});
