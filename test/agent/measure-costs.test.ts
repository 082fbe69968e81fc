import { expect, test } from "vitest";
import { dec, ZERO } from "../../src/core/decimal.ts";
import type { Execution } from "../../src/domain/order.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { NO_COSTS } from "../../src/agent/books/cost-book.ts";
import { costsOf } from "../../src/restore/restore-costs.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import {
  BTC,
  position,
  ready,
  scripted,
  standingStop,
  START_MS,
  update,
  target,
  type World,
} from "../support/agent-world.ts";

const KEY = `${BTC}|LONG`;
const fillOf = (w: World, change: Partial<Execution>): Execution => ({
  transactionId: `t-${Math.round(w.nowMs)}-${change.price?.toFixed() ?? ""}`,
  orderId: "2190000000000001",
  clientOrderId: "",
  symbol: BTC,
  side: "BUY",
  qty: dec("0.003"),
  price: dec("60009"),
  fee: dec("0.0315"),
  realizedPnl: ZERO,
  liquidity: "TAKER",
  atMs: w.nowMs,
  ...change,
});
const costRows = (w: World) =>
  w.of("record").flatMap(({ row, body, decisionId }) => (row === "cost" ? [{ ...body, decisionId }] : []));

function opened() {
  const w = ready({
    strategies: {
      chosen: scripted("s", () => ({ kind: "targets", targets: [target({ size: 0.5 })], note: "" })),
      fallback: scripted("hold", () => ({ kind: "targets", targets: [], note: "" })),
    },
  });
  w.tick(1_500);
  return { w, place: w.last("place") };
}

test("an order is predicted at decision, measured by its fills, and both stand in one row of its decision", () => {
  const { w, place } = opened();
  const intent = w.of("record").find(({ row }) => row === "intent");
  const predicted = intent?.body["predicted"] as { midPrice: number; slippageBps: number; feeBps: number };
  expect(predicted.midPrice).toBeCloseTo(60_000, 6);
  expect(predicted.slippageBps).toBeCloseTo(0.5, 2);
  expect(predicted.feeBps).toBe(1.75);
  const { clientOrderId } = place.intent;
  w.feed({ kind: "order", update: update(place, { state: "FILLED", executedQty: dec("0.003") }) });
  w.feed({
    kind: "fill",
    execution: fillOf(w, { clientOrderId, qty: dec("0.002"), price: dec("60006"), fee: dec("0.02") }),
  });
  w.feed({
    kind: "fill",
    execution: fillOf(w, { clientOrderId, qty: dec("0.001"), price: dec("60018"), fee: dec("0.0115") }),
  });
  w.tick(5_000);
  expect(costRows(w)).toHaveLength(0);
  w.tick(4_000);
  expect(costRows(w)).toHaveLength(1);
  const [row] = costRows(w);
  expect(row).toMatchObject({
    what: "open",
    clientOrderId,
    leg: KEY,
    valueUsdt: "180.03",
    feeUsdt: "0.0315",
    makerShare: 0,
    decisionId: place.intent.decisionId,
  });
  expect((row as unknown as { slippageBps: number }).slippageBps).toBeCloseTo(1.667, 2);
  const { total, bySymbol } = w.agent.status(w.nowMs).costs;
  expect(total).toMatchObject({ orders: 1, feesUsdt: "0.0315", predictedSlippageBps: 0.5 });
  expect(Object.keys(bySymbol)).toEqual([BTC]);
  // 1.7498 bp were paid.
  expect(w.agent.status(w.nowMs).costs.learnt.takerFeeBps).toBeCloseTo(1.75, 2);
});

test("a close is predicted against what is held, and its fills are known by the position", () => {
  const w = ready();
  w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: null });
  w.tick();
  w.price(BTC, 58_000);
  w.tick();
  const order = w.of("record").find(({ row, body }) => row === "order" && "close" in body);
  expect((order?.body["predicted"] as { midPrice: number }).midPrice).toBeCloseTo(58_000, 6);
  w.feed({
    kind: "fill",
    execution: fillOf(w, { orderId: "2190000000000009", side: "SELL", qty: dec("0.004"), price: dec("57980") }),
  });
  w.tick(9_000);
  expect(costRows(w)[0]).toMatchObject({ what: "close", side: "SELL" });
  expect((costRows(w)[0] as unknown as { slippageBps: number }).slippageBps).toBeCloseTo(3.448, 2);
});

test("a stop that the venue fired is measured from its price; what somebody else did is not counted", () => {
  const w = ready();
  w.account({ positions: [position(BTC, "0.004", "60000")], openAlgos: null });
  w.tick();
  w.feed({
    kind: "algo",
    algo: standingStop(),
  });
  const push = { symbol: BTC, positionSide: "LONG" as const, qty: ZERO, avgPrice: ZERO, leverage: null };
  w.feed({ kind: "position", update: push });
  const fired = { orderId: "2190000000000010", side: "SELL" as const, qty: dec("0.004"), price: dec("58170.9") };
  w.feed({ kind: "fill", execution: fillOf(w, fired) });
  w.feed({
    kind: "fill",
    execution: fillOf(w, { ...fired, orderId: "2190000000000011", price: dec("66000"), transactionId: "far" }),
  });
  w.tick(9_000);
  expect(costRows(w)).toHaveLength(1);
  expect(costRows(w)[0]).toMatchObject({ what: "stop", predictedSlippageBps: null });
  expect(w.agent.status(w.nowMs).costs.total.stopSlippageBps).toBeCloseTo(5, 1);
});

test("a restart keeps the measurements, and measures the order that was in flight", () => {
  const { w, place } = opened();
  const rowsOf = (world: World) =>
    world.effects.flatMap((effect, seq) =>
      effect.kind === "record"
        ? [{ seq, runId: "t1", atMs: START_MS, kind: effect.row, decisionId: effect.decisionId, body: effect.body }]
        : [],
    );
  const reader = (rows: ReturnType<typeof rowsOf>) =>
    ({
      rows: (filter: { kinds?: readonly string[] }) => rows.filter((row) => filter.kinds?.includes(row.kind)),
    }) as unknown as JournalReader;
  const restored = costsOf(reader(rowsOf(w)), START_MS);
  const { clientOrderId } = place.intent;
  expect(restored.predicted.map((one) => one.clientOrderId)).toEqual([clientOrderId]);
  const next = ready({ restored: { costs: restored } });
  next.feed({ kind: "fill", execution: fillOf(next, { clientOrderId }) });
  next.tick(9_000);
  expect(costRows(next)[0]).toMatchObject({ what: "open", clientOrderId, decisionId: place.intent.decisionId });
  // Dead before it was measured: the next run measures it from the rows of its fills.
  const cut = rowsOf(next).filter(({ kind }) => kind !== "cost");
  const again = ready({ restored: { costs: costsOf(reader([...rowsOf(w), ...cut]), START_MS) } });
  again.tick(9_000);
  expect(costRows(again)[0]).toMatchObject({ what: "open", clientOrderId, feeUsdt: "0.0315" });
  const third = ready({ restored: { costs: costsOf(reader(rowsOf(next)), START_MS) } });
  const { total } = third.agent.status(third.nowMs).costs;
  expect(total).toEqual(next.agent.status(next.nowMs).costs.total);
});

test("the round trip that a strategy and the limits are reported follows what was measured, slowly", () => {
  const seen: number[] = [];
  const chosen = scripted("s", () => ({ kind: "targets", targets: [], note: "" }));
  const decide = chosen.strategy.decide.bind(chosen.strategy);
  const watching = {
    ...chosen,
    strategy: {
      ...chosen.strategy,
      decide: (snapshot: Snapshot, settings: unknown) => {
        seen.push(snapshot.headroom.roundTripCost);
        return decide(snapshot, settings);
      },
    },
  };
  const cheap = Array.from({ length: 100 }, (_, at) => ({
    orderId: String(at),
    clientOrderId: String(at),
    symbol: BTC,
    leg: KEY,
    what: "open" as const,
    side: "BUY" as const,
    atMs: START_MS,
    valueUsdt: dec("100"),
    feeUsdt: dec("0.012"),
    predictedFeeUsdt: dec("0.0175"),
    makerShare: 0,
    slippageBps: 1,
    predictedSlippageBps: 0.5,
    biasBps: 0,
    noiseBps: 1,
  }));
  for (const measured of [[], cheap]) {
    const w = ready({
      strategies: { chosen: watching, fallback: watching },
      restored: { costs: { ...NO_COSTS, measured } },
    });
    w.tick(1_500);
  }
  expect(seen).toHaveLength(2);
  expect(seen[0]).toBeCloseTo(2 * 0.000175 + 0.0001, 5);
  // A hundred fills at 1.2 bp against a prior that weighs as twenty.
  expect(seen[1]).toBeCloseTo((seen[0] ?? NaN) - (2 * 0.000055 * 100) / 120 + (2 * 0.00005 * 100) / 120, 6);
});

test("what the venue says that the account pays counts, and only what it says of the own exchange", () => {
  const { w } = opened();
  const learnt = () => w.agent.status(w.nowMs).costs.learnt;
  expect(learnt()).toMatchObject({ takerFeeBps: 1.75, makerFeeBps: 0.8 });
  w.feed({ kind: "fees", rates: [{ exchange: "EXCHANGE_B", taker: dec("0.001"), maker: dec("0.0005") }] });
  expect(learnt()).toMatchObject({ takerFeeBps: 1.75, makerFeeBps: 0.8 });
  w.feed({ kind: "fees", rates: [{ exchange: "EXCHANGE_A", taker: dec("0.0004"), maker: dec("-0.00005") }] });
  expect(learnt()).toMatchObject({ takerFeeBps: 4, makerFeeBps: -0.5 });
});
