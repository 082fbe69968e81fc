import { describe, expect, test } from "vitest";
import type { RestoredPosition } from "../../src/agent/positions/positions.ts";
import type { ProtectionSettings } from "../../src/agent/contract/settings.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import { restore } from "../../src/restore/restore.ts";
import { rejected } from "../../src/protocol/codes.ts";
import {
  BTC,
  holding,
  position,
  ready,
  scripted,
  settingsOf,
  standingStop,
  START_MS,
  target,
  type World,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { readerOf } from "../support/reader-of.ts";

const KEY = `${BTC}|LONG`;
const TRAIL: ProtectionSettings = {
  unit: "percent",
  breakEven: { after: 1 },
  trailing: { activation: 2, distance: 1 },
  minStep: 0.001,
};

function held(protection: Partial<ProtectionSettings> = {}, algo: Partial<AlgoOrder> = {}): World {
  const w = ready({ settings: settingsOf({ protection: { ...TRAIL, ...protection } }) });
  w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: null });
  w.tick();
  w.feed({ kind: "algo", algo: standingStop(algo) });
  return w;
}

const takenMove = () => {
  const { algoOrderId } = standingStop();
  return { kind: "protection-amended", leg: KEY, algoOrderId, sent: { kind: "done", value: { algoOrderId } } } as const;
};
const moves = (w: World) =>
  w.of("record").filter(({ row, body }) => row === "protection" && (body as { moving?: unknown }).moving === true);
const stopNow = (w: World) => w.agent.status(w.nowMs).positions[0]?.stopPrice;
const wanted = (w: World) => w.agent.status(w.nowMs).positions[0]?.wantedStopPrice;
const positions = [position(BTC, "0.004", "60000")];

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
      held(),
    );
    w.tick(51_000);
    story(
      `
      list BTC LONG 0.004, S1 at 60021.1
      price 61500
      0.25 s                 -> moves S1 to 60885 once
      `,
      w,
    );
    expect(w.last("amend-protection").leg).toBe(KEY);
    expect(w.of("protect")).toHaveLength(1);
    expect(w.of("cancel-algo")).toHaveLength(0);
    expect(moves(w).map(({ body }) => body["why"])).toEqual(["break-even", "trailing"]);
  });

  test("with stop and target in one order has the field named that bears the stop", () => {
    const w = held(
      {},
      { condition: "OCO", triggerPrice: null, stopLossPrice: dec("58200"), takeProfitPrice: dec("63000") },
    );
    w.price(BTC, 60_700);
    w.tick();
    const { change } = w.last("amend-protection");
    expect(change.stopLossPrice?.toFixed()).toBe("60021.1");
    expect(change.triggerPrice).toBeUndefined();
  });

  test("asks for no more amendments than the venue takes, and leaves one for sizes", () => {
    const w = held({ breakEven: { after: 0 }, trailing: { activation: 0.5, distance: 0.5 } });
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
    w.feed({
      kind: "position",
      update: { symbol: BTC, positionSide: "LONG", qty: dec("0.006"), avgPrice: dec("60000"), leverage: 2 },
    });
    w.tick(4_100);
    expect(w.last("amend-protection").change.qty?.toFixed()).toBe("0.006");
  });

  test("uses the slot that is left for what an order promised: a stop nearer than the standing one", () => {
    const chosen = scripted("grow", () => ({ kind: "targets", targets: [target({ stopDistance: 0.01 })], note: "" }));
    const w = ready(
      { restored: { amendAskedMs: [START_MS, START_MS] }, strategies: { chosen, fallback: holding() } },
      { positions: [position(BTC, "0.001", "60000")], openAlgos: [standingStop({ qty: ZERO })] },
    );
    story(
      `
      until place
      order FILLED               -> orders none
      15 s                       -> moves S1 once
      `,
      w,
    );
    expect(w.last("amend-protection").change.triggerPrice?.gt("59000")).toBe(true);
  });

  test.each(["401018", "401058", "401117"])(
    "that the venue reports as %s is replaced at once, and no lagging list brings it back",
    (code) => {
      const w = story(
        `
        price 60700
        0.25 s               -> moves S1
        `,
        held(),
      );
      const sent = rejected(code, "Order is already in a terminal state");
      w.feed({ kind: "protection-amended", leg: KEY, algoOrderId: "2190000000000999", sent });
      story(
        `
        5 s                  -> nothing
        move refused ${code}
        5 s                  -> protects all at 60021.1 once
        list BTC LONG 0.004, S1
        `,
        w,
      );
      expect(w.agent.status(w.nowMs).positions[0]?.protection).not.toBe("live");
    },
  );

  test("a stop keeps its price if the amendment is refused, is watched here, and is amended later", () => {
    const w = held();
    w.price(BTC, 60_700);
    w.tick();
    w.feed({
      kind: "protection-amended",
      leg: KEY,
      algoOrderId: standingStop().algoOrderId,
      sent: rejected("400001", "not this price"),
    });
    expect(stopNow(w)).toBe("58200");
    expect(wanted(w)).toBe("60021.1");
    w.tick(10_000);
    expect(w.of("amend-protection")).toHaveLength(1);
    expect(w.of("close")).toHaveLength(0);
    for (let i = 0; i < 12; i++) {
      w.tick(4_000);
      w.account({ positions, openAlgos: [standingStop()] });
    }
    expect(w.of("amend-protection").length).toBeGreaterThan(1);
    w.price(BTC, 60_015);
    w.tick();
    expect(w.last("close").known.symbol).toBe(BTC);
    expect(w.logs("order.submitted").at(-1)).toContain("has not been moved there at the venue yet");
  });

  test("moves nothing on a mark that is old, nor while the price is held back", () => {
    const w = held();
    w.price(BTC, 60_700);
    w.quote(0);
    w.nowMs += 6_000;
    w.feed({ kind: "tick" });
    expect(w.of("amend-protection")).toHaveLength(0);
  });

  test("has nothing sent that would lie beyond the mark by the time it leaves", () => {
    const w = held();
    w.price(BTC, 60_700);
    w.tick();
    const asked = w.last("amend-protection");
    expect(w.agent.mayAmend(asked, w.nowMs)).toBe(true);
    w.price(BTC, 60_080);
    w.quote(250);
    expect(w.agent.mayAmend(asked, w.nowMs)).toBe(false);
  });
});

test("distances may be in volatility: nothing moves before it is known", () => {
  const w = held({ unit: "volatility", breakEven: { after: 1 }, trailing: { activation: 0, distance: 0 } });
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

describe("over a restart", () => {
  test("a move that was decided and not yet made is made by the next run", () => {
    const w = held();
    w.price(BTC, 60_700);
    w.tick();
    const restored = restore(readerOf(w), w.nowMs);
    expect(restored.positions.get(KEY)?.stopPrice?.toFixed()).toBe("60021.1");
    expect(restored.positions.get(KEY)?.standingAlgoId).toBe(standingStop().algoOrderId);
    const next = ready({ settings: settingsOf({ protection: TRAIL }), restored: { positions: restored.positions } });
    next.price(BTC, 60_600);
    next.account({ positions, openAlgos: [standingStop()] });
    next.tick();
    expect(next.last("amend-protection").change.triggerPrice?.toFixed()).toBe("60021.1");
    expect(next.of("protect")).toHaveLength(0);
  });

  test("a stop that was lost and requested again does not count as live", () => {
    const w = held();
    w.feed({ kind: "algo", algo: standingStop({ state: "CANCELLED" }) });
    w.tick(5_000);
    expect(w.last("protect").leg).toBe(KEY);
    expect(restore(readerOf(w), w.nowMs).positions.get(KEY)?.standingAlgoId).toBeNull();
  });

  test("two stops on one position: the safer one stays, the other is cancelled, whichever is read first", () => {
    const restoredPosition: RestoredPosition = {
      decisionId: null,
      strategy: null,
      thesis: null,
      stopPrice: dec("58200"),
      targetPrice: null,
      openedAtMs: START_MS,
      qty: dec("0.004"),
      avgPrice: dec("60000"),
      reportedMs: 0,
      standingAlgoId: null,
    };
    const old = standingStop();
    const moved = standingStop({
      algoOrderId: "2190000000000102",
      clientOrderId: "p-boot-2",
      triggerPrice: dec("59500"),
    });
    for (const openAlgos of [
      [old, moved],
      [moved, old],
    ]) {
      const w = ready({ restored: { positions: new Map([[KEY, restoredPosition]]) } });
      w.account({ positions, openAlgos });
      w.tick();
      expect(stopNow(w)).toBe("59500");
      expect(wanted(w)).toBe("59500");
      expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).toEqual(["2190000000000101"]);
    }
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
      held(),
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
      held(),
    );
  });

  test("is safer than the one we know of: it is kept, and never moved back", () => {
    const w = held({}, { triggerPrice: dec("59000") });
    w.tick();
    expect(wanted(w)).toBe("59000");
    w.price(BTC, 60_700);
    w.tick();
    for (const { change } of w.of("amend-protection")) expect(change.triggerPrice?.gt("59000")).toBe(true);
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
    const w = held();
    w.price(BTC, 60_700);
    w.tick();
    w.feed({ kind: "algo", algo: standingStop({ triggerPrice: dec("60021.1"), updatedAtMs: 10 }) });
    w.tick(1_000);
    w.account({ positions, openAlgos: [standingStop({ updatedAtMs: 1 })] });
    expect(stopNow(w)).toBe("60021.1");
  });
});

describe("time without a stop", () => {
  test("is measured for each position and in all, and what lasts is shown against the deadline", () => {
    const w = ready();
    w.account({ positions, openAlgos: null });
    w.tick(3_000);
    const bare = w.agent.status(w.nowMs);
    expect(bare.positions[0]).toMatchObject({
      protection: "asked",
      unprotectedForMs: 3_000,
      unprotectedTotalMs: 3_000,
    });
    expect(bare.unprotected).toMatchObject({ deadlineMs: 10_000, spans: 0, nowMs: 3_000 });
    w.feed({ kind: "algo", algo: standingStop() });
    w.feed({ kind: "algo", algo: standingStop({ state: "CANCELLED", updatedAtMs: 1 }) });
    w.tick(1_000);
    w.feed({ kind: "algo", algo: standingStop({ algoOrderId: "2190000000000102", updatedAtMs: 2 }) });
    const status = w.agent.status(w.nowMs);
    expect(status.positions[0]).toMatchObject({ unprotectedForMs: null, unprotectedTotalMs: 4_000 });
    expect(status.unprotected).toMatchObject({ spans: 2, longestMs: 3_000, overdue: 0, nowMs: null });
  });

  test("is written down as supervised while the price is fresh, and the position closed before the deadline", () => {
    const w = ready();
    w.account({ positions, openAlgos: null });
    for (let i = 0; i < 40; i++) {
      const asked = w.of("protect").at(-1);
      const sent = rejected("50001", "not now");
      if (asked) w.feed({ kind: "protect-sent", leg: asked.leg, sent });
      w.tick();
    }
    const rows = w
      .of("record")
      .flatMap(({ row, body }) => (row === "protection" && "supervised" in body ? [body] : []));
    expect(rows.length).toBeGreaterThan(1);
    expect(rows[0]).toMatchObject({ leg: KEY, supervised: true, stopPrice: "58200", markPrice: "60000" });
    expect(w.of("close").length).toBe(1);
    expect(w.of("close")[0]?.known.qty.toFixed()).toBe("0.004");
    w.feed({
      kind: "position",
      update: { symbol: BTC, positionSide: "LONG", qty: ZERO, avgPrice: ZERO, leverage: null },
    });
    expect(w.agent.status(w.nowMs).unprotected).toMatchObject({ spans: 1, overdue: 0 });
  });

  test("is journalled as supervised too while it is smaller than the position", () => {
    const supervised = (qty: string) => {
      const w = ready();
      w.account({ positions, openAlgos: null });
      w.feed({ kind: "algo", algo: standingStop({ qty: dec(qty) }) });
      for (let i = 0; i < 12; i++) w.tick(1_000);
      return w
        .of("record")
        .flatMap(({ row, body }) => (row === "protection" && "supervised" in body ? [body["unprotectedForMs"]] : []));
    };
    expect(supervised("0.002")).toEqual([0, 3_000, 6_000, 9_000]);
    expect(supervised("0.004")).toEqual([]);
    expect(supervised("0")).toEqual([]);
  });

  test("a stop of unknown state is requested again once a later list does not show it", () => {
    const w = ready();
    w.account({ positions, openAlgos: null });
    w.tick();
    w.feed({ kind: "protect-sent", leg: KEY, sent: { kind: "unknown", message: "cut" } });
    w.tick(2_600);
    w.account({ positions, openAlgos: [] });
    w.tick(1_600);
    expect(w.of("protect")).toHaveLength(2);
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
    held(),
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
