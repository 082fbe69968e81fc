/** The venue took a request of ours twice: noticed from any evidence, halted, protected as a whole, and reduced again. */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Order } from "../../src/domain/order.ts";
import { BTC, holding, position, ready, scripted, target, update, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const FIRST = "2190000000000001";
const SECOND = "2190000000000002";
const one = () => ({
  chosen: scripted("scripted", () => ({ kind: "targets" as const, targets: [target()], note: "" })),
  fallback: holding(),
});

interface Placed {
  readonly w: World;
  readonly effect: ReturnType<typeof placeOf>;
  readonly qty: string;
}

const placeOf = (w: World) => w.last("place");

/** The first order is known; the second one is not yet. */
function placed(): Placed {
  const w = ready({ strategies: one() });
  w.tick(1_000);
  const effect = placeOf(w);
  w.feed({
    kind: "placed",
    clientOrderId: effect.intent.clientOrderId,
    sent: { kind: "done", value: { orderId: FIRST } },
  });
  w.tick(250);
  return { w, effect, qty: effect.intent.draft.order.qty.toFixed() };
}

const record = ({ w, effect }: Placed, change: Partial<Order> = {}): Order => ({
  ...effect.intent.draft.order,
  ...{ timeInForce: "IOC", orderId: SECOND, state: "OPEN", executedQty: ZERO, avgPrice: ZERO, fee: ZERO, reason: "" },
  ...{ cancelPending: false, createdAtMs: w.nowMs, updatedAtMs: w.nowMs },
  ...change,
});

const execution = ({ w, effect, qty }: Placed, orderId: string) => ({
  transactionId: `t-${orderId}`,
  ...{ orderId, clientOrderId: effect.intent.clientOrderId, symbol: BTC, side: "BUY" as const, qty: dec(qty) },
  ...{ price: dec("60000"), fee: dec("0.01"), realizedPnl: ZERO, liquidity: "TAKER" as const, atMs: w.nowMs },
});

const EVIDENCE: Readonly<Record<string, (of: Placed) => void>> = {
  "a push": ({ w, effect }) => void w.feed({ kind: "order", update: update(effect, { orderId: SECOND }) }),
  "a list": (of) => void of.w.account({ openOrders: [record(of)] }),
  "the push of an execution": (of) => void of.w.feed({ kind: "fill", execution: execution(of, SECOND) }),
  "the list of executions": (of) =>
    void of.w.feed({
      kind: "fills-read",
      startedAtMs: of.w.nowMs,
      fills: [execution(of, FIRST), execution(of, SECOND)],
    }),
  "the answer to a look-up": (of) =>
    void of.w.feed({
      kind: "looked-up",
      clientOrderId: of.effect.intent.clientOrderId,
      found: { kind: "done", value: record(of) },
    }),
};

describe("a second order of one id", () => {
  test.each(Object.keys(EVIDENCE))("halts openings at once, in one line, by %s", (by) => {
    const of = placed();
    EVIDENCE[by]?.(of);
    const { w } = of;
    const status = w.agent.status(w.nowMs);
    expect(status.floorState).toBe("HALT");
    const said = w.logs("floor.changed").filter((line) => line.includes("twice"));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(FIRST);
    expect(said[0]).toContain(SECOND);
    EVIDENCE[by]?.(of);
    expect(w.logs("floor.changed")).toHaveLength(1);
    expect(w.of("place")).toHaveLength(1);
  });

  test("is no matter where a fill has proved the first: a refusal of its other delivery ends nothing", () => {
    story(`
      wants BTC LONG 0.5
      1 s                      -> places BTC once
      fill BUY 0.003 by 001 as order now
      place unsent             -> writes intent end never
      0.25 s                   -> asks order, protects all
      order FILLED by 001      -> writes intent end FILLED once
    `);
  });

  test("is the one whose reply names another order than the push before it", () => {
    story(
      `
      1 s
      order OPEN by 001
      place done 001           -> floor NORMAL
      place done 002           -> floor HALT
      `,
      ready({ strategies: one() }),
    );
  });

  test("a resting one is cancelled and looked up by the venue's id", () => {
    const w = story(
      `
      order OPEN by 002        -> floor HALT, cancels order
      0.25 s
      `,
      placed().w,
    );
    expect(new Set(w.of("cancel").map(({ orderId }) => orderId))).toEqual(new Set([FIRST, SECOND]));
    w.feed({ kind: "cancel-sent", clientOrderId: SECOND, sent: { kind: "done", value: undefined } });
    story("1.5 s               -> asks order", w);
    expect(w.of("look-up").some(({ orderId }) => orderId === SECOND)).toBe(true);
    story(
      `
      order CANCELLED by 002
      order CANCELLED by 001
      0.25 s
      `,
      w,
    );
    expect(w.agent.status(w.nowMs).orders.filter(({ state }) => state !== "CANCELLED")).toEqual([]);
  });

  test("that fills has the whole position protected, and what it opened reduced, once", () => {
    const { w, qty } = placed();
    const whole = dec(qty).mul(2).toFixed();
    story(
      `
      order FILLED by 001
      list BTC LONG ${qty}, no stops
      0.25 s
      stop S1 for ${qty}
      1 s
      move done
      fill BUY ${qty} by 002 as ${w.last("place").intent.clientOrderId} now
      order FILLED by 002
      0.25 s
      list BTC LONG ${whole}, S1 for ${qty}
      5 s
      `,
      w,
    );
    expect(w.of("amend-protection").map(({ change }) => change.qty?.toFixed())).toContain(whole);
    const reducing = w.of("place").filter(({ intent }) => !intent.opening);
    expect(reducing.map(({ intent }) => intent.draft.order.qty.toFixed())).toEqual([qty]);
    expect(reducing[0]?.intent.draft.order).toMatchObject({ side: "SELL", symbol: BTC });
    story(
      `
      order FILLED by 003
      list BTC LONG ${qty}, S1 for ${whole}
      20 s
      `,
      w,
    );
    expect(w.of("place").filter(({ intent }) => !intent.opening)).toHaveLength(1);
    expect(w.of("close")).toEqual([]);
  });

  const reductionsIn = (w: World) =>
    w.of("place").flatMap(({ intent }) => (intent.opening ? [] : [intent.draft.order.qty.toFixed()]));
  const BOTH_FILLED = `
    wants BTC LONG 0.5
    1 s                              -> places BTC BUY 0.003
    place done 001
    fill BUY 0.003 by 001 as order now
    order FILLED by 001
    wants nothing
    fill BUY 0.003 by 002 as order now
    order FILLED by 002
  `;

  test("that filled before a restart has what it opened reduced after it", () => {
    const w = story(`
      ${BOTH_FILLED}
      restart                          -> floor HALT
      list BTC LONG 0.006, S1 for 0.006
      8 s
    `);
    expect(reductionsIn(w)).toEqual(["0.003"]);
  });

  test("that was reduced before a restart is not reduced again after it", () => {
    const before = story(`
      ${BOTH_FILLED}
      list BTC LONG 0.006, S1 for 0.006
      8 s
      fill SELL 0.003 by 003 as order now
      order FILLED by 003
      list BTC LONG 0.003, S1 for 0.006
    `);
    expect(reductionsIn(before)).toEqual(["0.003"]);
    const after = story(
      `
      restart                          -> floor HALT
      list BTC LONG 0.003, S1 for 0.006
      20 s
      `,
      before,
    );
    expect(reductionsIn(after)).toEqual([]);
    expect(after.of("close")).toEqual([]);
  });

  test("that is reported before any list shows its position has what it opened reduced, and no more", () => {
    const { w, qty } = placed();
    story(
      `
      order FILLED by 001
      list BTC LONG ${qty}, S1 for ${qty}
      1 s
      order FILLED by 002
      2 s
      `,
      w,
    );
    expect(w.of("close")).toEqual([]);
    const reducing = w.of("place").filter(({ intent }) => !intent.opening);
    expect(reducing.map(({ intent }) => intent.draft.order.qty.toFixed())).toEqual([qty]);
  });

  test.each(["a push", "a list", "the push of an execution", "the list of executions"])(
    "is known by %s also when the first one ended in an earlier run",
    (by) => {
      const before = placed();
      const { intent } = before.effect;
      const ended = {
        ...{ ...intent, orderId: FIRST, state: "FILLED" as const, ending: "FILLED", unsent: false, unshown: null },
        executedQty: dec(before.qty),
      };
      const ourClientIds = new Set([intent.clientOrderId]);
      const w = ready({ restored: { endedIntents: [ended], ourClientIds } });
      const of = { ...before, w };
      w.feed({
        kind: "order",
        update: update(of.effect, { orderId: FIRST, state: "FILLED", executedQty: dec(of.qty) }),
      });
      expect(w.agent.status(w.nowMs).floorState).toBe("NORMAL");
      EVIDENCE[by]?.(of);
      expect(w.agent.status(w.nowMs).floorState).toBe("HALT");
      expect(w.logs("floor.changed").filter((line) => line.includes("twice"))).toHaveLength(1);
    },
  );

  test.each(Object.keys(EVIDENCE))("is known by %s also when an earlier run had the reply for the first one", (by) => {
    const before = placed();
    const w = ready({ restored: { openIntents: [{ ...before.effect.intent, orderId: FIRST }] } });
    EVIDENCE[by]?.({ ...before, w });
    expect(w.agent.status(w.nowMs).floorState).toBe("HALT");
    expect(w.logs("floor.changed").filter((line) => line.includes("twice"))).toHaveLength(1);
  });

  test("a late fill of the first one of an earlier run, which the end of its order counted, adds nothing", () => {
    const before = placed();
    const { intent } = before.effect;
    const ended = {
      ...{ ...intent, orderId: FIRST, state: "FILLED" as const, ending: "FILLED", unsent: false, unshown: null },
      executedQty: dec(before.qty),
    };
    const w = ready({ restored: { endedIntents: [ended], ourClientIds: new Set([intent.clientOrderId]) } });
    w.account({ positions: [position(BTC, before.qty, "60000")] });
    w.feed({ kind: "fill", execution: execution({ ...before, w }, FIRST) });
    expect(w.agent.status(w.nowMs).floorState).toBe("NORMAL");
    expect(w.agent.status(w.nowMs).positions.map(({ qty }) => String(qty))).toEqual([before.qty]);
  });
});
