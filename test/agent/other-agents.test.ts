/** Two agents on one account: the younger one halts at the first order of the other that opens. Fault P4. */
import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { madeAtMs, timedIds } from "../../src/core/ids.ts";
import type { Execution, OrderUpdate } from "../../src/domain/order.ts";
import { BTC, ready, START_MS, type World } from "../support/agent-world.ts";

/** The name of a process that began then. */
const bootAt = (atMs: number): string =>
  timedIds(() => atMs, seededEntropy(`boot:${atMs}`))
    .next("b")
    .slice(2);
const OURS = bootAt(START_MS);
const OLDER = bootAt(START_MS - 3_600_000);
const YOUNGER = bootAt(START_MS + 60_000);

const push = (clientOrderId: string, change: Partial<OrderUpdate> = {}): OrderUpdate => ({
  ...{ orderId: "2190000000000301", clientOrderId, state: "FILLED", symbol: BTC, side: "BUY", positionSide: "LONG" },
  ...{ qty: dec("0.004"), executedQty: dec("0.004"), avgPrice: dec("60000"), limitPrice: dec("60100") },
  ...{ fee: null, reason: "", cancelPending: false, updatedAtMs: null, ...change },
});

const floorOf = (w: World): string => w.agent.status(w.nowMs).floorState;

describe("an order that opens, of another agent", () => {
  test("of one whose process began before: this one halts at once and says how to go on", () => {
    const w = ready({ boot: OURS });
    w.feed({ kind: "order", update: push(`i-${OLDER}-2`) });
    expect(floorOf(w)).toBe("HALT");
    expect(w.logs("floor.changed").join()).toMatch(
      /NORMAL to HALT: another agent, whose process began 2026-.*, opens positions on this account \(i-.*-2, .*\): stop one of the two.*ballast resume/,
    );
  });

  test("of a younger one: this one goes on, and warns once of each process", () => {
    const w = ready({ boot: OURS });
    w.feed({ kind: "order", update: push(`i-${YOUNGER}-2`) });
    w.feed({ kind: "order", update: push(`i-${YOUNGER}-3`, { orderId: "2190000000000302" }) });
    expect(floorOf(w)).toBe("NORMAL");
    expect(w.logs("account.shared")).toHaveLength(1);
  });

  test("of a process whose age no id shows: this one halts", () => {
    const w = ready({ boot: OURS });
    w.feed({ kind: "order", update: push("i-laptop-2") });
    expect(floorOf(w)).toBe("HALT");
  });

  test("seen only by its fill, or in the list of open orders: this one halts all the same", () => {
    const filled = ready({ boot: OURS });
    const execution = {
      ...{ transactionId: "t1", orderId: "2190000000000301", clientOrderId: `i-${OLDER}-2`, symbol: BTC, side: "BUY" },
      ...{ qty: dec("0.004"), price: dec("60000"), fee: dec("0.1"), realizedPnl: dec("0"), liquidity: "TAKER" },
      atMs: filled.nowMs,
    } as Execution;
    filled.feed({ kind: "fill", execution });
    expect(floorOf(filled)).toBe("HALT");
    const listed = ready({ boot: OURS });
    const open = push(`i-${OLDER}-2`, { state: "OPEN", executedQty: dec("0") });
    const order = { ...open, orderType: "LIMIT", timeInForce: "GTC", reduceOnly: false, createdAtMs: listed.nowMs };
    listed.account({ openOrders: [{ ...order, fee: dec("0"), updatedAtMs: listed.nowMs } as never] });
    expect(floorOf(listed)).toBe("HALT");
  });

  test("after a resume its next one halts this agent again", () => {
    const w = ready({ boot: OURS });
    w.feed({ kind: "order", update: push(`i-${OLDER}-2`) });
    w.feed({ kind: "operator", command: "resume" });
    w.account({});
    for (let second = 0; second < 3; second++) w.tick(1_000);
    w.account({});
    w.tick(1_000);
    expect(floorOf(w)).toBe("NORMAL");
    w.feed({ kind: "order", update: push(`i-${OLDER}-3`, { orderId: "2190000000000302" }) });
    expect(floorOf(w)).toBe("HALT");
  });

  test("while this one is halted for another reason: the reason names the other agent, once for each process", () => {
    const w = ready({ boot: OURS });
    w.feed({ kind: "operator", command: "halt" });
    w.feed({ kind: "order", update: push(`i-${OLDER}-2`) });
    const { floorReason } = w.agent.status(w.nowMs);
    expect(floorReason).toContain(`(i-${OLDER}-2, `);
    w.feed({ kind: "order", update: push(`i-${OLDER}-3`, { orderId: "2190000000000302" }) });
    expect(w.agent.status(w.nowMs)).toMatchObject({ floorState: "HALT", floorReason });
  });

  test("while the account is being flattened: that goes on", () => {
    const w = ready({ boot: OURS });
    w.feed({ kind: "operator", command: "flatten" });
    w.feed({ kind: "order", update: push(`i-${OLDER}-2`) });
    expect(floorOf(w)).toBe("FLATTEN");
    expect(w.logs("account.shared")).toHaveLength(1);
  });
});

describe("no other agent is seen", () => {
  test.each([
    ["in an order of an earlier run of this journal", `i-${OLDER}-9`, {}],
    ["in an order by hand", "by-hand", {}],
    ["in an order of svc", "svc-0mwwwumja0009cw", {}],
    ["in an order that reduces", "i-older-2", { side: "SELL", positionSide: "LONG" }],
  ] as const)("%s", (_what, clientOrderId, change) => {
    const w = ready({ boot: OURS, restored: { ourClientIds: new Set([`i-${OLDER}-1`]) } });
    w.feed({ kind: "order", update: push(clientOrderId, change) });
    expect([floorOf(w), w.logs("account.shared")]).toEqual(["NORMAL", []]);
  });
});

test("an id says when it was made, and a text of another form does not", () => {
  expect(madeAtMs(OURS)).toBe(START_MS);
  expect([madeAtMs("boot"), madeAtMs(`${OURS}x`), madeAtMs("")]).toEqual([null, null, null]);
});
