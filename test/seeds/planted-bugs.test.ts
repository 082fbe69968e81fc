/**
 * Would the simulation see it? One known mistake after the other is planted into the agent, and the seeds must find each
 * one within a few runs. A simulation that lets one pass is no proof that there is none.
 */
import { describe, expect, test, vi } from "vitest";
import type * as AgentRoom from "../../src/agent/shell/agent.ts";
import type { AgentEvent } from "../../src/agent/contract/events.ts";
import type { Effect } from "../../src/agent/contract/effects.ts";
import { isOpening } from "../../src/domain/order.ts";
import { placeOrder } from "../../src/protocol/trading/place-order.ts";
import type * as Spend from "../../src/journal/spend-ledger.ts";
import { rejected } from "../../src/protocol/codes.ts";
import type * as Client from "../../src/venue/trading-client.ts";
import type * as VenueTime from "../../src/venue/venue-clock.ts";
import type * as HeldStops from "../../src/agent/positions/held-stop.ts";
import type * as WatchStops from "../../src/agent/view/watch-stops.ts";
import { Decimal } from "../../src/core/decimal.ts";
import { isLong } from "../support/lengths.ts";
import type { Violation } from "./judge.ts";
import { drawPlan, type PlanEvent, type Plan } from "./plan.ts";
import { runPlan } from "./run.ts";
import { operatorRow } from "../../src/rows/operator.ts";

const KEY = `${placeOrder.method} ${placeOrder.path}`;

type TradingClient = ReturnType<typeof Client.createTradingClient>;

type SpendValue = Parameters<Spend.SpendLedger["append"]>[0];

/** Where a mistake may be planted; what is absent does as it should. */
interface Bug {
  /** What the agent does, made worse. */
  readonly step?: (event: AgentEvent, step: (event: AgentEvent) => readonly Effect[]) => readonly Effect[];
  readonly client?: (real: TradingClient) => Partial<TradingClient>;
  readonly spend?: (row: SpendValue) => SpendValue;
  readonly venueTimeOffMs?: number;
  /** Where a stop is wanted, instead of there. */
  readonly stop?: (price: Decimal) => Decimal;
  /** Any stop of somebody else is taken to be enough. */
  readonly trusting?: true;
}

const planted = vi.hoisted(() => ({ bug: {} as Bug }));

vi.mock("../../src/agent/shell/agent.ts", async (original) => {
  const real = await original<typeof AgentRoom>();
  const createAgent: typeof real.createAgent = (setup) => {
    const agent = real.createAgent(setup);
    return { ...agent, step: (event) => planted.bug.step?.(event, agent.step) ?? agent.step(event) };
  };
  return { ...real, createAgent };
});
vi.mock("../../src/venue/trading-client.ts", async (original) => {
  const real = await original<typeof Client>();
  const createTradingClient: typeof real.createTradingClient = (options) => {
    const client = real.createTradingClient(options);
    return { ...client, ...planted.bug.client?.(client) };
  };
  return { ...real, createTradingClient };
});
vi.mock("../../src/journal/spend-ledger.ts", async (original) => {
  const real = await original<typeof Spend>();
  const spendLedger: typeof real.spendLedger = (journal) => {
    const ledger = real.spendLedger(journal);
    return { ...ledger, append: (row, id) => ledger.append(planted.bug.spend?.(row) ?? row, id) };
  };
  return { ...real, spendLedger };
});
vi.mock("../../src/venue/venue-clock.ts", async (original) => {
  const real = await original<typeof VenueTime>();
  const createVenueClock: typeof real.createVenueClock = (clock) => {
    const known = real.createVenueClock(clock);
    return { ...known, nowMs: () => known.nowMs() + (planted.bug.venueTimeOffMs ?? 0) };
  };
  return { ...real, createVenueClock };
});
vi.mock("../../src/agent/view/watch-stops.ts", async (original) => {
  const real = await original<typeof WatchStops>();
  const wantedStop: typeof real.wantedStop = (...given) => {
    const price = real.wantedStop(...given);
    return planted.bug.stop?.(price) ?? price;
  };
  const pricesToPlace: typeof real.pricesToPlace = (...given) => ({
    ...real.pricesToPlace(...given),
    stopPrice: wantedStop(...given),
  });
  return { ...real, wantedStop, pricesToPlace };
});
vi.mock("../../src/agent/positions/held-stop.ts", async (original) => {
  const real = await original<typeof HeldStops>();
  const suffices: typeof real.suffices = (...given) => planted.bug.trusting === true || real.suffices(...given);
  return { ...real, suffices };
});
const without =
  (...kinds: readonly Effect["kind"][]): NonNullable<Bug["step"]> =>
  (event, step) =>
    step(event).filter(({ kind }) => !kinds.includes(kind));

const withoutRows =
  (...rows: readonly string[]): NonNullable<Bug["step"]> =>
  (event, step) =>
    step(event).filter((effect) => effect.kind !== "record" || !rows.includes(effect.row));

/** Half of the stop that the decision wanted, in the row of every intent. */
const halved: NonNullable<Bug["step"]> = (event, step) =>
  step(event).map((effect) => {
    if (effect.kind !== "record" || effect.row !== "intent") return effect;
    const { stopPrice } = effect.body as { readonly stopPrice?: string | null };
    return stopPrice
      ? { ...effect, body: { ...effect.body, stopPrice: new Decimal(stopPrice).div(2).toFixed() } }
      : effect;
  });

const HALT = operatorRow({ command: "halt", from: "NORMAL", to: "HALT" });

/** Notes the operator's halt and goes on as if nothing had been said. */
const deafToHalt: NonNullable<Bug["step"]> = (event, step) =>
  event.kind === "operator" && event.command === "halt"
    ? [{ kind: "record", row: "operator", decisionId: null, body: HALT.body }]
    : step(event);

const fault = (name: string, params: Readonly<Record<string, unknown>>): PlanEvent => ({
  ...{ what: "fault", name, params },
  ...{ atMs: 3_000, forMs: 30_000 },
});

interface Case {
  readonly name: string;
  readonly bug: Bug;
  /** One of these must be given. */
  readonly reports: readonly string[];
  /** What the seeds need for the mistake to show. */
  readonly change?: Partial<Plan>;
}

/** Once the agent is ready. */
const EXTERNAL_WITH_STOP = {
  ...fault("external-order", { symbol: "BTC", orderQty: "0.002", slTriggerPrice: "50000" }),
  atMs: 8_000,
};
const LOST_ANSWERS = [fault("drop-after-apply", { methods: ["POST"], path: "/trading/order", share: 0.5 })];

const CASES: readonly Case[] = [
  {
    name: "an opening is sent twice",
    bug: {
      client: (real) => ({
        placeOrder: async (order) => {
          const first = await real.placeOrder(order);
          if (!isOpening(order)) return first;
          await real.limiter.ready(KEY, placeOrder.limit, { priority: "open", patienceMs: 20_000 });
          await real.placeOrder(order);
          return first;
        },
      }),
    },
    reports: ["I1", "I2"],
  },
  {
    name: "an opening without an answer is tried again",
    bug: {
      client: (real) => ({
        placeOrder: async (order) => {
          const first = await real.placeOrder(order);
          return first.kind === "unknown" ? real.placeOrder(order) : first;
        },
      }),
    },
    reports: ["I1", "I2"],
    change: { events: LOST_ANSWERS },
  },
  {
    name: "more is ordered than was promised",
    bug: { client: (real) => ({ placeOrder: (order) => real.placeOrder({ ...order, qty: order.qty.mul(2) }) }) },
    reports: ["I1", "I11"],
  },
  { name: "positions get no stop", bug: { step: without("protect", "close") }, reports: ["I9", "calm"] },
  {
    name: "a halt is not heeded",
    bug: { step: deafToHalt },
    reports: ["I16"],
    change: { events: [{ what: "operator", atMs: 4_000, command: "halt" }], resumes: false },
  },
  { name: "fills are not counted", bug: { step: withoutRows("fill") }, reports: ["I5", "day"] },
  {
    name: "cancels are not sent, and taken for done",
    bug: { client: () => ({ cancelOrder: () => Promise.resolve({ kind: "done", value: undefined }) }) },
    reports: ["I4", "I7", "calm"],
  },
  {
    name: "what is unknown is taken for refused",
    bug: {
      client: (real) => ({
        placeOrder: async (order) => {
          const outcome = await real.placeOrder(order);
          return outcome.kind === "unknown" ? rejected("401023", "planted") : outcome;
        },
      }),
    },
    reports: ["I4", "I5"],
    change: { events: [...LOST_ANSWERS, fault("push-drop", { share: 1 })] },
  },
  {
    name: "answers of the model are booked below their bill",
    bug: { spend: (row) => (row.kind === "model-settle" ? { ...row, body: { ...row.body, costUsd: "0" } } : row) },
    reports: ["I19", "I20"],
    change: { strategy: "llm-trader" },
  },
  {
    name: "all stops are 10 % too far",
    bug: { stop: (price) => price.mul("0.9").toDecimalPlaces(0) },
    reports: ["I37"],
  },
  { name: "an intent's stop price is halved", bug: { step: halved }, reports: ["I37"] },
  {
    name: "a stop of somebody else counts that is less safe than the wanted one",
    bug: { trusting: true },
    reports: ["I37"],
    change: { strategy: "hold", bases: ["BTC", "ETH"], events: [EXTERNAL_WITH_STOP] },
  },
  { name: "signatures bear a time of two minutes ago", bug: { venueTimeOffMs: -120_000 }, reports: ["calm"] },
];

const SEEDS = [3, 10, 1, 4, 7, 11, 14, 18];

const quiet = (seed: number): Plan => ({
  ...drawPlan("short", seed),
  ...{ route: "rest", mode: "BOTH", strategy: "restless", start: "fresh", latencyMs: 20, stops: "still" },
  ...{ policy: "accept", delays: { placeMs: 0, cancelMs: 0, amendMs: 0 }, unrestMs: 25_000, events: [] },
  entry: { style: "as-wished", then: "give-up", chases: 3, depthShare: 0 },
});

async function toldOf({ bug, change }: Case): Promise<readonly Violation[]> {
  planted.bug = bug;
  try {
    for (const seed of SEEDS) {
      const { violations } = await runPlan({ ...quiet(seed), ...change });
      if (violations.length > 0) return violations;
    }
    return [];
  } finally {
    planted.bug = {};
  }
}

describe("a mistake that is planted is found", () => {
  test.each(CASES.map((each) => [each.name, each] as const))("%s", { timeout: 240_000 }, async (_name, each) => {
    const reported = await toldOf(each);
    expect(reported.map(({ id }) => id)).toEqual(expect.arrayContaining([expect.toBeOneOf([...each.reports])]));
  });

  test("and without one there is nothing to find", { timeout: 400_000 }, async () => {
    for (const change of isLong ? [{}, { events: LOST_ANSWERS }] : [{ events: LOST_ANSWERS }])
      expect(await toldOf({ name: "none", bug: {}, reports: [], change })).toEqual([]);
  });
});
