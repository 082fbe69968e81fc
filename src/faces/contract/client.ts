/**
 * What the capabilities need from the machine and from the service, in words of their own. `main/` plugs in the real
 * things; a test plugs in what it likes. No call throws for anything that the outside can do.
 */
import type { Decimal } from "../../core/decimal.ts";
import type { Env } from "../../core/env.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { Result } from "../../core/result.ts";
import type { BookLevel, KlineKind } from "../../domain/market.ts";
import type { PlaceOrder } from "../../domain/order.ts";
import type { SymbolRules } from "../../domain/symbol.ts";
import type { PlaceAction } from "../../desk/action.ts";
import type { Desk } from "../../desk/desk.ts";
import type { VenuePort } from "../../domain/venue-calls.ts";
import type { PreviewStore } from "../../desk/stores.ts";
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

/** The 24 hours behind `atMs` (venue time): change in percent, volume in base units, prices in USDT. */
export interface Ticker {
  readonly last: number;
  readonly changePercent: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
  readonly atMs: number;
}

/** The first book message of a stream; `atMs` is the venue's time of it. */
export interface BookLook {
  /** Best first. */
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly atMs: number;
}

/** `openMs` is the first instant of the bar, epoch ms; floats, as stream or source report them. */
export interface CandleRow {
  readonly openMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** A short authenticated subscription to the market stream: the first word that comes, then the socket is closed. */
export interface MarketLook {
  ticker(symbol: string, signal: AbortSignal): Promise<Outcome<Ticker>>;
  book(symbol: string, signal: AbortSignal): Promise<Outcome<BookLook>>;
  openInterest(symbol: string, signal: AbortSignal): Promise<Outcome<{ openInterest: number; atMs: number }>>;
  /** The running bar of an interval. */
  candle(symbol: string, interval: string, signal: AbortSignal, kind?: KlineKind): Promise<Outcome<CandleRow>>;
}

/** The trading service, reached with this machine's credentials. */
export interface Service {
  readonly baseUrl: string;
  /** The payload of the REST envelope, as the service worded it. */
  read(name: ReadName, params: Readonly<Record<string, unknown>>): Promise<Outcome<unknown>>;
  readonly venue: VenuePort;
  readonly market: MarketLook;
}

/** What an operator's order is judged by: a price for its value in USDT, and the caller's ceiling in USDT. */
export interface OperatorReview {
  readonly order: PlaceOrder;
  readonly rules: SymbolRules;
  readonly referencePrice: Decimal;
  readonly maxNotional: Decimal;
}

/** Candles of the past from this machine or a source that the operator named. Never another venue unasked. */
export interface CandleSource {
  readonly name: string;
  candles(symbol: string, interval: string, limit: number): Promise<readonly CandleRow[]>;
}

/** Presence only, by variable or by `NAME_FILE`; the masked key is null where there is none. */
export interface CredentialFacts {
  readonly SVC_ACCESS_KEY: boolean;
  readonly SVC_SECRET_KEY: boolean;
  readonly SVC_API_HOST: boolean;
  readonly maskedAccessKey: string | null;
  /** What is wrong with what is there; never a value. */
  readonly problems: readonly string[];
}

/** Without an address nothing was asked, and `error` is null too. The manifest's fields are not checked. */
export interface ReleaseNews {
  readonly manifestUrl: string | null;
  /** Null when no manifest could be had; `error` says why. */
  readonly manifest: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
}

/** One for each process of `svc`, made by `client/plug.ts`; `exchanges` has the one for bare pairs first. */
export interface Client {
  readonly env: Env;
  readonly face: Face;
  readonly version: string;
  readonly exchanges: readonly string[];
  readonly credentials: CredentialFacts;
  /** Where the settings of this machine forbid writes now, the reason; null when they do not. A tool server lives for days. */
  writesForbidden(): string | null;
  /** Opened at first need, and shared. */
  service(): Result<Service, Failure>;
  /** Works without a service for sessions; whatever needs the venue answers "not-sent" then. */
  readonly desk: Desk;
  readonly previews: PreviewStore;
  readonly documents: Documents;
  /** The owner's review of an order: rules of the symbol and the stated ceiling. The text says what was refused. */
  review(order: OperatorReview): Result<PlaceAction["draft"], { readonly limit: string; readonly reason: string }>;
  readonly candleSources: readonly CandleSource[];
  releaseNews(manifestUrl: string | undefined): Promise<ReleaseNews>;
  /** Known secrets out of a text. */
  redact(text: string): string;
}
