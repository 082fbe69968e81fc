/**
 * One short story of an account, played to the real agent core with every push delivered as its fate says. The exchange is the
 * simulated service's own; only what reaches the agent differs between two runs.
 */
import { z } from "zod";
import { createContext } from "../../src/context/context.ts";
import { dec, type Decimal, toWire, ZERO } from "../../src/core/decimal.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { ACCOUNT, type BareExchange, createBareExchange } from "../../src/lab/fast/bare-exchange.ts";
import { createDirectLoop, type DirectLoop } from "../../src/lab/fast/direct-loop.ts";
import { listOf } from "../../src/protocol/page.ts";
import { openAlgos } from "../../src/protocol/trading/open-algos.ts";
import { positions } from "../../src/protocol/trading/positions.ts";
import { readAlgoOrder } from "../../src/protocol/records/algo-record.ts";
import { readPositions } from "../../src/protocol/records/position-record.ts";
import { REST_RATES } from "../../src/protocol/rest-rates.ts";
import { symbolSpecs } from "../../src/sim/symbol-table.ts";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";
import { nudgeItem, reportPrices, settingsOf } from "../market-days/begin.ts";
import { DEPTHS } from "../market-days/depths.ts";
import { type Lagging, lagging } from "./lagging.ts";

export const FATES = ["now", "lost", "twice", "delayed"] as const;
export type Fate = (typeof FATES)[number];

/** How late each copy comes, ms. A second copy and a delayed one come after lists of the same have been read. */
const COPIES: Readonly<Record<Fate, readonly number[]>> = { now: [0], lost: [], twice: [0, 6_000], delayed: [6_000] };

type Target = { readonly leg: "LONG" | "SHORT"; readonly size: number; readonly stop: number } | null;

/** What stands before the pushes have fates, and what is wanted then; `falls` is the price after it, as a share. */
export const STORIES = {
  open: { before: null, then: { leg: "LONG", size: 0.5, stop: 0.05 } },
  close: { before: { leg: "LONG", size: 0.5, stop: 0.05 }, then: { leg: "LONG", size: 0, stop: 0.05 } },
  grow: { before: { leg: "LONG", size: 0.3, stop: 0.05 }, then: { leg: "LONG", size: 0.9, stop: 0.05 } },
  shrink: { before: { leg: "LONG", size: 0.9, stop: 0.05 }, then: { leg: "LONG", size: 0.3, stop: 0.05 } },
  reverse: { before: { leg: "LONG", size: 0.5, stop: 0.05 }, then: { leg: "SHORT", size: 0.5, stop: 0.05 } },
  stop: { before: { leg: "LONG", size: 0.5, stop: 0.03 }, then: null, falls: 0.04 },
} as const satisfies Record<string, { before: Target; then: Target; falls?: number }>;
export type StoryName = keyof typeof STORIES;

export interface Scenario {
  readonly story: StoryName;
  readonly mode: "BOTH" | "NET";
  readonly fates: readonly Fate[];
  /** How far lists lie behind, ms. */
  readonly lagMs: number;
  /** Hears every log line of the agent. */
  readonly report?: (atMs: number, text: string) => void;
}

export interface Outcome {
  /** Pushes that had a fate, in order, for a reader of a failure. */
  readonly pushes: readonly string[];
  /** What the venue holds at the end, signed. */
  readonly heldQty: Decimal;
  readonly problems: readonly string[];
  /** The longest span in which the venue held a position that no stop covered, ms. */
  readonly bareMs: number;
}

const BASE = "SOL";
const SYMBOL = perpSymbol("EXCHANGE_A", BASE);
const START_MS = Date.UTC(2026, 6, 1);
const STEP_MS = 200;
const TICK_MS = 1_000;
const READY_MS = 10_000;
const SETTLED_MS = 25_000;
/** The same is wanted again after each of these, and only once may it be given; by the end every list has come round. */
const WANTED_FOR_MS = [3_000, 4_000, 8_000, 15_000, 30_000] as const;

interface Scene {
  readonly venue: BareExchange;
  readonly loop: DirectLoop;
  readonly lists: Lagging;
  target: Target;
  bareSinceMs: number | null;
  bareMs: number;
  changes: number;
  truth: Truth;
}

export function play({ story, mode, fates, lagMs, report }: Scenario): Outcome {
  const plot: { before: Target; then: Target; falls?: number } = STORIES[story];
  const pushes: string[] = [];
  let fated = false;
  const deliver = ({
    channel,
    data,
  }: {
    channel: string;
    data: Readonly<Record<string, unknown>>;
  }): readonly number[] => {
    if (!fated || channel === "Assets") return COPIES.now;
    const fate = fates[pushes.length] ?? "now";
    pushes.push(`${channel} ${String(data["orderState"] ?? data["positionQty"] ?? "")} ${fate}`);
    return COPIES[fate];
  };
  const scene = begin(mode, lagMs, deliver, report);
  pass(scene, READY_MS);
  if (plot.before) {
    want(scene, plot.before);
    pass(scene, SETTLED_MS);
  }
  fated = true;
  if (plot.falls !== undefined) scene.venue.put(SYMBOL, 150 * (1 - plot.falls), scene.loop.clock.nowMs());
  for (const ms of WANTED_FOR_MS) {
    want(scene, plot.then);
    pass(scene, ms);
  }
  return { pushes, heldQty: truthOf(scene).qty, problems: problemsOf(scene), bareMs: scene.bareMs };
}

function begin(
  mode: "BOTH" | "NET",
  lagMs: number,
  deliver: (push: { channel: string; data: Readonly<Record<string, unknown>> }) => readonly number[],
  report: Scenario["report"],
): Scene {
  const settings = settingsOf({ phase: 1, bases: [BASE], risk: "wide" });
  const venue = createBareExchange({
    specs: symbolSpecs({ exchanges: ["EXCHANGE_A"], phase: 1, only: [SYMBOL] }),
    phase: 1,
    mode,
    startUsdt: "1000",
    depth: () => DEPTHS.deep,
    eliminationBelowUsdt: null,
    startMs: START_MS,
  });
  venue.move(new Map([[SYMBOL, 150]]), START_MS);
  const lists = lagging(venue.exchange, lagMs, START_MS);
  const targets = (): readonly TargetPosition[] =>
    scene.target === null
      ? []
      : [
          {
            symbol: SYMBOL,
            leg: scene.target.leg,
            size: scene.target.size,
            stopDistance: scene.target.stop,
            targetDistance: null,
            urgency: "take",
            reason: "the story",
            evidence: [],
          },
        ];
  const strategy = defineStrategy({
    name: "scripted",
    description: "Wants what the story wants.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: () => ({ kind: "targets", targets: targets(), note: "the story" }),
  });
  const armed = { strategy, settings: {} };
  const loop = createDirectLoop({
    bare: venue,
    context: createContext({
      universe: settings.universe,
      intervals: ["1m"],
      caps: { minuteBars: 10, bars: 10, barsShown: 1 },
    }),
    settings,
    rates: REST_RATES,
    session: {
      maxNotionalPerOrder: dec("100000"),
      maxTotalNotional: dec("1000000"),
      expiresIn: 30 * DAY_MS,
      allowedActions: ["order.place", "order.replace", "order.cancel"],
      allowedOrderTypes: ["LIMIT", "MARKET"],
    },
    quote: (sink, nowMs) => reportPrices(sink, venue, nowMs),
    strategies: { chosen: armed, fallback: armed, shadows: [] },
    startMs: START_MS,
    latencyMs: 40,
    deliver,
    reads: lists.reads,
    ...(report ? { report } : {}),
  });
  const scene: Scene = {
    venue,
    loop,
    lists,
    target: null,
    bareSinceMs: null,
    bareMs: 0,
    changes: -1,
    truth: { qty: ZERO, stops: [] },
  };
  return scene;
}

function want(scene: Scene, target: Target): void {
  scene.target = target;
  scene.loop.news(nudgeItem(BASE, scene.loop.clock.nowMs()));
}

function pass(scene: Scene, ms: number): void {
  const { loop, lists } = scene;
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    if (passedMs % TICK_MS === 0) loop.look();
    loop.pass(STEP_MS);
    lists.note(loop.clock.nowMs());
    watch(scene);
  }
}

interface Truth {
  readonly qty: Decimal;
  readonly stops: readonly { readonly qty: Decimal; readonly price: Decimal | null }[];
}

/** As the exchange itself has it now, whatever its lists say. */
function truthOf({ venue, loop }: Scene): Truth {
  const nowMs = Math.floor(loop.clock.nowMs());
  const held = venue.exchange.positions(ACCOUNT, {}, nowMs);
  const algos = venue.exchange.openAlgos(ACCOUNT, {}, nowMs);
  if (!held.ok || !algos.ok) throw new Error("the exchange refuses to be read");
  const qty = readPositions(listOf(positions.reply.parse(held.value))).reduce(
    (sum, { side, qty: of }) => (side === "SHORT" ? sum.sub(of) : sum.add(of)),
    ZERO,
  );
  const stops = listOf(openAlgos.reply.parse(algos.value))
    .map(readAlgoOrder)
    .map((order) => ({ qty: order.qty, price: order.stopLossPrice ?? order.triggerPrice }));
  return { qty, stops };
}

const isCovered = ({ qty, stops }: Truth): boolean =>
  qty.isZero() || stops.some((stop) => stop.qty.isZero() || stop.qty.gte(qty.abs()));

function watch(scene: Scene): void {
  const nowMs = scene.loop.clock.nowMs();
  const changes = scene.loop.link.changes();
  if (changes !== scene.changes) scene.truth = truthOf(scene);
  scene.changes = changes;
  if (isCovered(scene.truth)) scene.bareSinceMs = null;
  else {
    scene.bareSinceMs ??= nowMs;
    scene.bareMs = Math.max(scene.bareMs, nowMs - scene.bareSinceMs);
  }
}

/** What the agent makes of it all in the end, against what is so. */
function problemsOf(scene: Scene): readonly string[] {
  const truth = truthOf(scene);
  const { positions: known, orders } = scene.loop.agent.status(scene.loop.clock.nowMs());
  const believed = known.reduce(
    (sum, { side, qty }) => (side === "SHORT" ? sum.sub(dec(qty)) : sum.add(dec(qty))),
    ZERO,
  );
  const problems: string[] = [];
  if (!believed.eq(truth.qty)) problems.push(`believes ${toWire(believed)} held, ${toWire(truth.qty)} is`);
  if (known.length > 1) problems.push(`believes ${known.length} positions held`);
  if (!isCovered(truth)) problems.push(`${toWire(truth.qty)} held without a stop`);
  if (truth.stops.length > (truth.qty.isZero() ? 0 : 1))
    problems.push(`${truth.stops.length} stops for ${toWire(truth.qty)}`);
  if (orders.length > 0) problems.push(`believes ${orders.length} orders open`);
  if (scene.venue.resting().length > 0) problems.push("an order rests");
  return problems;
}
