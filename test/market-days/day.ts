/** One market day from its plan: the market walks, the plan strikes, the agent does what it can, equity is watched throughout. */
import { dec, toFloat } from "../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/core/time.ts";
import { referenceFor } from "../../src/sim/market/reference-prices.ts";
import { begin, type Day, over, type Scene } from "./begin.ts";
import type { DayPlan, PlanEvent } from "./plan.ts";
import { darken, strike } from "./strike.ts";
import { apart, GAPS_APART_MS, walkTo, worstMoment } from "./walk.ts";
import { LOOK_MS, opened, settle, step } from "./watch.ts";

export interface DayOutcome {
  readonly lowUsdt: number;
  readonly endUsdt: number;
  readonly worstFloor: string;
  readonly gaps: number;
  /** How many of them struck while both sides of a coin were held. */
  readonly pairs: number;
  readonly outages: number;
  readonly orders: number;
  readonly stops: number;
  readonly refused: number;
  readonly looks: number;
  /** The largest share of equity that stood in the market. */
  readonly fullest: number;
  /** The largest loss of one gap, as a share of what was stated for it. */
  readonly ofBound: number;
  /** The least that would have been left at any moment if every symbol had then moved by what is declared for it. */
  readonly leastLeft: number;
  readonly violations: readonly string[];
}

const START_MS = Date.UTC(2026, 0, 5);
const FUNDING_MS = 8 * HOUR_MS;

type Report = (atMs: number, text: string) => void;

const sceneOf = (plan: DayPlan, report: Report | undefined): Scene => ({
  ...plan,
  seed: `market-day-walk:${plan.beyond ? "beyond" : "within"}:${plan.number}`,
  unrest: (base) => referenceFor(base).dailyVolatility * plan.unrest,
  price: (base) => referenceFor(base).price,
  startMs: START_MS,
  lengthMs: DAY_MS,
  report,
});

export function runDay(plan: DayPlan, report?: Report): DayOutcome {
  const day = begin(sceneOf(plan, report), opened);
  open(day);
  for (const event of plan.events) {
    if (over(day)) break;
    walkTo(day, START_MS + event.atMs);
    if (over(day)) break;
    happen(day, event);
  }
  walkTo(day, day.endMs);
  return outcomeOf(day);
}

export function outcomeOf(day: Day): DayOutcome {
  const { seen } = day.loop;
  return {
    lowUsdt: toFloat(day.low),
    endUsdt: toFloat(day.venue.equity()),
    worstFloor: seen.worstFloor,
    gaps: day.struck,
    pairs: day.pairsStruck,
    outages: day.outages,
    orders: seen.orders,
    stops: seen.stops,
    refused: seen.refused,
    looks: day.looks,
    fullest: day.fullest,
    ofBound: day.ofBound,
    leastLeft: day.leastLeft,
    violations: day.violations,
  };
}

export function open(day: Day): void {
  const { loop } = day;
  chargeFunding(day, "LONG");
  for (let second = 0; second < 30 && loop.agent.status(loop.clock.nowMs()).stage !== "ready"; second++)
    step(day, LOOK_MS);
  if (loop.agent.status(loop.clock.nowMs()).stage !== "ready") day.violations.push("the agent did not become ready");
  settle(day, 90 * SECOND_MS);
}

function happen(day: Day, event: PlanEvent): void {
  switch (event.what) {
    case "turn":
      day.trader.lean(event.leg);
      return chargeFunding(day, event.leg);
    case "resume":
      day.loop.operator("resume");
      return settle(day, 30 * SECOND_MS);
    case "gap":
      worstMoment(day, event.moment);
      strike(day, event.gap);
      settle(day, GAPS_APART_MS);
      return apart(day);
    case "outage":
      worstMoment(day, event.moment);
      darken(day, event);
      return apart(day);
  }
}

/** Every settlement goes against the side that is leant to. */
function chargeFunding({ venue, scene, loop }: Day, positionSide: "LONG" | "SHORT"): void {
  const rate = dec((positionSide === "LONG" ? scene.funding : -scene.funding).toFixed(6));
  const nextMs = (Math.floor(loop.clock.nowMs() / FUNDING_MS) + 1) * FUNDING_MS;
  for (const symbol of venue.symbols) venue.exchange.market.setFunding(symbol, rate, nextMs);
}
