/**
 * The trading service as one object: every call returns an Outcome and none throws. Owns the limits, the signature
 * and the venue's time. Spec: 1 §4, §5, §8.1.
 */
import { mapOutcome, type Outcome } from "../core/outcome.ts";
import type { Log } from "../core/log.ts";
import type { Secret } from "../core/secret.ts";
import type { ClockOffset, VenueClient } from "../domain/venue.ts";
import type { NetEnv } from "../net/network.ts";
import { createRateLimiter, type RateLimiter } from "../net/rate-limit.ts";
import { accountCalls } from "./account.ts";
import { algoCalls } from "./algos.ts";
import { type VenueCall, createCaller, given } from "./call.ts";
import { measureVenueClock } from "./measure-clock.ts";
import { orderCalls } from "./orders.ts";
import { positionCalls } from "./positions.ts";
import { createVenueClock, type VenueClock } from "./venue-clock.ts";
import { createVenueTroubles } from "./venue-trouble.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { fundingOf, fundingRate } from "../protocol/trading/funding-rate.ts";
import { markPrice, readMarkPrices } from "../protocol/trading/mark-price.ts";
import { phaseWord, readRanking, trackARanking } from "../protocol/trading/track-a-ranking.ts";
import { readSymbolInfo, symbolInfo } from "../protocol/trading/symbol-info.ts";

/** One per process and key, because windows and clock are in it. Sends nothing after `close`. */
export interface TradingClient extends VenueClient {
  /** Calls any endpoint with its own parameters; the methods above use it. */
  readonly call: VenueCall;
  /** The offset of the venue's time and its uncertainty. The caller decides whether to sign. */
  clockOffset(): ClockOffset;
  /** Requests the venue's time. Also runs when the venue refuses ours (code 7000). */
  measureClock(): Promise<Outcome<ClockOffset>>;
  /** The estimate that streams update from their pongs and sign their logins with. */
  readonly venueClock: VenueClock;
  /** `snapshot()` for the journal, `restore()` after a restart. */
  readonly limiter: RateLimiter;
}

/** Service, key and exchange accounts of one client. */
export interface TradingClientOptions {
  readonly env: NetEnv;
  readonly log: Log;
  /** `http(s)://host[:port]`. */
  readonly baseUrl: string;
  readonly accessKey: Secret;
  readonly secretKey: Secret;
  /** The operator's exchange identifiers. Empty includes every account the venue shows. */
  readonly exchanges: readonly string[];
  /** Whether a "done" holds the venue's whole answer too. Default: no. */
  readonly keepAnswers?: boolean;
  /** Share one limiter with other clients of the same key. */
  readonly limiter?: RateLimiter;
  /** How long an opening or an amendment may wait for its slot. The default suits a person; a program decides again. */
  readonly openPatienceMs?: number;
}

/** Sends nothing by itself; the caller requests the first measurement of the venue's time. */
export function createTradingClient(options: TradingClientOptions): TradingClient {
  const { env, log } = options;
  const venueClock = createVenueClock(env.clock);
  const limiter = options.limiter ?? createRateLimiter(env.clock);
  let measuring: Promise<Outcome<ClockOffset>> | null = null;

  const measureClock = (): Promise<Outcome<ClockOffset>> => {
    measuring ??= measureVenueClock(env, log, call, venueClock).finally(() => {
      measuring = null;
    });
    return measuring;
  };
  const troubles = createVenueTroubles(options.baseUrl, env.clock.nowMs);
  const caller = createCaller({
    ...options,
    onOutcome: troubles.note,
    limiter,
    venueClock,
    onClockRefused: () => {
      if (measuring) return;
      venueClock.distrust();
      void measureClock();
    },
  });
  const { call } = caller;
  return {
    ...accountCalls(call, options.exchanges),
    ...orderCalls(call, options.openPatienceMs),
    ...positionCalls(call),
    ...algoCalls(call),
    ...referenceCalls(call),
    call,
    clockOffset: venueClock.offset,
    measureClock: async () => mapOutcome(await measureClock(), (offset) => offset),
    venueClock,
    limiter,
    trouble: troubles.now,
    close: caller.close,
  };
}

type ReferenceCalls = Pick<VenuePort, "symbolRules" | "markPrices" | "fundingRate" | "ranking">;

export function referenceCalls(call: VenueCall): ReferenceCalls {
  return {
    symbolRules: async (symbol) => mapOutcome(await call(symbolInfo, given({ sym: symbol })), readSymbolInfo),
    markPrices: async (symbol) => mapOutcome(await call(markPrice, given({ sym: symbol })), readMarkPrices),
    ranking: async (phase) => mapOutcome(await call(trackARanking, { phase: phaseWord(phase) }), readRanking),
    fundingRate: async (symbol) => {
      const outcome = await call(fundingRate, { sym: symbol });
      if (outcome.kind !== "done") return outcome;
      const funding = fundingOf(outcome.value, symbol);
      return funding
        ? { kind: "done", value: funding }
        : { kind: "unknown", message: `the venue answered without a funding rate for ${symbol}` };
    },
  };
}
