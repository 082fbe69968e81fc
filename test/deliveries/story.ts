/**
 * A history of an account, played to the real agent core with every push delivered as its fate says. The exchange is the
 * simulated service's own; only what reaches the agent differs between two runs.
 */
import { z } from "zod";
import { createContext } from "../../src/context/context.ts";
import { dec, type Decimal, maxDecimal, toWire, ZERO } from "../../src/core/decimal.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { untimed } from "../../src/harness/untimed.ts";
import { ACCOUNT, type BareExchange, createBareExchange } from "../../src/lab/fast/bare-exchange.ts";
import { createDirectLoop, type DirectLoop } from "../../src/lab/fast/direct-loop.ts";
import type { RestartState } from "../../src/lab/fast/loop-state.ts";
import { restore } from "../../src/restore/restore.ts";
import { memoryJournal } from "../interleavings/journal.ts";
import { writingTo } from "./writing.ts";
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
import { algoPosition } from "../../src/agent/positions/held-stop.ts";

export const FATES = ["now", "lost", "twice", "delayed"] as const;
export type Fate = (typeof FATES)[number];

/** How late each copy comes, ms. A second copy and a delayed one come after lists of the same have been read. */
const COPIES: Readonly<Record<Fate, readonly number[]>> = { now: [0], lost: [], twice: [0, 6_000], delayed: [6_000] };

export type Target = { readonly leg: "LONG" | "SHORT"; readonly size: number; readonly stop: number } | null;

/** What the strategy wants from then on, or what happens to the price or to requests, and how long until the next step. */
export interface Step {
  readonly want?: Target;
  /** The price moves by this share. */
  readonly move?: number;
  readonly rest?: "up" | "lost" | "deaf";
  /** Somebody else trades on the account: closes what is held on that side, or opens so much of it. */
  readonly byHand?: { readonly leg: "LONG" | "SHORT"; readonly qty: number };
  /** The process is killed; another one begins after this step. */
  readonly dies?: true;
  readonly forMs: number;
}

/** What stands before the pushes have fates, and what happens then. */
export interface Plot {
  readonly before: Target;
  readonly steps: readonly Step[];
}

const long = (size: number, stop = 0.05): Target => ({ leg: "LONG", size, stop });
/** The same is wanted again after each of these, and only once may it be given; by the end every list has come round. */
const WANTED_FOR_MS = [3_000, 4_000, 8_000, 15_000, 30_000] as const;
const thenWants = (want: Target, move?: number): readonly Step[] =>
  WANTED_FOR_MS.map((forMs, at) => ({ want, forMs, ...(at === 0 && move !== undefined ? { move } : {}) }));

export const STORIES = {
  open: { before: null, steps: thenWants(long(0.5)) },
  close: { before: long(0.5), steps: thenWants(long(0)) },
  grow: { before: long(0.3), steps: thenWants(long(0.9)) },
  shrink: { before: long(0.9), steps: thenWants(long(0.3)) },
  reverse: { before: long(0.5), steps: thenWants({ leg: "SHORT", size: 0.5, stop: 0.05 }) },
  stop: { before: long(0.5, 0.03), steps: thenWants(null, -0.04) },
} as const satisfies Record<string, Plot>;
export type StoryName = keyof typeof STORIES;

/** How a history reaches the agent. */
export interface Delivery {
  readonly mode: "BOTH" | "NET";
  /** How far lists lie behind, ms. */
  readonly lagMs: number;
  /** How late each copy of the push of that number comes, ms; none for one that is lost. */
  readonly copies: (push: number) => readonly number[];
  /** Whether the venue accepts stops that close the whole position; default yes. */
  readonly closeTypes?: boolean;
  /** How much a level of the book holds: in a thin one orders fill in parts. */
  readonly depth?: keyof typeof DEPTHS;
  /** Hears every log line of the agent. */
  readonly report?: (atMs: number, text: string) => void;
}

export interface Scenario extends Omit<Delivery, "copies"> {
  readonly story: StoryName;
  readonly fates: readonly Fate[];
}

export interface Outcome {
  /** Pushes that had a fate, in order, for a reader of a failure. */
  readonly pushes: readonly string[];
  /** What the venue holds at the end, signed. */
  readonly heldQty: Decimal;
  /** The most that it held at any time, long and short together. */
  readonly mostQty: Decimal;
  readonly problems: readonly string[];
  /** The first instant at which more was held than the limits counted, as held or on its way, while openings were possible. */
  readonly uncounted: string | null;
  /** The longest span in which the venue held a position that no stop covered while it took requests, ms. */
  readonly bareMs: number;
}

const BASE = "SOL";
const SYMBOL = perpSymbol("EXCHANGE_A", BASE);
export const START_PRICE = 150;
const START_MS = Date.UTC(2026, 6, 1);
/** The same in every history, and nothing in them changes. */
const SETTINGS = settingsOf({ paired: false, phase: 1, bases: [BASE], risk: "wide" });
const SPECS = symbolSpecs({ exchanges: ["EXCHANGE_A"], phase: 1, only: [SYMBOL] });
const NO_SETTINGS = z.strictObject({});
const STEP_MS = 200;
const TICK_MS = 1_000;
const READY_MS = 10_000;
const SETTLED_MS = 25_000;
const QUIET_MS = 40_000;
const WAITS = 240;

interface Scene {
  readonly venue: BareExchange;
  /** Of the process that lives, or was the last one to. */
  loop: DirectLoop;
  readonly lists: Lagging;
  /** The next process, from what this one has written down. */
  readonly revive: () => DirectLoop;
  lives: boolean;
  target: Target;
  price: number;
  /** Whether the venue takes requests. */
  reached: boolean;
  mostQty: Decimal;
  uncounted: string | null;
  bareSinceMs: number | null;
  bareMs: number;
  changes: number;
  truth: Truth;
}

export function play({ story, fates, ...delivery }: Scenario): Outcome {
  return playPlot(STORIES[story], {
    ...delivery,
    copies: (push) => COPIES[fates[push] ?? "now"],
  });
}

export function playPlot(plot: Plot, { copies, ...delivery }: Delivery): Outcome {
  const pushes: string[] = [];
  let fated = false;
  const deliver = ({
    channel,
    data,
  }: {
    channel: string;
    data: Readonly<Record<string, unknown>>;
  }): readonly number[] => {
    // The instant of a change at the venue, before the agent can have heard of it.
    if (channel === "Positions") scene.uncounted ??= uncountedAt(scene, truthOf(scene));
    if (!fated || channel === "Assets") return COPIES.now;
    const late = copies(pushes.length);
    pushes.push(
      `${channel} ${String(data["orderState"] ?? data["positionQty"] ?? "")} ${late.join(" and ") || "lost"}`,
    );
    return late;
  };
  const scene = begin(delivery, deliver);
  pass(scene, READY_MS);
  if (plot.before) {
    want(scene, plot.before);
    pass(scene, SETTLED_MS);
  }
  fated = true;
  for (const step of plot.steps) {
    if (step.move !== undefined) {
      scene.price *= 1 + step.move;
      scene.venue.put(SYMBOL, scene.price, scene.loop.clock.nowMs());
    }
    if (step.byHand !== undefined) tradeByHand(scene, delivery.mode, step.byHand);
    if (step.rest !== undefined) scene.loop.restUp(step.rest);
    scene.reached = (step.rest ?? "up") === "up";
    if (step.want !== undefined) want(scene, step.want);
    if (step.dies) dieFor(scene, step.forMs);
    else pass(scene, step.forMs);
  }
  settle(scene);
  return {
    pushes,
    heldQty: netOf(truthOf(scene).held),
    mostQty: scene.mostQty,
    problems: problemsOf(scene),
    uncounted: scene.uncounted,
    bareMs: scene.bareMs,
  };
}

/** Until nothing has happened at the venue for longer than any list lags. */
function settle(scene: Scene): void {
  for (let quietMs = 0, waits = 0; quietMs < QUIET_MS && waits < WAITS; waits++) {
    const changes = scene.loop.link.changes();
    pass(scene, TICK_MS);
    quietMs = scene.loop.link.changes() === changes ? quietMs + TICK_MS : 0;
  }
}

function dieFor(scene: Scene, ms: number): void {
  scene.loop.die();
  scene.lives = false;
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    scene.loop.pass(STEP_MS);
    scene.lists.note(scene.loop.clock.nowMs());
  }
  scene.loop = scene.revive();
  scene.lives = true;
  scene.changes = -1;
  scene.bareSinceMs = null;
}

/** Where nothing is held there is nothing to close, and the venue says so. */
function tradeByHand(
  { venue, loop }: Scene,
  mode: "BOTH" | "NET",
  { leg: side, qty }: NonNullable<Step["byHand"]>,
): void {
  const nowMs = Math.floor(loop.clock.nowMs());
  venue.fresh(nowMs, SYMBOL);
  const positionSide = mode === "BOTH" ? { positionSide: side } : {};
  if (qty === 0) venue.exchange.closePosition(ACCOUNT, { sym: SYMBOL, ...positionSide }, nowMs);
  else {
    const order = {
      sym: SYMBOL,
      side: side === "LONG" ? "BUY" : "SELL",
      orderType: "MARKET",
      ...positionSide,
    } as const;
    venue.exchange.place(ACCOUNT, { ...order, orderQty: qty.toFixed(2), clientOrderId: `hand-${nowMs}` }, nowMs);
  }
}

function begin(
  { mode, lagMs, closeTypes = true, depth = "deep", report }: Omit<Delivery, "copies">,
  deliver: (push: { channel: string; data: Readonly<Record<string, unknown>> }) => readonly number[],
): Scene {
  const venue = createBareExchange({
    specs: SPECS,
    phase: 1,
    mode,
    startUsdt: "1000",
    depth: () => DEPTHS[depth],
    eliminationBelowUsdt: null,
    settings: { closeTypes },
    startMs: START_MS,
  });
  venue.move(new Map([[SYMBOL, START_PRICE]]), START_MS);
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
    settings: NO_SETTINGS,
    needsModel: false,
    decide: () => ({ kind: "targets", targets: targets(), note: "the story" }),
  });
  const armed = { strategy, settings: {} };
  const journal = memoryJournal();
  let lives = 1;
  const live = (life: RestartState): DirectLoop =>
    createDirectLoop({
      life,
      ...writingTo(journal, life),
      bare: venue,
      context: createContext({
        universe: SETTINGS.universe,
        intervals: ["1m"],
        caps: { minuteBars: 10, bars: 10, barsShown: 1 },
      }),
      settings: SETTINGS,
      rates: REST_RATES,
      session: {
        maxNotionalPerOrder: dec("100000"),
        maxTotalNotional: dec("1000000"),
        expiresIn: 30 * DAY_MS,
        allowedActions: ["order.place", "order.replace", "order.cancel"],
        allowedOrderTypes: ["LIMIT", "MARKET"],
      },
      quote: (sink, nowMs) => reportPrices(sink, venue, nowMs),
      strategies: untimed({ chosen: armed, fallback: armed, shadows: [] }),
      startMs: START_MS,
      latencyMs: 40,
      deliver,
      reads: lists.reads,
      ...(report ? { report } : {}),
    });
  const clock = virtualClock(START_MS);
  const lifeNow = (): RestartState => ({ runId: `d${lives}`, restored: restore(journal.reader, clock.nowMs()), clock });
  const scene: Scene = {
    venue,
    loop: live(lifeNow()),
    lists,
    revive: () => {
      lives += 1;
      return live(lifeNow());
    },
    lives: true,
    target: null,
    price: START_PRICE,
    reached: true,
    mostQty: ZERO,
    uncounted: null,
    bareSinceMs: null,
    bareMs: 0,
    changes: -1,
    truth: { held: [], stops: [] },
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

interface Held {
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
}

interface Truth {
  readonly held: readonly Held[];
  /** With the side that each would close; no quantity is all of it. */
  readonly stops: readonly Held[];
}

/** The exchange's present state, whatever its lists say. */
function truthOf({ venue, loop }: Scene): Truth {
  const nowMs = Math.floor(loop.clock.nowMs());
  const held = venue.exchange.positions(ACCOUNT, {}, nowMs);
  const algos = venue.exchange.openAlgos(ACCOUNT, {}, nowMs);
  if (!held.ok || !algos.ok) throw new Error("the exchange refuses to be read");
  return {
    held: readPositions(listOf(positions.reply.parse(held.value))).map(({ side, qty }) => ({ side, qty })),
    stops: listOf(openAlgos.reply.parse(algos.value))
      .map(readAlgoOrder)
      .map((order) => ({ side: algoPosition(order).endsWith("SHORT") ? "SHORT" : "LONG", qty: order.qty })),
  };
}

const netOf = (held: readonly Held[]): Decimal =>
  held.reduce((sum, { side, qty }) => (side === "SHORT" ? sum.sub(qty) : sum.add(qty)), ZERO);
const grossOf = (held: readonly Held[]): Decimal => held.reduce((sum, { qty }) => sum.add(qty), ZERO);

const isCovered = ({ held, stops }: Truth): boolean =>
  held.every(({ side, qty }) => stops.some((stop) => stop.side === side && (stop.qty.isZero() || stop.qty.gte(qty))));

/** What the desk's limits count is the most that can be held: it may never be less than what is held. */
function uncountedAt({ loop, lives }: Scene, truth: Truth): string | null {
  if (!lives || truth.held.length === 0) return null;
  const nowMs = loop.clock.nowMs();
  const facts = loop.agent.wireFacts(SYMBOL, nowMs);
  if (!facts) return null;
  for (const { side, qty } of truth.held) {
    const counted = facts.stakes.filter(({ leg }) => leg === side).reduce((sum, stake) => sum.add(stake.qty), ZERO);
    if (counted.lt(qty))
      return `${toWire(qty)} ${side} held and ${toWire(counted)} counted, ${(nowMs - START_MS) / 1_000} s after the start`;
  }
  return null;
}

function watch(scene: Scene): void {
  const nowMs = scene.loop.clock.nowMs();
  const changes = scene.loop.link.changes();
  if (changes !== scene.changes) scene.truth = truthOf(scene);
  scene.changes = changes;
  scene.mostQty = maxDecimal(scene.mostQty, grossOf(scene.truth.held));
  scene.uncounted ??= uncountedAt(scene, scene.truth);
  // What the venue lets nobody place is no span of the agent's, nor is the time before it answers a new process.
  const isStarting = (): boolean => scene.loop.agent.status(nowMs).stage === "starting";
  if (isCovered(scene.truth) || !scene.reached || isStarting()) scene.bareSinceMs = null;
  else {
    scene.bareSinceMs ??= nowMs;
    scene.bareMs = Math.max(scene.bareMs, nowMs - scene.bareSinceMs);
  }
}

/** What the agent makes of it all in the end, against what is so. */
function problemsOf(scene: Scene): readonly string[] {
  const truth = truthOf(scene);
  const { positions: known, orders } = scene.loop.agent.status(scene.loop.clock.nowMs());
  const problems: string[] = [];
  const sides = (of: readonly { side: string; qty: string | Decimal }[]): string =>
    of
      .map(({ side, qty }) => `${side} ${toWire(dec(qty))}`)
      .sort()
      .join(" and ") || "nothing";
  const [believed, so] = [sides(known), sides(truth.held)];
  if (believed !== so) problems.push(`believes ${believed} held, ${so} is`);
  if (!isCovered(truth)) problems.push(`${so} held without a stop`);
  if (truth.stops.length > truth.held.length) problems.push(`${truth.stops.length} stops for ${so}`);
  if (orders.length > 0) problems.push(`believes ${orders.length} orders open`);
  if (scene.venue.resting().length > 0) problems.push("an order rests");
  return problems;
}
