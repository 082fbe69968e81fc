/** The exchange and the agent of a history, at its beginning. */
import { z } from "zod";
import { createContext } from "../../src/context/context.ts";
import { dec, type Decimal, ZERO } from "../../src/core/decimal.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { untimed } from "../../src/harness/untimed.ts";
import { type BareExchange, createBareExchange } from "../../src/lab/fast/bare-exchange.ts";
import { createDirectLoop, type DirectLoop } from "../../src/lab/fast/direct-loop.ts";
import type { RestartState } from "../../src/lab/fast/loop-state.ts";
import { restore } from "../../src/restore/restore.ts";
import { memoryJournal } from "../support/memory-journal.ts";
import { REST_RATES } from "../../src/protocol/rest-rates.ts";
import { symbolSpecs } from "../../src/sim/symbol-table.ts";
import { defineStrategy, type TargetPosition } from "../../src/strategy/strategy.ts";
import { reportPrices, settingsOf } from "../market-days/begin.ts";
import { DEPTHS } from "../market-days/depths.ts";
import { writingTo } from "./writing.ts";
import { type Lagging, lagging } from "./lagging.ts";
import type { Target } from "./plots.ts";
import type { Truth } from "./truth.ts";

export const BASE = "SOL";
export const SYMBOL = perpSymbol("EXCHANGE_A", BASE);
export const START_PRICE = 150;
export const START_MS = Date.UTC(2026, 6, 1);
/** The same in every history, and nothing in them changes. */
const SETTINGS = settingsOf({ paired: false, phase: 1, bases: [BASE], risk: "wide" });
const SPECS = symbolSpecs({ exchanges: ["EXCHANGE_A"], phase: 1, only: [SYMBOL] });
const NO_SETTINGS = z.strictObject({});
export const STEP_MS = 200;
export const TICK_MS = 1_000;
/** Of an agent that has written and heard nothing since its last tick and waits for nothing. Its reads come at multiples of this. */
export const CALM_TICK_MS = 4_000;

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

export interface Scene {
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
  looseSinceMs: number | null;
  looseMs: number;
  /** As last watched: how often the account has changed at the venue, and how many events the agent has taken. */
  changes: number;
  steps: number;
  truth: Truth;
  /** The last tick. */
  readonly ticked: { atMs: number };
  /** Whether this process was seen to be ready; it stays so. */
  isReady: boolean;
}

export function begin(
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
    looseSinceMs: null,
    looseMs: 0,
    changes: -1,
    steps: -1,
    truth: { held: [], stops: [] },
    ticked: { atMs: START_MS },
    isReady: false,
  };
  return scene;
}
