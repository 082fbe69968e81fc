/** How a market day stands at its beginning, and everything that changes in it. */
import type { AgentSettings } from "../../src/agent/contract/settings.ts";
import { createContext } from "../../src/context/context.ts";
import { DAY_MS } from "../../src/core/time.ts";
import type { MarketSink } from "../../src/domain/market.ts";
import { REST_RATES } from "../../src/protocol/rest-rates.ts";
import type { SessionTerms } from "../../src/lab/fast/loop-state.ts";
import { ConfigSchema } from "../../src/config/config.ts";
import { OBJECTIVE_NAMES, OBJECTIVES } from "../../src/config/objectives.ts";
import { dec, type Decimal, toFloat } from "../../src/core/decimal.ts";
import { type Entropy, seededEntropy } from "../../src/core/entropy.ts";
import type { NewsItem } from "../../src/domain/news-item.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";
import { agentSettings } from "../../src/control/agent-settings.ts";
import { gapFor } from "../../src/risk/settings.ts";
import { symbolSpecs } from "../../src/sim/symbol-table.ts";
import { type BareExchange, createBareExchange } from "../../src/lab/fast/bare-exchange.ts";
import { type Greedy, greedy } from "./greedy.ts";
import { DEPTHS } from "./depths.ts";
import { createDirectLoop, type DirectLoop } from "../../src/lab/fast/direct-loop.ts";
import type { DayPlan } from "./plan.ts";

const EXCHANGE = "EXCHANGE_A";
const SECOND_EXCHANGE = "EXCHANGE_B";
export const FLOOR_USDT = 800;

/** One side of a pair is no larger than leaves room for the other: two sides of a coin with the wider gap are smaller. */
const pairSize = ({ bases: [base = ""] }: Pick<Scene, "bases">): number =>
  ["BTC", "ETH"].includes(base) ? 0.95 : 0.55;

/** What a day begins with, whether its prices are made or recorded. */
export interface Scene extends Pick<
  DayPlan,
  "beyond" | "paired" | "phase" | "mode" | "startUsdt" | "bases" | "depth" | "risk" | "latencyMs" | "lossy" | "funding"
> {
  /** Names the chances of the day. */
  readonly seed: string;
  /** Standard deviation of a day's return by base, and where prices begin. */
  readonly unrest: (base: string) => number;
  readonly price: (base: string) => number;
  readonly startMs: number;
  readonly lengthMs: number;
  readonly report: ((atMs: number, text: string) => void) | undefined;
}

export interface Day {
  readonly scene: Scene;
  readonly loop: DirectLoop;
  readonly venue: BareExchange;
  readonly trader: Greedy;
  readonly settings: AgentSettings;
  readonly entropy: Entropy;
  readonly endMs: number;
  low: Decimal;
  fullest: number;
  /** By symbol, what the settings declare. */
  readonly gaps: ReadonlyMap<string, number>;
  struck: number;
  /** How many of the strikes found both sides of a coin held. */
  pairsStruck: number;
  outages: number;
  looks: number;
  ofBound: number;
  leastLeft: number;
  /** When the price last leapt. */
  struckMs: number;
  /** How long a gap would have left too little by now. */
  bareMs: number;
  readonly violations: string[];
}

export const symbolOf = (base: string): string => perpSymbol(EXCHANGE, base);
export const baseOf = (symbol: string): string => symbol.split("_").at(-2) ?? symbol;
/** Whether the symbol is the coin's second one, whose price keeps close to the first. */
export const isSecond = (symbol: string): boolean => symbol.startsWith(SECOND_EXCHANGE);
export const firstOf = (symbol: string): string => symbolOf(baseOf(symbol));

const secondsOf = ({ paired, bases }: Pick<Scene, "paired" | "bases">): readonly string[] =>
  paired ? bases.map((base) => perpSymbol(SECOND_EXCHANGE, base)) : [];

export function settingsOf(plan: Pick<Scene, "phase" | "paired" | "bases" | "risk">): AgentSettings {
  const objective = OBJECTIVE_NAMES.find((name) => name === plan.risk);
  const wide = plan.risk === "wide" || plan.risk === "bold";
  const config = ConfigSchema.parse({
    phase: plan.phase,
    universe: [...plan.bases, ...secondsOf(plan)],
    // Decisions come with closes and nudges: one on a reading that is half an hour old would open nothing.
    cadence: { every: "30d", minGap: "3s", firstAfter: "1s", onFill: false, moveSigma: 0 },
    risk: wide
      ? {
          perOrderEquityShare: 1,
          perSymbolEquityShare: 1,
          perDirectionEquityShare: 5,
          maxPositions: 10,
          dailyLossStop: 1,
          ordersPerHour: 600,
          feesPerDayShare: 1,
          minHolding: "1s",
          flipCooldown: "3s",
          reentryCooldown: "3s",
          ...(plan.risk === "bold" ? { gapMajors: 0.05, gapOthers: 0.1 } : {}),
        }
      : objective
        ? OBJECTIVES[objective].risk
        : {},
  });
  return agentSettings(config, EXCHANGE);
}

/** A session whose caps never bind: what a day looks for are the limits of the agent's own. */
const SESSION: SessionTerms = {
  maxNotionalPerOrder: dec("100000"),
  maxTotalNotional: dec("1000000"),
  expiresIn: 30 * DAY_MS,
  allowedActions: ["order.place", "order.replace", "order.cancel"],
  allowedOrderTypes: ["LIMIT", "MARKET"],
};

export function reportPrices(sink: MarketSink, venue: BareExchange, nowMs: number): void {
  for (const symbol of venue.symbols) {
    const price = venue.price(symbol);
    const { halfSpread } = venue.depth(symbol);
    const [bid, ask] = [price * (1 - halfSpread), price * (1 + halfSpread)];
    sink.bbo(symbol, bid, 5, ask, 5, nowMs);
    sink.bookBegin(symbol, true, nowMs, nowMs);
    sink.bookSide(true, Float64Array.of(bid, 5), 1);
    sink.bookSide(false, Float64Array.of(ask, 5), 1);
    sink.bookEnd();
    sink.mark(symbol, price, nowMs);
    sink.index(symbol, price, nowMs);
  }
}

/** News of nothing: the agent decides at its next look. */
export function nudge({ loop, settings }: Day): void {
  loop.news(nudgeItem((settings.universe[0] ?? "").split("_").at(-2) ?? "", loop.clock.nowMs()));
}

export const nudgeItem = (base: string, atMs: number): NewsItem => ({
  key: `nudge:${atMs}`,
  kind: "news",
  newsId: String(atMs),
  title: "Nothing has happened",
  text: "",
  category: null,
  author: null,
  currencies: [base],
  publishedAtMs: atMs,
  firstSeenMs: atMs,
  sourceUrl: null,
});

/** `arrived` is reported every opening order that reaches the venue. */
export function begin(scene: Scene, arrived: (day: Day) => void): Day {
  const entropy = seededEntropy(scene.seed);
  const settings = settingsOf(scene);
  const only = [...scene.bases.map(symbolOf), ...secondsOf(scene)];
  const venue = createBareExchange({
    specs: symbolSpecs({
      exchanges: scene.paired ? [EXCHANGE, SECOND_EXCHANGE] : [EXCHANGE],
      phase: scene.phase,
      only,
    }),
    phase: scene.phase,
    mode: scene.mode,
    startUsdt: scene.startUsdt,
    depth: () => DEPTHS[scene.depth],
    // A pair needs money on both exchanges.
    settings: { phaseTwoEverywhere: scene.paired },
    eliminationBelowUsdt: scene.beyond ? null : dec(FLOOR_USDT),
    startMs: scene.startMs,
  });
  venue.move(new Map(only.map((symbol) => [symbol, scene.price(baseOf(symbol))])), scene.startMs);
  const trader = greedy(entropy.fork("greedy"), { turned: isSecond, largest: scene.paired ? pairSize(scene) : 1 });
  const lose = entropy.fork("lose");
  const loop = createDirectLoop({
    bare: venue,
    context: createContext({
      universe: settings.universe,
      intervals: ["1m"],
      caps: { minuteBars: 10, bars: 10, barsShown: 1 },
    }),
    settings,
    rates: REST_RATES,
    session: SESSION,
    quote: (sink, nowMs) => reportPrices(sink, venue, nowMs),
    strategies: trader.strategies,
    startMs: scene.startMs,
    latencyMs: scene.latencyMs,
    lose: () => lose.next("push"),
    arrived: () => arrived(day),
    ...(scene.report ? { report: scene.report } : {}),
  });
  loop.link.lossy = scene.lossy;
  const day: Day = {
    scene,
    loop,
    venue,
    trader,
    settings,
    entropy,
    endMs: scene.startMs + scene.lengthMs,
    low: venue.equity(),
    fullest: 0,
    gaps: new Map(venue.symbols.map((symbol) => [symbol, toFloat(gapFor(settings.risk, symbol))])),
    struck: 0,
    pairsStruck: 0,
    outages: 0,
    looks: 0,
    ofBound: 0,
    leastLeft: Infinity,
    struckMs: -Infinity,
    bareMs: 0,
    violations: [],
  };
  return day;
}

export const over = (day: Day): boolean => day.violations.length > 0 || day.loop.clock.nowMs() >= day.endMs;
