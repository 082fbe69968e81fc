/** The terms of trading are read again while the agent runs, and what a host that leaves out ticks has to know. */
import { describe, expect, test } from "vitest";
import { BTC, ETH, ready, standingStop, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const MINUTE = 60_000;

describe("terms that change", () => {
  test("a symbol that was halted at the start is traded once the rules say that it is live", () => {
    story(`
      rules BTC, ETH halted
      wants BTC LONG 0.5, ETH LONG 0.5
      120 s with lists           -> places BTC
      rules BTC, ETH
      120 s with lists           -> places ETH
    `);
  });

  test("a leverage that the lists leave out is set again, and opened on once it has been read back", () => {
    const w = ready();
    w.readsLeverage = false;
    const listed = (symbols: readonly string[]): void =>
      void w.feed({ kind: "leverage", settings: symbols.map((symbol) => ({ symbol, leverage: 2 })) });
    listed([BTC, ETH]);
    for (let nth = 0; nth < 4; nth++) {
      expect(w.of("set-leverage")).toEqual([]);
      story("15 s with lists", w);
      listed([ETH]);
    }
    story("14 s with lists", w);
    expect(w.of("set-leverage").map(({ symbol }) => symbol)).toEqual([BTC]);
    listed([BTC]);
    story("wants BTC LONG 0.5\n60 s with lists -> places BTC", w);
  });

  test("no leverage is set again while none at all can be read", () => {
    const w = ready();
    w.readsLeverage = false;
    story("120 s with lists", w);
    expect(w.of("set-leverage")).toEqual([]);
  });

  test("rules are asked for every five minutes", () => {
    story(`
      240 s with lists           -> reads rules never
      120 s with lists           -> reads rules once
    `);
  });
});

describe("ticks that a host may leave out", () => {
  const needed = (w: World) => [w.agent.isWorking(w.nowMs), w.agent.followsPrice(BTC), w.agent.followsPrice(ETH)];

  test("none while a position waits for its stop, all once the stop stands", () => {
    const w = story("list BTC LONG 0.004\n1 s -> protects all of BTC once");
    expect(needed(w)).toEqual([true, true, false]);
    const { clientOrderId } = w.last("protect").order;
    story("protect done S1\nlist BTC LONG 0.004", w);
    w.feed({ kind: "algo", algo: standingStop({ clientOrderId }) });
    story("1 s -> nothing, stop live", w);
    expect(needed(w)).toEqual([false, false, false]);
  });

  test("none while its stop covers less than the position", () => {
    const w = story("list BTC LONG 0.004, S1 for 0.004\n1 s -> nothing");
    expect(needed(w)).toEqual([false, false, false]);
    expect(needed(story("push BTC LONG 0.006", w))).toEqual([true, true, false]);
  });

  test("none while an entry is being worked", () => {
    const w = story("wants BTC LONG 0.5");
    expect(needed(w)).toEqual([false, false, false]);
    story("10 s with lists -> places BTC", w);
    expect(needed(w)).toEqual([true, true, false]);
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
