/** Two agents on one account: the younger one halts at the first order of the other that opens. Fault P4. */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { madeAtMs, timedIds } from "../../src/core/ids.ts";
import type { Order } from "../../src/domain/order.ts";
import { BTC, ready, START_MS, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

/** The name of a process that began then. */
const bootAt = (atMs: number): string =>
  timedIds(() => atMs, seededEntropy(`boot:${atMs}`))
    .next("b")
    .slice(2);
const OURS = bootAt(START_MS);
const OLDER = bootAt(START_MS - 3_600_000);
const YOUNGER = bootAt(START_MS + 60_000);

/** An order that opens a position, and that another process named so, has filled. */
const opened = (name: string, orderId = "301"): string => `order ${orderId} FILLED BUY LONG as ${name}`;
const ours = (): World => ready({ runId: OURS });

describe("an order that opens, of another agent", () => {
  test("of one whose process began before: this one halts at once and says how to go on", () => {
    const w = story(`${opened(`i-${OLDER}-2`)} -> floor HALT`, ours());
    expect(w.logs("floor.changed").join()).toMatch(
      /NORMAL to HALT: another agent, whose process began 2026-.*, opens positions on this account \(i-.*-2, .*\): stop one of the two.*ballast resume/,
    );
  });

  test("of a younger one: this one goes on, and warns once of each process", () => {
    const w = story(
      `
      ${opened(`i-${YOUNGER}-2`)}           -> logs account.shared
      ${opened(`i-${YOUNGER}-3`, "302")}    -> floor NORMAL
      `,
      ours(),
    );
    expect(w.logs("account.shared")).toHaveLength(1);
  });

  test("of a process whose age no id shows: this one halts", () => {
    story(`${opened("i-laptop-2")} -> floor HALT`, ours());
  });

  test("seen only by its fill, or in the list of open orders: this one halts all the same", () => {
    story(`fill BUY 0.004 by 301 as i-${OLDER}-2 now -> floor HALT`, ours());
    const listed = ours();
    const open: Order = {
      ...{
        orderId: "2190000000000301",
        clientOrderId: `i-${OLDER}-2`,
        state: "OPEN" as const,
        symbol: BTC,
        side: "BUY" as const,
      },
      ...{
        positionSide: "LONG" as const,
        qty: dec("0.004"),
        executedQty: ZERO,
        avgPrice: ZERO,
        limitPrice: dec("60100"),
      },
      ...{
        fee: ZERO,
        reason: "",
        cancelPending: false,
        orderType: "LIMIT" as const,
        timeInForce: "GTC" as const,
        reduceOnly: false,
      },
      ...{ createdAtMs: listed.nowMs, updatedAtMs: listed.nowMs },
    };
    listed.account({ openOrders: [open] });
    expect(listed.agent.status(listed.nowMs).floorState).toBe("HALT");
  });

  test("after a resume its next one halts this agent again", () => {
    story(
      `
      ${opened(`i-${OLDER}-2`)}
      resume
      list nothing, no stops
      3 s
      list nothing, no stops
      1 s                                   -> floor NORMAL
      ${opened(`i-${OLDER}-3`, "302")}      -> floor HALT
      `,
      ours(),
    );
  });

  test("while this one is halted for another reason: the reason names the other agent, once for each process", () => {
    const w = story(`halt\n${opened(`i-${OLDER}-2`)}`, ours());
    const { floorReason } = w.agent.status(w.nowMs);
    expect(floorReason).toContain(`(i-${OLDER}-2, `);
    story(`${opened(`i-${OLDER}-3`, "302")} -> floor HALT`, w);
    expect(w.agent.status(w.nowMs).floorReason).toBe(floorReason);
  });

  test("while the account is being flattened: that goes on", () => {
    const w = story(`flatten\n${opened(`i-${OLDER}-2`)} -> floor FLATTEN, logs account.shared once`, ours());
    expect(w.logs("account.shared")).toHaveLength(1);
  });
});

describe("no other agent is seen", () => {
  test.each([
    ["in an order of an earlier run of this journal", `i-${OLDER}-9`, "BUY"],
    ["in an order by hand", "by-hand", "BUY"],
    ["in an order of svc", "svc-0mwwwumja0009cw", "BUY"],
    ["in an order that reduces", "i-older-2", "SELL"],
  ])("%s", (_what, name, side) => {
    const w = ready({ runId: OURS, restored: { ourClientIds: new Set([`i-${OLDER}-1`]) } });
    story(`order 301 FILLED ${side} LONG as ${name} -> floor NORMAL`, w);
    expect(w.logs("account.shared")).toEqual([]);
  });
});

test("an id says when it was made, and a text of another form does not", () => {
  expect(madeAtMs(OURS)).toBe(START_MS);
  expect([madeAtMs("boot"), madeAtMs(`${OURS}x`), madeAtMs("")]).toEqual([null, null, null]);
});
