/**
 * The trading service as one object: every call answers an Outcome and none throws. Owns the limits, the signature and
 * the venue's time; knows no strategy, no preview and no journal. Spec: 1 §4, §5, §8.1.
 */
import { mapOutcome, type Outcome } from "../core/outcome.ts";
import type { Log } from "../core/log.ts";
import type { Secret } from "../core/secret.ts";
import type { ClockOffset, VenueClient } from "../domain/venue.ts";
import type { NetEnv } from "../net/network.ts";
import { createRateLimiter, type RateLimiter } from "../net/rate-limit.ts";
import { accountCalls } from "./account.ts";
import { algoCalls } from "./algos.ts";
import { type VenueCall, createCaller } from "./call.ts";
import { measureVenueClock } from "./measure-clock.ts";
import { orderCalls } from "./orders.ts";
import { positionCalls } from "./positions.ts";
import { referenceCalls } from "./reference.ts";
import { createVenueClock, type VenueClock } from "./venue-clock.ts";
import { createVenueTroubles } from "./venue-trouble.ts";

/** One for a process and its key: windows and clock are kept here. After `close` nothing is sent any more. */
export interface TradingClient extends VenueClient {
  /** Any endpoint value with its own parameters; the methods above are made of it. */
  readonly call: VenueCall;
  /** How far the venue's time is from ours and how sure that is. Whether to sign is the caller's decision. */
  clockOffset(): ClockOffset;
  /** Asks the venue for its time. Happens by itself when the venue refuses ours (code 7000). */
  measureClock(): Promise<Outcome<ClockOffset>>;
  /** The estimate that streams may feed with their pongs and sign their logins by. */
  readonly venueClock: VenueClock;
  /** `snapshot()` it into the journal and `restore()` it after a restart. */
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
  /** The operator's identifiers of the exchanges. Empty takes every account the venue shows. */
  readonly exchanges: readonly string[];
  /** To share one limiter with other clients of the same key. */
  readonly limiter?: RateLimiter;
  /** How long an opening, or a change of one, may wait for its turn; the default suits a person. A program judges anew. */
  readonly openPatienceMs?: number;
}

/** Sends nothing by itself; the first measurement of the venue's time is the caller's to ask for. */
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
