/** What orders cost is predicted, measured by their fills, and learnt from, also over a restart. */
import { expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { NO_COSTS } from "../../src/agent/books/cost-book.ts";
import type { Snapshot } from "../../src/context/snapshot.ts";
import { BTC, ready, scripted, START_MS, type World } from "../support/agent-world.ts";
import { story } from "../support/agent-story.ts";

const KEY = `${BTC}|LONG`;
const costRows = (w: World) =>
  w.of("record").flatMap(({ row, body, decisionId }) => (row === "cost" ? [{ ...body, decisionId }] : []));

const opened = (): World => story("wants BTC LONG 0.5\n1.5 s -> places BTC BUY 0.003 once");

test("an order is predicted at decision, measured by its fills, and both stand in one row of its decision", () => {
  const w = opened();
  const intent = w.of("record").find(({ row }) => row === "intent");
  const predicted = intent?.body["predicted"] as { midPrice: number; slippageBps: number; feeBps: number };
  expect(predicted.midPrice).toBeCloseTo(60_000, 6);
  expect(predicted.slippageBps).toBeCloseTo(0.5, 2);
  expect(predicted.feeBps).toBe(1.75);
  story(
    `
    order FILLED
    fill BUY 0.002 @ 60006 by 001 as order fee 0.02 now
    fill BUY 0.001 @ 60018 by 001 as order fee 0.0115 now
    5 s                          -> writes cost never
    4 s                          -> writes cost open ${KEY} 180.03 once
    `,
    w,
  );
  const { clientOrderId, decisionId } = w.last("place").intent;
  const [row] = costRows(w);
  expect(row).toMatchObject({ clientOrderId, decisionId, valueUsdt: "180.03", feeUsdt: "0.0315", makerShare: 0 });
  expect((row as unknown as { slippageBps: number }).slippageBps).toBeCloseTo(1.667, 2);
  const { total, bySymbol, learnt } = w.agent.status(w.nowMs).costs;
  expect(total).toMatchObject({ orders: 1, feesUsdt: "0.0315", predictedSlippageBps: 0.5 });
  expect(Object.keys(bySymbol)).toEqual([BTC]);
  // 1.7498 bp were paid.
  expect(learnt.takerFeeBps).toBeCloseTo(1.75, 2);
});

test("a close is predicted against what is held, and its fills are known by the position", () => {
  const w = story(`
    list BTC LONG 0.004
    0.25 s
    price 58000
    0.25 s                       -> closes BTC
    fill SELL 0.004 @ 57980 by 009 earning -8.08 now
    9 s                          -> writes cost close SELL
  `);
  const order = w.of("record").find(({ row, body }) => row === "order" && "close" in body);
  expect((order?.body["predicted"] as { midPrice: number }).midPrice).toBeCloseTo(58_000, 6);
  expect((costRows(w)[0] as unknown as { slippageBps: number }).slippageBps).toBeCloseTo(3.448, 2);
});

test("a stop that the venue fired is measured from its price; what somebody else did is not counted", () => {
  const w = story(`
    list BTC LONG 0.004
    0.25 s
    stop S1
    push BTC LONG flat
    fill SELL 0.004 @ 58170.9 by 010 earning -7.3 now
    fill SELL 0.004 @ 66000 by 011 now
    9 s                          -> writes cost once
  `);
  expect(costRows(w)[0]).toMatchObject({ what: "stop", predictedSlippageBps: null });
  expect(w.agent.status(w.nowMs).costs.total.stopSlippageBps).toBeCloseTo(5, 1);
});

test("a restart keeps the measurements, and measures the order that was in flight", () => {
  const first = opened();
  const { clientOrderId, decisionId } = first.last("place").intent;
  const next = story(
    `
    restart
    fill BUY 0.003 @ 60009 by 001 as order fee 0.0315 now
    9 s                          -> writes cost open ${clientOrderId} once
    `,
    first,
  );
  expect(next.given.restored?.costs?.predicted.map((one) => one.clientOrderId)).toEqual([clientOrderId]);
  expect(costRows(next)[0]).toMatchObject({ decisionId });
  const third = story("restart", next);
  const { total } = third.agent.status(third.nowMs).costs;
  expect(total).toEqual(next.agent.status(next.nowMs).costs.total);
});

test("a restart measures what had filled and was not measured yet", () => {
  const w = story(
    `
    fill BUY 0.003 @ 60009 by 001 as order fee 0.0315 now
    1 s                          -> writes cost never
    restart
    9 s                          -> writes cost open 0.0315 once
    `,
    opened(),
  );
  expect(costRows(w)[0]).toMatchObject({ clientOrderId: w.given.before?.last("place").intent.clientOrderId });
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
  const w = opened();
  const learnt = () => w.agent.status(w.nowMs).costs.learnt;
  expect(learnt()).toMatchObject({ takerFeeBps: 1.75, makerFeeBps: 0.8 });
  w.feed({ kind: "fees", rates: [{ exchange: "EXCHANGE_B", taker: dec("0.001"), maker: dec("0.0005") }] });
  expect(learnt()).toMatchObject({ takerFeeBps: 1.75, makerFeeBps: 0.8 });
  w.feed({ kind: "fees", rates: [{ exchange: "EXCHANGE_A", taker: dec("0.0004"), maker: dec("-0.00005") }] });
  expect(learnt()).toMatchObject({ takerFeeBps: 4, makerFeeBps: -0.5 });
});
