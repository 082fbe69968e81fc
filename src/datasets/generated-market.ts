/**
 * Seeded synthetic markets with known properties, minute by minute: what a strategy earns on them shows what it reacts to.
 * Prices are floats here; they are rounded where they are written.
 */
import { type Entropy, seededEntropy } from "../core/entropy.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/time.ts";

export const GENERATED_MARKET_KINDS = ["trending", "ranging", "crash", "funding-squeeze", "news-shocks"] as const;
export type GeneratedMarketKind = (typeof GENERATED_MARKET_KINDS)[number];

/** `symbols` as `BTCUSDT`. Times on a minute. */
export interface GenerationRequest {
  readonly kind: GeneratedMarketKind;
  readonly symbols: readonly string[];
  readonly fromMs: number;
  readonly forMs: number;
  readonly seed: number;
}

export interface GeneratedBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base units. */
  readonly volume: number;
}

export interface GeneratedHeadline {
  readonly atMs: number;
  readonly symbol: string;
  readonly title: string;
  /** What it does to the price within `NEWS_TAKES_MS`, as a log return. */
  readonly move: number;
}

export interface GeneratedMarket {
  readonly bars: ReadonlyMap<string, readonly GeneratedBar[]>;
  readonly funding: ReadonlyMap<string, readonly { readonly atMs: number; readonly rate: number }[]>;
  readonly headlines: readonly GeneratedHeadline[];
  /** What was planted, in words with times: for whoever judges a strategy by it. */
  readonly planted: readonly string[];
}

/** Standard deviation of a minute's log return. */
const MINUTE_SIGMA = 0.0006;
/** Share of the variance that all symbols have in common. */
const COMMON = 0.5;
const PATH_STEPS = 6;
/** A trend lasts so long on average, and drifts so much an hour. */
const TREND_HOURS = 36;
const TREND_AN_HOUR = 0.004;
/** Half of a distance from the anchor is gone after so long. */
const RANGE_HALF_LIFE_H = 3;
export const CRASH_FALL = 0.4;
export const CRASH_TAKES_MS = HOUR_MS;
export const SQUEEZE_RATE = -0.0015;
export const SQUEEZE_RISE = 0.25;
export const SQUEEZE_TAKES_MS = 2 * HOUR_MS;
const FUNDING_MS = 8 * HOUR_MS;
const USUAL_RATE = 0.0001;
const HEADLINES_A_DAY = 4;
export const NEWS_MOVE = 0.04;
export const NEWS_TAKES_MS = 15 * MINUTE_MS;
/** The price begins to move so long after the headline. */
export const NEWS_LAG_MS = MINUTE_MS;

const PRICES: Readonly<Record<string, number>> = { BTCUSDT: 60_000, ETHUSDT: 3_000, SOLUSDT: 150, BNBUSDT: 600 };
const OTHER_PRICE = 1.5;
const MINUTE_USDT = 400_000;

/** Log drift of the minute that begins at `atMs`, given how far the log price is from its start. */
type Drift = (symbol: string, atMs: number, away: number) => number;

/** The same request gives the same market. */
export function generateMarket(request: GenerationRequest): GeneratedMarket {
  const { kind, symbols, fromMs, forMs, seed } = request;
  const entropy = seededEntropy(`made:${kind}:${seed}`);
  const plan = PLANS[kind](request, entropy.fork("plan"));
  const minutes = Math.floor(forMs / MINUTE_MS);
  const common = seededEntropy(`made:${kind}:${seed}:common`);
  const shared = Float64Array.from({ length: minutes * PATH_STEPS }, () => common.normal("the market"));
  const bars = new Map(
    symbols.map((symbol) => [symbol, walk(symbol, { plan, shared, fromMs, minutes, entropy: entropy.fork(symbol) })]),
  );
  const settlements = Math.ceil((fromMs + forMs) / FUNDING_MS) - Math.ceil(fromMs / FUNDING_MS);
  const times = Array.from({ length: settlements }, (_, i) => (Math.ceil(fromMs / FUNDING_MS) + i) * FUNDING_MS);
  const funding = new Map(
    symbols.map((symbol) => [symbol, times.map((atMs) => ({ atMs, rate: plan.rate?.(atMs) ?? USUAL_RATE }))]),
  );
  return { bars, funding, headlines: plan.headlines ?? [], planted: plan.planted };
}

interface Walk {
  readonly plan: Plan;
  readonly shared: Float64Array;
  readonly fromMs: number;
  readonly minutes: number;
  readonly entropy: Entropy;
}

function walk(symbol: string, { plan, shared, fromMs, minutes, entropy }: Walk): readonly GeneratedBar[] {
  const start = PRICES[symbol] ?? OTHER_PRICE;
  const sigma = MINUTE_SIGMA / Math.sqrt(PATH_STEPS);
  const bars: GeneratedBar[] = [];
  let away = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const open = start * Math.exp(away);
    let [high, low] = [open, open];
    const drift = plan.drift(symbol, fromMs + minute * MINUTE_MS, away) / PATH_STEPS;
    const before = away;
    for (let step = 0; step < PATH_STEPS; step++) {
      const market = shared[minute * PATH_STEPS + step] ?? 0;
      const own = entropy.normal("the symbol");
      away += drift + sigma * (Math.sqrt(COMMON) * market + Math.sqrt(1 - COMMON) * own);
      const price = start * Math.exp(away);
      high = Math.max(high, price);
      low = Math.min(low, price);
    }
    const close = start * Math.exp(away);
    const busy = 0.5 + entropy.next("volume") + Math.abs(away - before) / MINUTE_SIGMA;
    bars.push({ open, high, low, close, volume: (MINUTE_USDT * busy) / close });
  }
  return bars;
}

interface Plan {
  readonly drift: Drift;
  readonly rate?: (atMs: number) => number;
  readonly headlines?: readonly GeneratedHeadline[];
  readonly planted: readonly string[];
}

const iso = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16) + "Z";

const PLANS: Readonly<Record<GeneratedMarketKind, (request: GenerationRequest, entropy: Entropy) => Plan>> = {
  trending: ({ fromMs, forMs }, entropy) => {
    const turns: { readonly atMs: number; readonly way: number }[] = [];
    let way = entropy.chance("first", 0.5) ? 1 : -1;
    for (let atMs = fromMs; atMs < fromMs + forMs; way = -way) {
      turns.push({ atMs, way });
      atMs += TREND_HOURS * HOUR_MS * (0.5 + entropy.next("length"));
    }
    const wayAt = (atMs: number): number => turns.findLast((turn) => turn.atMs <= atMs)?.way ?? 1;
    return {
      drift: (_symbol, atMs) => (wayAt(atMs) * TREND_AN_HOUR) / 60,
      planted: turns.map(
        ({ atMs, way: to }) =>
          `${iso(atMs)} all symbols begin to ${to > 0 ? "rise" : "fall"} ${TREND_AN_HOUR * 100} % an hour`,
      ),
    };
  },
  ranging: () => {
    const back = Math.LN2 / (RANGE_HALF_LIFE_H * 60);
    return {
      drift: (_symbol, _atMs, away) => -back * away,
      planted: [`prices return to their start, half of the way in ${RANGE_HALF_LIFE_H} hours`],
    };
  },
  crash: ({ fromMs, forMs }) => {
    const crashMs = Math.floor((fromMs + 0.6 * forMs) / HOUR_MS) * HOUR_MS;
    const backMs = 12 * HOUR_MS;
    const fall = Math.log(1 - CRASH_FALL);
    return {
      drift: (_symbol, atMs) => {
        const since = atMs - crashMs;
        if (since < 0 || since >= CRASH_TAKES_MS + backMs) return 0;
        return since < CRASH_TAKES_MS ? (fall * MINUTE_MS) / CRASH_TAKES_MS : ((-fall / 2) * MINUTE_MS) / backMs;
      },
      planted: [
        `${iso(crashMs)} all symbols fall by ${CRASH_FALL * 100} % within an hour, and half of that recovers in 12 hours`,
      ],
    };
  },
  "funding-squeeze": ({ fromMs, forMs }) => {
    const squeezeMs = Math.floor((fromMs + 0.6 * forMs) / FUNDING_MS) * FUNDING_MS;
    const crowdedMs = squeezeMs - Math.min(3 * DAY_MS, Math.floor((squeezeMs - fromMs) / 2 / FUNDING_MS) * FUNDING_MS);
    const rise = Math.log(1 + SQUEEZE_RISE);
    return {
      rate: (atMs) => (atMs > crowdedMs && atMs <= squeezeMs ? SQUEEZE_RATE : USUAL_RATE),
      drift: (_symbol, atMs) =>
        atMs >= squeezeMs && atMs < squeezeMs + SQUEEZE_TAKES_MS ? (rise * MINUTE_MS) / SQUEEZE_TAKES_MS : 0,
      planted: [
        `${iso(crowdedMs)} shorts begin to pay ${-SQUEEZE_RATE * 100} % a settlement`,
        `${iso(squeezeMs)} all symbols rise ${SQUEEZE_RISE * 100} % within two hours`,
      ],
    };
  },
  "news-shocks": ({ symbols, fromMs, forMs }, entropy) => {
    const count = Math.max(1, Math.floor((forMs / DAY_MS) * HEADLINES_A_DAY));
    const slot = forMs / count;
    const headlines = Array.from({ length: count }, (_, at): GeneratedHeadline => {
      const symbol = symbols[entropy.int("symbol", 0, symbols.length)] ?? "";
      const good = entropy.chance("good", 0.5);
      // Kept apart, so that no move runs into the next one.
      const offset = entropy.next("when") * Math.max(0, slot - NEWS_LAG_MS - NEWS_TAKES_MS - MINUTE_MS);
      const atMs = Math.floor((fromMs + at * slot + offset) / MINUTE_MS) * MINUTE_MS;
      return { atMs, symbol, move: (good ? 1 : -1) * NEWS_MOVE, title: titleOf(symbol.replace(/USDT$/, ""), good) };
    });
    return {
      headlines,
      drift: (symbol, atMs) =>
        headlines
          .filter((each) => each.symbol === symbol && isMoving(each, atMs))
          .reduce((sum, { move }) => sum + (move * MINUTE_MS) / NEWS_TAKES_MS, 0),
      planted: [
        `${count} headlines; one minute after each, its symbol moves ${NEWS_MOVE * 100} % in its direction within 15 minutes`,
      ],
    };
  },
};

const isMoving = ({ atMs }: GeneratedHeadline, nowMs: number): boolean =>
  nowMs >= atMs + NEWS_LAG_MS && nowMs < atMs + NEWS_LAG_MS + NEWS_TAKES_MS;

const titleOf = (base: string, good: boolean): string =>
  good
    ? `${base} surges as a large fund announces a purchase`
    : `${base} plunges after its developers report an exploit`;
