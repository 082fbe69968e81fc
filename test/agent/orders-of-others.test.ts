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
  scripted,
  settingsOf,
  standingStop,
  target,
  type World,
} from "../support/agent-world.ts";

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

function wait(w: World, seconds: number): void {
  for (let second = 0; second < seconds; second++) w.tick(1_000);
}

describe("an opening order of somebody else", () => {
  const withIt = (given: Parameters<typeof ready>[0] = {}): World => ready(given, { openOrders: [byHand()] });
  const all = (): AgentSettings => {
    const plain = settingsOf();
    return { ...plain, execution: { ...plain.execution, withdraws: "all" } };
  };
  const ends: readonly (readonly [string, (w: World, settings: AgentSettings) => unknown])[] = [
    ["a stop", (w) => w.feed({ kind: "stop", reason: "SIGTERM" })],
    ["a halt by the operator", (w) => w.feed({ kind: "operator", command: "halt" })],
    ["a halt by the house", (w) => w.feed({ kind: "halt", reason: "the disk is full" })],
    ["a hold", (w) => w.feed({ kind: "hold", cause: "disk", reason: "the disk is 95 % full" })],
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

  test("`halt --all` cancels them until they have ended, and the log counts those that stay", () => {
    const w = withIt();
    w.feed({ kind: "operator", command: "halt" });
    expect(w.logs("floor.changed").at(-1)).toContain("; 1 open order of others stays");
    w.feed({ kind: "operator", command: "halt-all" });
    w.feed({ kind: "cancel-sent", clientOrderId: "by-hand", sent: { kind: "not-sent", message: "the line was down" } });
    wait(w, 11);
    expect(cancelled(w)).toEqual(["by-hand", "by-hand"]);
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
    const asset = { exchange: "EXCHANGE_A", coin: "USDT", balance: dec("890"), available: dec("890"), frozen: ZERO };
    w.feed({ kind: "asset", asset });
    w.account({ account: [account("890")], openOrders: [byHand()] });
    w.tick(1_000);
    expect(cancelled(w)).toEqual(["by-hand"]);
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

describe("a stop order of somebody else", () => {
  test("without a position, or that enters later, is not taken away", () => {
    const entry = theirStop({ side: "BUY", reduceOnly: false, symbol: ETH });
    const w = ready({}, { openAlgos: [entry, theirStop()] });
    w.feed({ kind: "algo", algo: theirStop() });
    for (let turn = 0; turn < 8; turn++) {
      wait(w, 10);
      w.account({ openAlgos: [entry, theirStop()] });
    }
    expect(w.of("cancel-algo")).toEqual([]);
  });

  test("that covers the position as safely as wanted counts, and is never changed", () => {
    const w = ready({}, { ...held, openAlgos: [theirStop()] });
    wait(w, 15);
    expect(w.of("protect")).toEqual([]);
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({ protection: "live", stopPrice: "58200" });
    w.account({ positions: [position(BTC, "0.006", "60000")], openAlgos: [theirStop()] });
    wait(w, 2);
    expect(w.of("amend-protection")).toEqual([]);
    expect(w.last("protect").order.condition).toBe("ENTIRE_CLOSE_POSITION");
  });

  test.each([
    ["enters", { side: "BUY" }],
    ["may open the other side", { positionSide: "NONE", reduceOnly: false }],
    ["covers a part", { qty: dec("0.001") }],
  ] as const)("that %s protects nothing", (_, change) => {
    const w = ready({}, { ...held, openAlgos: [theirStop(change)] });
    wait(w, 6);
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

  test.each(["safer", "less safe"])("that is %s than ours stays beside it", (which) => {
    const other = theirStop({ triggerPrice: dec(which === "safer" ? "59000" : "50000") });
    const w = ready({}, { ...held, openAlgos: [standingStop()] });
    w.feed({ kind: "algo", algo: other });
    wait(w, 20);
    w.account({ ...held, openAlgos: [other, standingStop()] });
    wait(w, 5);
    expect(w.of("cancel-algo")).toEqual([]);
    expect(w.agent.status(w.nowMs).positions[0]).toMatchObject({ protection: "live", stopPrice: "58200" });
    w.account({ openAlgos: [other] });
    wait(w, 40);
    expect(w.of("cancel-algo").map(({ algoOrderId }) => algoOrderId)).not.toContain(other.algoOrderId);
  });

  test("is not taken away after its position is gone, by this run or by the next", () => {
    const w = ready({}, { ...held, openAlgos: [theirStop()] });
    wait(w, 12);
    for (let turn = 0; turn < 12; turn++) {
      wait(w, 5);
      w.account({ openAlgos: [theirStop()] });
    }
    expect(w.of("cancel-algo")).toEqual([]);
    const closed = w
      .of("record")
      .find(({ row, body }) => row === "position" && (body as { kind?: string }).kind === "closed");
    expect(closed).toBeDefined();
    expect(closed?.body).not.toHaveProperty("stop");
  });
});
