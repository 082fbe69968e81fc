/** The terms of trading are read again while the agent runs, and what a host that leaves out ticks has to know. */
import { describe, expect, test } from "vitest";
import {
  BTC,
  ETH,
  holding,
  position,
  ready,
  rulesOf,
  scripted,
  standingStop,
  target,
  type World,
} from "../support/agent-world.ts";

const MINUTE = 60_000;
const both = { kind: "targets" as const, targets: [target({ symbol: BTC }), target({ symbol: ETH })], note: "" };
const chosen = scripted("scripted", () => both);

/** Wants both symbols at every decision; ETH is halted when the rules are first read. */
function begin(): World {
  const w = ready({ strategies: { chosen, fallback: holding() } });
  w.feed({ kind: "rules", rules: [rulesOf(BTC), { ...rulesOf(ETH), state: "halted" }] });
  return w;
}

function pass(w: World, ms: number): void {
  for (let gone = 0; gone < ms; gone += 5_000) {
    w.account();
    w.tick(5_000);
  }
}

const placed = (w: World, symbol: string): number =>
  w.of("place").filter(({ intent }) => intent.draft.order.symbol === symbol).length;

describe("terms that change", () => {
  test("a symbol that was halted at the start is traded once the rules say that it is live", () => {
    const w = begin();
    pass(w, 2 * MINUTE);
    expect([placed(w, BTC) > 0, placed(w, ETH)]).toEqual([true, 0]);
    w.feed({ kind: "rules", rules: [rulesOf(BTC), rulesOf(ETH)] });
    pass(w, 2 * MINUTE);
    expect(placed(w, ETH)).toBeGreaterThan(0);
  });

  test("rules are asked for every five minutes", () => {
    const w = begin();
    const asked = (): number => w.of("load-rules").length;
    const atStart = asked();
    pass(w, 4 * MINUTE);
    expect(asked()).toBe(atStart);
    pass(w, 2 * MINUTE);
    expect(asked()).toBe(atStart + 1);
  });
});

describe("ticks that a host may leave out", () => {
  const protectedBtc = { positions: [position(BTC, "0.004", "60000")], openAlgos: [standingStop()] };

  test("none while a position waits for its stop, all once the stop stands", () => {
    const w = ready();
    w.account({ positions: [position(BTC, "0.004", "60000")] });
    w.tick(1_000);
    expect([w.agent.isWorking(w.nowMs), w.agent.followsPrice(BTC), w.agent.followsPrice(ETH)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(w.last("protect").leg).toContain(BTC);
    const { clientOrderId } = w.last("protect").order;
    const sent = { kind: "done", value: { algoOrderId: standingStop().algoOrderId } } as const;
    w.feed({ kind: "protect-sent", leg: w.last("protect").leg, sent });
    w.account({ ...protectedBtc, openAlgos: [standingStop({ clientOrderId })] });
    w.tick(1_000);
    expect([w.agent.isWorking(w.nowMs), w.agent.followsPrice(BTC)]).toEqual([false, false]);
  });

  test("none while an entry is being worked", () => {
    const w = ready({ strategies: { chosen, fallback: holding() } });
    expect(w.agent.isWorking(w.nowMs)).toBe(false);
    pass(w, 10_000);
    expect([w.agent.isWorking(w.nowMs), w.agent.followsPrice(BTC)]).toEqual([true, true]);
  });

  test("time between them is no outage where the host says that it ran", () => {
    const uptime = (awake: boolean): number => {
      const w = ready();
      w.tick(1_000);
      w.nowMs += 5 * MINUTE;
      w.feed({ kind: "tick", awake });
      return w.agent.status(w.nowMs).uptime.downMs;
    };
    expect([uptime(true), uptime(false) > 4 * MINUTE]).toEqual([0, true]);
  });
});
