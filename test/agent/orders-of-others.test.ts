/** Orders and stops that somebody else placed on the account: counted, left alone, and given up only for the equity guard. */
import { describe, expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import type { AlgoOrder } from "../../src/domain/algo-order.ts";
import type { Order } from "../../src/domain/order.ts";
import {
  account,
  BTC,
  ETH,
  holding,
  position,
  ready,
  rulesOf,
  scripted,
  settingsOf,
  standingStop,
  START_MS,
  target,
  type World,
} from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";
import { nameOf } from "../support/story/words.ts";

const byHand = (change: Partial<Order> = {}): Order => ({
  orderId: "2190000000000555",
  clientOrderId: "by-hand",
  symbol: ETH,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  timeInForce: "GTC",
  qty: dec("0.1"),
  limitPrice: dec("2000"),
  state: "OPEN",
  executedQty: ZERO,
  avgPrice: ZERO,
  fee: ZERO,
  reduceOnly: false,
  reason: "",
  cancelPending: false,
  createdAtMs: 0,
  updatedAtMs: 0,
  ...change,
});

const theirStop = (change: Partial<AlgoOrder> = {}): AlgoOrder =>
  standingStop({ algoOrderId: "2190000000000777", clientOrderId: "their-stop", ...change });

const cancelled = (w: World): readonly string[] => w.of("cancel").map(({ known }) => known.clientOrderId);
const held = { positions: [position(BTC, "0.004", "60000")] };

const wait = (w: World, seconds: number): World => story(`${seconds} s`, w);

describe("an opening order of somebody else", () => {
  test.each([
    ["0.1", "places BTC once"],
    ["20", "cancels order"],
  ])("in a symbol that is not traded here counts at its limit, and no more (%s of it: %s)", (qty, then) => {
    const symbol = "EXCHANGE_A_PERP_SOL_USDT";
    const w = ready({}, { openOrders: [byHand({ symbol, qty: dec(qty), limitPrice: dec("100") })] });
    w.feed({ kind: "rules", rules: [rulesOf(symbol)] });
    story(`wants BTC LONG 0.5\n2 s -> ${then}`, w);
  });

  const withIt = (given: Parameters<typeof ready>[0] = {}): World => ready(given, { openOrders: [byHand()] });
  const all = (): AgentSettings => {
    const plain = settingsOf();
    return { ...plain, execution: { ...plain.execution, withdraws: "all" } };
  };
  const ends: readonly (readonly [string, (w: World, settings: AgentSettings) => unknown])[] = [
    ["a shutdown", (w) => story("shutdown", w)],
    ["a halt by the operator", (w) => story("halt", w)],
    ["a halt by the agent", (w) => w.feed({ kind: "halt", reason: "the disk is full" })],
    ["a hold", (w) => story("hold disk is 95 % full", w)],
    [
      "a switch that closes",
      (w, settings) => {
        const change = { handover: "close", by: "operator", request: null } as const;
        const chosen = scripted("other", () => ({ kind: "targets", targets: [], note: "" }));
        w.feed({ kind: "settings", settings, strategies: { chosen, fallback: holding() }, change });
        wait(w, 5);
      },
    ],
  ];

  test.each(ends)("stays through %s, and goes where the owner has set `withdraws: all`", (_, end) => {
    const w = withIt();
    end(w, settingsOf());
    wait(w, 12);
    expect(cancelled(w)).toEqual([]);
    const willing = withIt({ settings: all() });
    end(willing, all());
    expect(cancelled(willing)).toEqual(["by-hand"]);
  });

  test("that the run before saw is awaited in the lists before anything is opened beside it", () => {
    const chosen = scripted("open", () => ({ kind: "targets", targets: [target({ symbol: ETH })], note: "" }));
    const restored = { externalOrders: [{ symbol: ETH, seenMs: START_MS - 2_000 }] };
    const w = ready({ restored, strategies: { chosen, fallback: holding() } });
    story("list nothing, no stops\n1 s\n".repeat(17), w);
    expect(w.of("place")).toEqual([]);
    story("list nothing, no stops\n1 s\n".repeat(65), w);
    expect(w.last("place").intent.draft.order.symbol).toBe(ETH);
  });

  test("that a list finds partly filled is held as much, though the list of positions lags", () => {
    const before = { createdAtMs: START_MS - 600_000, updatedAtMs: START_MS - 600_000 };
    const positions = [{ ...position(ETH, "0.05", "2000"), ...before }];
    const w = ready({}, { positions });
    const [createdAtMs, updatedAtMs] = [w.nowMs - 5_000, w.nowMs - 1_000];
    const filled = byHand({ executedQty: dec("0.03"), avgPrice: dec("2000"), createdAtMs, updatedAtMs });
    for (let times = 0; times < 3; times++) {
      w.account({ positions, openOrders: [filled], openAlgos: null });
      expect(w.agent.status(w.nowMs).positions).toMatchObject([{ symbol: ETH, qty: "0.08" }]);
      w.tick(1_000);
    }
  });

  /** The executions list shows that it opened at an instant and that another order closed it then; its own push comes later. */
  function lateOpening(w: World): World {
    wait(w, 10);
    const price = dec("2000");
    const atMs = w.nowMs - 3_000;
    const order = byHand({
      state: "FILLED",
      executedQty: dec("0.1"),
      avgPrice: price,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    });
    const { orderId, clientOrderId, symbol, qty } = order;
    const opened = {
      ...{ transactionId: `${atMs}`, orderId, clientOrderId, symbol, side: "BUY" as const, qty, price, atMs },
    };
    const cost = { fee: dec("0.1"), realizedPnl: ZERO, liquidity: "TAKER" as const };
    const closed = {
      transactionId: `${atMs}c`,
      orderId: "2190000000000556",
      clientOrderId: "closing",
      side: "SELL" as const,
    };
    const fills = [
      { ...opened, ...closed, ...cost, realizedPnl: dec("-0.2") },
      { ...opened, ...cost },
    ];
    w.feed({ kind: "fills-read", startedAtMs: w.nowMs, fills });
    w.tick(1_000);
    w.feed({ kind: "order", update: order });
    return w;
  }

  test("whose executions show that it was closed at once opens nothing when its push is late", () => {
    const w = lateOpening(ready());
    expect(w.agent.status(w.nowMs).positions).toEqual([]);
    wait(w, 8);
    expect(w.of("protect")).toEqual([]);
  });

  test("of that kind opens nothing in the symbol of a position that is over either", () => {
    const w = ready({}, { positions: [position(ETH, "0.05", "2000")] });
    w.account({ positions: [], openOrders: [], openAlgos: [] });
    w.tick(30_000);
    w.account({ positions: [], openOrders: [], openAlgos: [] });
    expect(w.agent.status(w.nowMs).positions).toEqual([]);
    const before = w.of("protect").length;
    lateOpening(w);
    expect(w.agent.status(w.nowMs).positions).toEqual([]);
    wait(w, 8);
    expect(w.of("protect")).toHaveLength(before);
  });

  test.each(["before", "after"])(
    "whose position a push showed opens none anew when its own push comes %s the list without it",
    (when) => {
      const w = story("10 s");
      const list = "1 s\nlist nothing, no stops";
      const order = `order 301 FILLED BUY LONG executed 0.004 dated ${w.nowMs - START_MS}`;
      story(
        `
        fill BUY 0.004 by 301 now
        push BTC LONG 0.004               -> holds BTC LONG 0.004
        fill SELL 0.004 by 302 earning -0.1 now
        ${when === "before" ? `${order}\n${list}` : `${list}\n${order}`}
        1 s                               -> holds nothing
        `,
        w,
      );
    },
  );

  test.each(["no position was known", "another position was over long ago"])(
    "closes what is not reported yet (%s): the next list settles a later push of that",
    (before) => {
      const earlier =
        "list BTC LONG 0.002\n5 s\npush BTC LONG flat\nlist nothing, no stops\n60 s\nlist nothing, no stops";
      story(`
        ${before === "no position was known" ? "10 s" : earlier}
        fill SELL 0.004 by 302 earning -0.1 now
        2 s
        push BTC LONG 0.004               -> holds BTC LONG 0.004
        1 s
        list nothing, no stops
        1 s                               -> holds nothing
        `);
    },
  );

  test("`halt --all` cancels them until they have ended, and the log counts those that stay", () => {
    const w = withIt();
    story("halt                -> nothing", w);
    expect(w.logs("floor.changed").at(-1)).toContain("; 1 open order of others stays");
    story(
      `
      halt-all                -> cancels order by-hand once
      cancel unsent
      11 s                    -> asks order, cancels order by-hand once
      `,
      w,
    );
    const said = w
      .of("record")
      .filter(({ row }) => row === "operator")
      .map(({ body }) => body);
    expect(said.at(-1)).toMatchObject({ command: "halt", to: "HALT", withdraws: "all" });
  });

  test.each(["flat", "the other side", "the same side"])("is left alone by a strategy that wants %s", (what) => {
    const positionSide = what === "the other side" ? "SHORT" : "LONG";
    const targets = [target({ symbol: ETH, leg: positionSide, size: what === "flat" ? 0 : 0.2 })];
    const chosen = scripted("wants", () => ({ kind: "targets", targets, note: "" }));
    const w = withIt({ strategies: { chosen, fallback: holding() } });
    wait(w, 70);
    expect(cancelled(w)).toEqual([]);
    expect(w.of("place").filter(({ intent }) => intent.draft.order.symbol === ETH)).toEqual([]);
  });

  test("is withdrawn at the floor: filled afterwards it could take the account under it", () => {
    const plain = settingsOf();
    const risk = { ...plain.risk, warnUsdt: dec("930"), holdUsdt: dec("920"), flattenUsdt: dec("900") };
    const w = withIt({ settings: { ...plain, risk } });
    story("wallet 890", w);
    w.account({ account: [account("890")], openOrders: [byHand()] });
    story("1 s                 -> cancels order by-hand", w);
  });

  test("is withdrawn for the cushion only where it alone would be too much", () => {
    const large = byHand({ qty: dec("5"), limitPrice: dec("2900") });
    const w = ready({}, { openOrders: [large] });
    wait(w, 2);
    expect(cancelled(w)).toEqual(["by-hand"]);
    const fine = withIt();
    wait(fine, 20);
    expect(cancelled(fine)).toEqual([]);
  });
});

test("in one-way mode a market order against what is held closes it, also where a list shows it first", () => {
  const w = story("list BTC LONG 0.004, one-way, S1");
  const close = { symbol: BTC, side: "SELL", positionSide: "NONE", orderType: "MARKET", limitPrice: null } as const;
  const openOrders = [byHand({ ...close, qty: dec("0.004") })];
  w.account({ account: null, positions: null, openAlgos: null, openOrders });
  story("halt-all", w);
  expect(cancelled(w)).toEqual([]);
});

describe("a stop order of somebody else", () => {
  test("without a position, or that enters later, is not taken away", () => {
    const entry = theirStop({ side: "BUY", reduceOnly: false, symbol: ETH });
    const w = ready({}, { openAlgos: [entry, theirStop()] });
    w.feed({ kind: "algo", algo: theirStop() });
    for (let times = 0; times < 8; times++) {
      story("10 s              -> nothing", w);
      w.account({ openAlgos: [entry, theirStop()] });
    }
    expect(w.of("cancel-algo")).toEqual([]);
  });

  test("that covers the position as safely as wanted counts, and is never changed", () => {
    const w = story(`
      list BTC LONG 0.004, H7
      15 s                    -> nothing, stop live at 58200
      list BTC LONG 0.006, H7
      2 s                     -> protects all
    `);
    expect(w.last("protect").order.condition).toBe("ENTIRE_CLOSE_POSITION");
  });

  test.each([
    ["enters", { side: "BUY" }],
    ["may open the other side", { positionSide: "NONE", reduceOnly: false }],
    ["covers a part", { qty: dec("0.001") }],
  ] as const)("that %s protects nothing", (_, change) => {
    const w = wait(ready({}, { ...held, openAlgos: [theirStop(change)] }), 6);
    expect(w.of("protect")).toHaveLength(1);
  });

  test.each([
    ["LONG", "30000", "58200"],
    ["LONG", "58199", "58200"],
    ["SHORT", "90000", "61800"],
  ] as const)("that would let a %s fall to %s does not stand for the default stop at %s", (side, theirs, ours) => {
    const away = theirStop({ triggerPrice: dec(theirs), side: side === "LONG" ? "SELL" : "BUY", positionSide: side });
    const shown = { positions: [position(BTC, "0.004", "60000", side)] };
    for (const first of [[away], []]) {
      const w = ready({}, { ...shown, openAlgos: first });
      w.feed({ kind: "algo", algo: away });
      wait(w, 2);
      expect(w.last("protect").order.stopLossPrice?.toFixed()).toBe(ours);
      expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({ protection: "asked", stopPrice: null });
      expect(w.of("cancel-algo")).toEqual([]);
    }
  });

  test.each([
    ["safer", "59000"],
    ["less safe", "50000"],
  ])("that is %s than ours stays beside it", (_, price) => {
    const w = story(`
      list BTC LONG 0.004, S1
      stop H7 at ${price}
      20 s                    -> nothing
      list BTC LONG 0.004, H7 at ${price}, S1
      5 s                     -> nothing, stop live at 58200
      list nothing, H7 at ${price}
      40 s
    `);
    expect(w.of("cancel-algo").map(({ algoOrderId }) => nameOf(algoOrderId))).not.toContain("H7");
  });

  test("is not taken away after its position is gone, by this run or by the next", () => {
    const w = story(`
      list BTC LONG 0.004, H7
      12 s                    -> nothing
      ${"5 s -> nothing\nlist nothing, H7 -> nothing\n".repeat(12)}
      0 s                     -> journal opened closed
    `);
    const closed = w.of("record").findLast(({ row }) => row === "position");
    expect(closed?.body).not.toHaveProperty("stop");
  });

  test("is left alone after its position, though runs began while that was held and once it was over", () => {
    story(`
      list BTC LONG 0.004, H7
      restart
      list BTC LONG 0.004, H7
      10 s                    -> nothing, stop live at 58200
      restart
      list BTC LONG 0.004, H7
      push BTC LONG flat
      40 s with list nothing, H7 -> nothing
      restart
      list nothing, H7
      30 s with list nothing, H7 -> nothing
    `);
  });

  const ends = `
    20 s with list BTC LONG 0.002, H1 at 59700
    push BTC LONG flat`;

  test.each([
    ["that lists have not shown since", "list nothing\nstop H1 at 59700\n60 s with list nothing, no stops"],
    ["whose position has ended", `${ends}\nstop H1 at 59700\n2 s`],
  ])("%s protects no new position", (_, before) => {
    story(`
      ${before}
      push BTC LONG 0.002
      6 s with list BTC LONG 0.002 -> protects all
    `);
  });
});

test("a push without a time may be of fills that a list shows, also where the venue's clock is behind ours", () => {
  const w = ready();
  w.feed({ kind: "clock-checked", offsetMs: -90_000, uncertaintyMs: 20 });
  story(
    `
    list BTC LONG 0.004 began 900 s ago changed 150 s ago, S1
    2 s
    list BTC LONG 0.002 began 900 s ago changed 91 s ago, S1
    order 301 OPEN SELL LONG executed 0.002
    stop S1 CANCELLED
    0.25 s                                  -> protects all
    `,
    w,
  );
});
