/**
 * One exchange as the rest of the program sees it. A second exchange is another implementation of `Venue`: it translates its
 * symbols, codes and records at its own edge, and nothing outside its folder knows which exchange it is.
 */
import type { Outcome } from "../core/outcome.ts";
import type { AlgoOrder } from "./algo-order.ts";
import type { MarketSink, MarketSubscription } from "./market.ts";
import type { Execution, OrderUpdate } from "./order.ts";
import type { Asset, ExchangeAccount, Liquidation, PositionUpdate } from "./position.ts";
import type { VenuePort } from "./venue-calls.ts";
import type { Decimal } from "../core/decimal.ts";

export interface Venue {
  readonly client: VenueClient;
  readonly streams: VenueStreams;
  readonly clock: VenueTime;
  readonly limits: VenueLimits;
  /** What the account pays, exchange by exchange. */
  fees(): Promise<Outcome<readonly ExchangeFees[]>>;
}

/** The calls, and what keeps them from being answered. After `close` nothing is sent. */
export interface VenueClient extends VenuePort {
  /** Null while the venue answers. */
  trouble(): VenueTrouble | null;
  close(): Promise<void>;
}

/** `server`: it is reached and does not answer as documented. */
export type VenueTroubleKind = "key" | "address" | "clock" | "unreachable" | "server";

/** Names the cause in one sentence, and what a person does about it. */
export interface VenueTrouble {
  readonly kind: VenueTroubleKind;
  readonly sentence: string;
  readonly next: string;
  readonly sinceMs: number;
  /** True where it stays until somebody changes a key, an allow-list or a clock. */
  readonly lasting: boolean;
}

/** The venue's time against our wall time, ms; the uncertainty grows by drift until the next sample. */
export interface ClockOffset {
  /** Venue time minus our wall time; 0 while nothing was measured. */
  readonly offsetMs: number;
  /** Half width of what the venue's time may be; infinite while nothing was measured. */
  readonly uncertaintyMs: number;
  /** Our wall time of the measurement; null while there is none. */
  readonly measuredAtMs: number | null;
}

/** The venue's clock, as far as it has been measured. Whether to trust it is the caller's decision. */
export interface VenueTime {
  /** Best estimate of the venue's time, epoch ms; our own while nothing was measured. */
  nowMs(): number;
  offset(): ClockOffset;
  /** Asks the venue for its time. */
  measure(): Promise<Outcome<ClockOffset>>;
}

/** Writes that share a scarce window of the venue. */
export type PacedWrite = "order.place" | "order.replace" | "algo.place" | "algo.replace";

/** Calls that are planned ahead, because the venue allows them seldom. */
export type RatedCall = PacedWrite | "algo.cancel" | "algo.list" | "account.read" | "execution.list";

/** At most `requests` in any window of `perMs`. */
export interface VenueRate {
  readonly requests: number;
  readonly perMs: number;
}

export type VenueRates = Readonly<Record<RatedCall, VenueRate>>;

/** A call in which the venue was stricter than documented, with the distance that is kept between requests since. */
export interface TightenedLimit {
  readonly key: string;
  readonly spacingMs: number;
  /** Wall time of the last refusal that taught it. */
  readonly sinceMs: number;
}

/** How often each call may be sent; what earlier runs sent counts as well. */
export interface VenueLimits {
  readonly rates: VenueRates;
  /** Resolves when such a write could leave at once, or after the longest wait that makes sense for it. Takes no slot. */
  ready(write: PacedWrite): Promise<void>;
  tightened(): readonly TightenedLimit[];
}

/** Each call makes one stream. Opens no connection before its `start`. */
export interface VenueStreams {
  market(listener: MarketListener): MarketStream;
  /** What was pushed while it was down is lost: its owner reads orders, executions and positions after each `up`. */
  user(on: Partial<UserStreamEvents>): UserStream;
}

/** `sink` receives every frame as it comes; `onHealth` runs after every change of connections or subscriptions. No throws. */
export interface MarketListener {
  readonly sink: MarketSink;
  readonly onHealth?: (health: MarketStreamHealth) => void;
}

/** Reconnects and subscribes again by itself. `want` may come before `start`. */
export interface MarketStream {
  /** The whole set that is wanted from now on; may be called at any time. */
  want(subscriptions: readonly MarketSubscription[]): void;
  start(): void;
  stop(): void;
  health(): MarketStreamHealth;
}

/** Counts of the present connections; `lastFrameAtMs` is our wall time, null before any frame. */
export interface MarketStreamHealth {
  /** Every socket that is needed is connected. */
  readonly up: boolean;
  /** Connections open / connections needed. */
  readonly sockets: { readonly up: number; readonly needed: number };
  /** Subscriptions promised by the venue / wanted. */
  readonly acknowledged: number;
  readonly wanted: number;
  /** `code` "no-room" where our own plan found no connection for the symbol. */
  readonly refused: readonly { readonly symbol: string; readonly channel: string; readonly code: string }[];
  readonly lastFrameAtMs: number | null;
  /** Why a socket is not up; empty when all are. */
  readonly reason: string;
}

/** What the owner of a user stream may listen to. None of these may throw. */
export interface UserStreamEvents {
  order(update: OrderUpdate): void;
  execution(execution: Execution): void;
  position(update: PositionUpdate): void;
  asset(asset: Asset): void;
  algo(order: AlgoOrder): void;
  marginCall(account: ExchangeAccount): void;
  liquidation(liquidation: Liquidation): void;
  /** Logged in. Anything may have happened since the last `down`. */
  up(): void;
  down(reason: string): void;
}

/** Reconnects and logs in again by itself. */
export interface UserStream {
  start(): void;
  stop(): void;
  health(): UserStreamHealth;
}

/** `loggedIn` is what counts: without it nothing is pushed. */
export interface UserStreamHealth {
  readonly loggedIn: boolean;
  /** Why it is not connected; empty when it is. */
  readonly reason: string;
}

/** Fractions of value; a rebate is below zero. */
export interface FeeRates {
  readonly taker: Decimal;
  readonly maker: Decimal;
}

/** The rates of the perpetuals of one exchange. */
export interface ExchangeFees extends FeeRates {
  readonly exchange: string;
}
