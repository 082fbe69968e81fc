/**
 * The interface of the exchange inside the simulated service. `market/` drives it, and `servers/` expose it. Everything
 * is synchronous and deterministic; time is an argument. The market's side is in `market-api.ts`.
 */
import type { Decimal } from "../../../core/decimal.ts";
import type { Result } from "../../../core/result.ts";
import type { Phase } from "../../../domain/competition.ts";
import type { PageObject } from "../../../protocol/page.ts";
import type { BookView, MarketInput, PublicEvent, SymbolSpec } from "./market-api.ts";
import type { RequestOf, Transfer } from "./requests.ts";
import type { DuplicatePolicy, OperatorRules } from "./settings.ts";

/** A refusal in wire form. Spec: 1 §7.1; records §2. */
export interface VenueError {
  readonly code: number;
  readonly message: string;
}
/** The result of every command. Refusals are values: only errors of the operator are thrown. */
export type VenueResult<T> = Result<T, VenueError>;

/** One push of the user stream: channel name and record in wire shape. Spec: 1 §2.4, §6.2; records §11.3 to §11.5. */
export interface UserPush {
  readonly accountId: string;
  readonly channel:
    | "Orders"
    | "Trades"
    | "Positions"
    | "Assets"
    | "MarginCall"
    | "LiquidationEvent"
    | "LiquidationPosition"
    | "ALGO_ORDER";
  readonly data: Readonly<Record<string, unknown>>;
}

/** A listener for the pushes of selected accounts. */
export interface UserListener {
  hear(push: UserPush): void;
  wants(accountId: string): boolean;
}

/** One `data` record in wire form; field names are those of records §4 to §9. */
export type WireRecord = Readonly<Record<string, unknown>>;
/** A page of records in the shape of records §1.3. */
export type WirePage = PageObject<WireRecord>;

/**
 * A command or query. `request` holds the fields of the protocol endpoint under the same names; numeric texts and enum
 * words are checked again here, in the order of records §5.1 rule 7, so that a server may pass on anything that its schema
 * accepted. Everything due before `nowMs` happens first.
 */
export type Command<Request, Data> = (accountId: string, request: Request, nowMs: number) => VenueResult<Data>;

/** Plain orders. Records §5. Writes reply on acceptance; a push or query gives the outcome. */
export interface OrderCommands {
  readonly place: Command<RequestOf<"placeOrder">, { readonly orderId: string; readonly clientOrderId: string }>;
  readonly amend: Command<RequestOf<"amendOrder">, { readonly orderId: string; readonly orderState: string }>;
  readonly cancel: Command<RequestOf<"cancelOrder">, WireRecord>;
  readonly cancelAll: Command<RequestOf<"cancelAllOrders">, WireRecord>;
  readonly order: Command<RequestOf<"queryOrder">, WireRecord>;
  readonly openOrders: Command<RequestOf<"openOrders">, WirePage>;
  readonly orderHistory: Command<RequestOf<"orderHistory">, WirePage>;
  readonly archive: Command<RequestOf<"archiveOrderHistory">, WirePage>;
  readonly executions: Command<RequestOf<"executions">, readonly WireRecord[]>;
  readonly executionsPageable: Command<RequestOf<"executionsPageable">, WirePage>;
  readonly statement: Command<RequestOf<"statement">, WirePage>;
}

/** Account, assets, fees and ranking. Records §4, §8. */
export interface AccountCommands {
  readonly account: Command<RequestOf<"account">, readonly WireRecord[]>;
  readonly setPositionMode: Command<RequestOf<"setPositionMode">, WireRecord>;
  readonly assets: Command<RequestOf<"portfolioAssets">, WirePage>;
  readonly tradingStats: Command<RequestOf<"tradingStats">, WireRecord>;
  readonly userFeeRate: Command<RequestOf<"userFeeRate">, readonly WireRecord[]>;
  readonly brokerFeeRate: Command<RequestOf<"brokerFeeRate">, readonly WireRecord[]>;
  readonly trackARanking: Command<RequestOf<"trackARanking">, WireRecord>;
  readonly trackBRanking: Command<RequestOf<"trackBRanking">, WireRecord>;
}

/** Positions and leverage. Records §7. */
export interface PositionCommands {
  readonly positions: Command<RequestOf<"positions">, readonly WireRecord[]>;
  readonly positionHistory: Command<RequestOf<"positionHistory">, WirePage>;
  readonly closePosition: Command<RequestOf<"closePosition">, { readonly orderId: string }>;
  readonly closeAllPositions: Command<RequestOf<"closeAllPositions">, readonly WireRecord[]>;
  readonly leverage: Command<RequestOf<"leverage">, readonly WireRecord[]>;
  readonly setLeverage: Command<RequestOf<"setLeverage">, WireRecord>;
  readonly adlRank: Command<RequestOf<"adlRank">, WireRecord>;
}

/** Market reference data. Records §9. */
export interface ReferenceCommands {
  readonly symbolInfo: Command<RequestOf<"symbolInfo">, WireRecord>;
  readonly fundingRate: Command<RequestOf<"fundingRate">, readonly WireRecord[]>;
  readonly markPrice: Command<RequestOf<"markPrice">, readonly WireRecord[]>;
  readonly positionBracket: Command<RequestOf<"positionBracket">, WireRecord>;
  readonly loanInfo: Command<RequestOf<"loanInfo">, WireRecord>;
  readonly coinDiscount: Command<RequestOf<"coinDiscount">, WireRecord>;
  readonly marginLeverage: Command<RequestOf<"marginLeverage">, WirePage>;
}

/** The reply of every algo write; the client id is the venue's own if none was sent. */
export interface AlgoIds {
  readonly algoOrderId: string;
  readonly clientOrderId: string;
}

/** Take-profit and stop-loss orders. Records §6. */
export interface AlgoCommands {
  readonly placeAlgo: Command<RequestOf<"placeAlgo">, AlgoIds>;
  readonly amendAlgo: Command<RequestOf<"amendAlgo">, AlgoIds>;
  readonly cancelAlgo: Command<RequestOf<"cancelAlgo">, AlgoIds>;
  readonly cancelAllAlgos: Command<RequestOf<"cancelAllAlgos">, readonly AlgoIds[]>;
  readonly algo: Command<RequestOf<"queryAlgo">, WireRecord>;
  readonly openAlgos: Command<RequestOf<"openAlgos">, readonly WireRecord[]>;
  readonly algoHistory: Command<RequestOf<"algoHistory">, WirePage>;
}

/** A participant as the operator enters it: one portfolio with a margin account on each exchange. */
export interface OpenAccount {
  /** The portfolio id: 16 digits. */
  readonly accountId: string;
  /** Exchange accounts to open; the first receives the initial credit. */
  readonly exchanges: readonly string[];
  readonly initialUsdt: Decimal;
  readonly mode: "BOTH" | "NET";
  /** Tier label of the fee record. Absent: "5". */
  readonly feeTier?: string;
  readonly teamName?: string;
}

/** Commands that no participant may use: opening accounts, moving money, changing the rules. */
export interface OperatorCommands {
  /** Throws if the id is taken or an exchange is unknown: errors of the operator. */
  openAccount(account: OpenAccount, nowMs: number): void;
  /** Ends the orders and algo orders that were in flight when a restored venue stopped, and lets its ids skip ahead. */
  endPending(nowMs: number): void;
  /** Moves USDT between the exchange accounts of one portfolio. Records §15. */
  readonly transfer: Command<Transfer, WireRecord>;
  /**
   * Cancels all orders, closes every position at the mark price, resets every account that is not eliminated to its
   * initial capital, and starts the scores again, under the leverage cap and the instruments of the phase. History
   * stays. Records §15.
   */
  beginPhase(phase: Phase, nowMs: number): void;
  /** Freezes or unfreezes an account by hand; its keys are refused with 100041 while frozen. */
  setFrozen(accountId: string, frozen: boolean): void;
  /** Frozen by the operator: every signed request of its keys gets 100041. An eliminated account can still be read. */
  isFrozen(accountId: string): boolean;
  accountIds(): readonly string[];
  setDuplicatePolicy(policy: DuplicatePolicy): void;
  setEnforceLeverageCap(enforce: boolean): void;
  /** Delays of the asynchronous steps, from now on. */
  setDelays(delays: { readonly placeMs?: number; readonly cancelMs?: number; readonly amendMs?: number }): void;
  /** Overrides rules temporarily, with precedence over the setters; see `Overridable.override`. */
  overrideRules(rules: Partial<OperatorRules>): () => void;
  /** Refuses an order that is on its way to the book when it arrives. Any other order is unaffected. */
  rejectOnArrival(orderId: string): void;
  /** Halts a symbol, even if the tape has it live, until the returned function is called. */
  haltSymbol(symbol: string): () => void;
}

/** Why money moved; "carried-forward" is the sum of entries that are no longer kept. */
export type LedgerKind =
  | "initial-credit"
  | "reset"
  | "fee"
  | "realised-pnl"
  | "funding"
  | "liquidation-fee"
  | "insurance"
  | "transfer"
  | "spot"
  | "carried-forward";

/** One balanced posting: the amounts of one coin sum to zero. */
export interface LedgerEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: LedgerKind;
  /** The order, transaction or symbol it belongs to. */
  readonly ref: string;
  readonly coin: string;
  /** Account name and signed amount, for example `cash/2188000000000001/EXCHANGE_A` and `-0.0192`. */
  readonly lines: readonly (readonly [account: string, amount: string])[];
}

/** The data of `/control/ledger`. Entries no longer kept are summed as `carried-forward`, one for each coin. */
export interface LedgerDump {
  readonly entries: readonly LedgerEntry[];
  /** Balance by `coin` and account name. */
  readonly balances: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Every entry is balanced, so this is "0" for each coin. */
  readonly totals: Readonly<Record<string, string>>;
}

/** One row of the competition's table. Fractions, not percents. Records §8.3. */
export interface ScoreRow {
  readonly accountId: string;
  readonly teamName: string;
  readonly equityUsdt: string;
  readonly returnFraction: number;
  /** Annualised over daily returns; null with fewer than two completed days. */
  readonly sharpe: number | null;
  readonly maxDrawdown: number;
  /** Share of closed positions with a profit after fees and funding; null without any. */
  readonly winRate: number | null;
  readonly trades: number;
  readonly quoteVolume: string;
  readonly compositeScore: number;
  readonly rank: number;
  readonly eliminated: boolean;
}

/**
 * The simulated venue. Listeners are called when the command or market input that caused the push is complete, just
 * before it returns, in the order of records §12; a listener may call back. A server that must send its reply first
 * holds the pushes back until then. `accountId` of a command must be open, otherwise it returns 100018.
 */
export interface Exchange
  extends OrderCommands, AccountCommands, PositionCommands, ReferenceCommands, AlgoCommands, OperatorCommands {
  readonly market: MarketInput;
  /**
   * All market changes of `work` happen at one instant: margin and the stops on last prices are checked at its end.
   * Stops on a mark price still fire when the mark price arrives.
   */
  together(nowMs: number, work: () => void): void;
  readonly symbols: readonly SymbolSpec[];
  /** Does everything due up to and at `nowMs`: delayed steps, funding, hourly snapshots, margin calls. */
  advance(nowMs: number): void;
  /** When the next event triggered by time is due; null if none is. */
  nextDueMs(): number | null;
  /** `wants` avoids creating records that nobody would read; if absent, every account's pushes are wanted. */
  onUserPush(listener: (push: UserPush) => void, wants?: (accountId: string) => boolean): () => void;
  /** Called when a finished command has left delayed steps: `nextDueMs` may have become earlier. */
  onPlanned(listener: () => void): () => void;
  onPublic(listener: (event: PublicEvent) => void): () => void;
  /** All levels, or this many of the best of each side. A recorded book has thousands. */
  book(symbol: string, levels?: number): BookView;
  /** Last traded price, null before the first trade. */
  lastPrice(symbol: string): Decimal | null;
  ledger(): LedgerDump;
  scoreboard(nowMs: number): readonly ScoreRow[];
  /**
   * Canonical text of everything that determines how the venue continues, except the random source: equal runs give
   * equal text.
   */
  snapshot(): string;
}
