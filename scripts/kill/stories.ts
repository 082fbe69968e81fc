/**
 * The stories of the real kill sweep: short, with few rows, each exercising another part of the program when the
 * process is killed.
 */
import { stringify } from "yaml";
import { perpSymbol } from "../../src/domain/symbol.ts";
import type { ExchangeSettings } from "../../src/sim/exchange/contract/settings.ts";

/** Between two decisions, venue time. */
const STEP_MS = 4_000;

interface ScriptedTarget {
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly size: number;
  readonly stop?: number;
  readonly target?: number;
  readonly urgency?: "take" | "rest";
}

/** Events of the world, in venue milliseconds after the first step of each run. */
export type StoryEvent = { readonly atMs: number } & (
  | { readonly what: "operator"; readonly command: "halt" | "resume" }
  | { readonly what: "price"; readonly move: number; readonly overMs: number }
);

export interface Story {
  readonly name: string;
  readonly bases: readonly string[];
  /** The targets of each decision, in turn. */
  readonly steps: readonly (readonly ScriptedTarget[])[];
  readonly strategy: "scripted" | "scripted-model";
  readonly route: "rest" | "user-stream";
  readonly mode: "BOTH" | "NET";
  readonly venue: Partial<ExchangeSettings>;
  /** Merged into the configuration, part by part. */
  readonly config: Readonly<Record<string, object>>;
  readonly events: readonly StoryEvent[];
  /** News is read: a dozen more rows at every start. */
  readonly news: boolean;
}

const ADA = perpSymbol("EXCHANGE_A", "ADA");
const XLM = perpSymbol("EXCHANGE_A", "XLM");
const long = (size: number, more: Partial<ScriptedTarget> = {}): ScriptedTarget => ({
  symbol: ADA,
  leg: "LONG",
  size,
  ...more,
});
const short = (size: number, more: Partial<ScriptedTarget> = {}): ScriptedTarget => ({
  symbol: ADA,
  leg: "SHORT",
  size,
  ...more,
});

const PLAIN: Omit<Story, "name" | "steps"> = {
  bases: ["ADA"],
  strategy: "scripted",
  route: "rest",
  mode: "BOTH",
  venue: {},
  config: {},
  events: [],
  news: false,
};

/** A steady rise, so that a buyer's resting order is not filled. */
const RISING: readonly StoryEvent[] = [{ what: "price", atMs: 0, move: 0.02, overMs: 8_000 }];
const CREEPING: readonly StoryEvent[] = [{ what: "price", atMs: 0, move: 0.004, overMs: 6_000 }];
const FALLING: readonly StoryEvent[] = [{ what: "price", atMs: 2_000, move: -0.03, overMs: 3_000 }];
const RESTING = { execution: { restFor: "3s", entry: { style: "post-only", chases: 0 } } };
const CHASING = {
  execution: {
    restFor: "4s",
    entry: {
      style: "post-only",
      chases: 2,
      chaseEvery: "1500ms",
      maxDistanceBps: 200,
      maxDistanceSigma: 0,
      then: "cross",
    },
  },
};
const TRAILING = { protection: { unit: "percent", trailing: { activation: 0.1, distance: 1 }, minStep: 0.003 } };

const reported = (name: string, steps: Story["steps"], change: Partial<Story> = {}): Story => ({
  ...PLAIN,
  name,
  steps,
  ...change,
});

export const STORIES: readonly Story[] = [
  reported("open", [[long(0.6)]]),
  reported("close", [[long(0.6)], [long(0)]]),
  reported("target", [[short(0.6, { target: 0.05 })], [short(0)]]),
  reported("rest", [[long(0.6, { urgency: "rest" })], []], { config: RESTING, events: RISING }),
  reported("chase", [[long(0.6, { urgency: "rest" })], [], []], { config: CHASING, events: CREEPING }),
  reported("reduce", [[long(0.8)], [long(0.3)]]),
  reported("reverse", [[long(0.5)], [long(0)], [short(0.5)], [short(0.5)]]),
  reported("one-way", [[long(0.5)], [long(0)], [short(0.5)], [short(0.5)]], { mode: "NET" }),
  reported("two", [[long(0.4), { symbol: XLM, leg: "SHORT", size: 0.4 }]], {
    bases: ["ADA", "XLM"],
    route: "user-stream",
  }),
  reported("trail", [[long(0.6, { stop: 0.02 })], [], []], { config: TRAILING, events: RISING }),
  reported("stopped-out", [[long(0.6, { stop: 0.012 })], [], []], { events: FALLING }),
  reported("halt", [[long(0.6)], [long(0)]], {
    events: [
      { what: "operator", atMs: 1_500, command: "halt" },
      { what: "operator", atMs: 6_000, command: "resume" },
    ],
  }),
  reported("slices", [[long(0.8)], []], {
    config: { execution: { slices: { depthShare: 0.002, pause: "1s", minUsdt: "120" } } },
    route: "user-stream",
  }),
  reported("slow", [[long(0.6)], [long(0)]], {
    venue: { placeDelayMs: 800, cancelDelayMs: 1_500, amendDelayMs: 1_000 },
  }),
  reported("model", [[long(0.6)], [long(0.6)]], { strategy: "scripted-model", news: true }),
];

/** Value of a position of size 1. */
export const FULL_USDT = 400;
const CAPS = { maxNotionalPerOrder: "400", maxTotalNotional: "20000" } as const;

/** The configuration file of a story's runs. */
export function configFile(story: Story): string {
  const { strategy, steps, bases, route, config } = story;
  const base: Readonly<Record<string, object>> = {
    venue: { kind: "service", orderRoute: route },
    strategy: { use: strategy, fallback: "hold", settings: { [strategy]: { steps } } },
    cadence: { every: `${STEP_MS}ms`, minGap: "1s", firstAfter: "3s", onNews: false, onFill: false, moveSigma: 0 },
    session: {
      consentFor: "127.0.0.1",
      live: true,
      consent: `I let this agent trade in a test, up to ${CAPS.maxNotionalPerOrder} USDT an order and ${CAPS.maxTotalNotional} USDT in all.`,
      ...CAPS,
    },
    risk: {
      minHolding: "1s",
      flipCooldown: "1s",
      reentryCooldown: "1s",
      ordersPerHour: 500,
      feesPerDayShare: 1,
      dailyLossStop: 0.15,
    },
    recorder: { enabled: false },
    learning: { review: "off" },
  };
  const parts = Object.fromEntries(
    Object.keys({ ...base, ...config }).map((part) => [part, { ...base[part], ...config[part] }]),
  );
  return stringify({ phase: 1, universe: bases, ...parts });
}
