/**
 * What the capabilities need from the machine and the service, as a port. `main/` connects the real implementation
 * and tests their own. No call throws because of outside conditions.
 */
import type { Decimal } from "../../core/decimal.ts";
import type { Env } from "../../core/ids.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { Result } from "../../core/result.ts";
import type { CandleSource, BookLevel, KlineKind } from "../../domain/market.ts";
import type { PlaceOrder } from "../../domain/order.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import type { PlaceAction } from "../../desk/action.ts";
import type { Desk } from "../../desk/desk.ts";
import type { VenuePort } from "../../domain/venue-calls.ts";
import type { PreviewStore } from "../../desk/context.ts";
import type { Documents } from "./documents.ts";
import type { Face, Failure } from "./statuses.ts";

/** REST reads by the names of document 1's endpoints. */
export type ReadName =
  | "account"
  | "portfolioAssets"
  | "statement"
  | "userFeeRate"
  | "positionBracket"
  | "queryOrder"
  | "openOrders"
  | "orderHistory"
  | "executions"
  | "queryAlgo"
  | "openAlgos"
  | "algoHistory"
  | "positions"
  | "positionHistory"
  | "leverage"
  | "symbolInfo"
  | "fundingRate"
  | "markPrice";

/** The 24 hours before `atMs` (venue time): change in percent, volume in base units, prices in USDT. */
export interface Ticker {
  readonly last: number;
  readonly changePercent: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
  readonly atMs: number;
}

/** The first book message of a stream; `atMs` is the venue's time. */
export interface BookLook {
  /** Best first. */
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly atMs: number;
}

/** `openMs` is the start of the bar, epoch ms; floats, as the stream or source gives them. */
export interface CandleRow {
  readonly openMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** A short authenticated subscription to the market stream: returns the first message and closes the socket. */
export interface MarketLook {
  ticker(symbol: string, signal: AbortSignal): Promise<Outcome<Ticker>>;
  book(symbol: string, signal: AbortSignal): Promise<Outcome<BookLook>>;
  openInterest(symbol: string, signal: AbortSignal): Promise<Outcome<{ openInterest: number; atMs: number }>>;
  /** The running bar of an interval. */
  candle(symbol: string, interval: string, signal: AbortSignal, kind?: KlineKind): Promise<Outcome<CandleRow>>;
}

/** The trading service with this machine's credentials. */
export interface Service {
  readonly baseUrl: string;
  /** The payload of the REST envelope; the `answer` of a "done" is the whole envelope, unchanged. */
  read(name: ReadName, params: Readonly<Record<string, unknown>>): Promise<Outcome<unknown>>;
  /** Its "done" outcomes contain the unchanged answer if one call is one answer. */
  readonly venue: VenuePort;
  readonly market: MarketLook;
}

/** Bounds of an operator's order: a price for its value in USDT, and the caller's ceiling in USDT. */
export interface OperatorReview {
  readonly order: PlaceOrder;
  readonly rules: SymbolRules;
  readonly referencePrice: Decimal;
  readonly maxNotional: Decimal;
}

/** Presence only, by variable or by `NAME_FILE`; the masked key is null if there is none. */
export interface CredentialFacts {
  readonly SVC_ACCESS_KEY: boolean;
  readonly SVC_SECRET_KEY: boolean;
  readonly SVC_API_HOST: boolean;
  readonly maskedAccessKey: string | null;
  /** Tells one key from another, which masks of short keys do not; for the names of what is kept. */
  readonly accessKeyHash: string | null;
  /** Problems with the credentials; never a value. */
  readonly problems: readonly string[];
}

/** Without an address nothing was requested, and `error` is null too. The manifest's fields are not validated. */
export interface ReleaseNews {
  readonly manifestUrl: string | null;
  /** Null if no manifest could be read; `error` gives the reason. */
  readonly manifest: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
}

/** One per process of `svc`, created by `client/plug.ts`; the first of `exchanges` completes bare pairs. */
export interface Client {
  readonly env: Env;
  readonly face: Face;
  readonly version: string;
  readonly exchanges: readonly string[];
  readonly credentials: CredentialFacts;
  /**
   * Why this machine's settings forbid writes now; null if they do not. Read each time, because a tool server runs
   * for days.
   */
  writesForbidden(): string | null;
  /** Opened on first use, and shared. */
  service(): Result<Service, Failure>;
  /** Works without a service for sessions; actions that need the venue return "not-sent" then. */
  readonly desk: Desk;
  readonly previews: PreviewStore;
  readonly documents: Documents;
  /** Why the owner's own cap forbids an order of this value, USDT; null if it does not. Read each time. */
  aboveOwnCap(value: Decimal): string | null;
  /** The owner's review of an order: the symbol's rules and the stated ceiling. The text describes the refusal. */
  review(order: OperatorReview): Result<PlaceAction["draft"], { readonly limit: string; readonly reason: string }>;
  readonly candleSources: readonly CandleSource[];
  releaseNews(manifestUrl: string | undefined): Promise<ReleaseNews>;
  /** Removes known secrets from a text. */
  redact(text: string): string;
}
