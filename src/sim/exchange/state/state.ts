/**
 * The venue's state and its structure: instruments, portfolios with their exchange accounts (wallets), orders,
 * positions. Data only: other files change it. Prices are whole ticks, quantities whole lots; money `Decimal`.
 */
import type { Decimal } from "../../../core/decimal.ts";
import type { Entropy } from "../../../core/entropy.ts";
import type { Phase } from "../../../domain/competition.ts";
import type { PositionSide } from "../../../domain/order.ts";
import type { AlgoProgress, AlgoTerms } from "./algo-terms.ts";
import type { Money, Sum } from "./amount.ts";
import type { UserListener, UserPush } from "../contract/api.ts";
import type { Book } from "../book/book.ts";
import type { BookOrder } from "../book/book-level.ts";
import type { InstrumentFigures, InstrumentTerms } from "./instrument-terms.ts";
import type { Ledger, LedgerAccount } from "./ledger.ts";
import type { PublicEvent } from "../contract/market-api.ts";
import type { OrderProgress, OrderTerms } from "./order-terms.ts";
import type { Position } from "./position.ts";
import type { ExchangeSettings } from "../contract/settings.ts";
import type { StepQueue } from "./steps.ts";
import type { BoundSums, HeldSums, OrderCount, OrderTally, WalletFigures } from "./sums.ts";

/** A traded instrument: its terms and figures, its book, and its participants. */
export interface Instrument extends InstrumentTerms, InstrumentFigures {
  readonly book: Book;
  /** Whether it is in `World.booksMoved` and `World.lastMoved`. */
  bookMoved: boolean;
  lastMoved: boolean;
  /** The participants' exposures, in order of creation. */
  readonly exposures: Exposure[];
  readonly liveAlgos: Set<AlgoOrder>;
}

/** One exchange account of a portfolio: a margin account of its own. */
export interface Wallet {
  readonly portfolio: Portfolio;
  readonly exchange: string;
  mode: "BOTH" | "NET";
  readonly usdt: LedgerAccount;
  /** By coin, USDT among them. */
  readonly coins: Map<string, LedgerAccount>;
  readonly exposures: Map<string, Exposure>;
  /** Null if it must be computed again. */
  figures: WalletFigures | null;
  /** The venue's counter-accounts of its fills and fees. */
  readonly counterparty: LedgerAccount;
  readonly fees: LedgerAccount;
  /** Whether it is in `World.atRisk`. */
  atRisk: boolean;
  status: AccountStatus;
  /** When a MarginCall was last pushed in the present episode; null outside one. */
  marginCallAtMs: number | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

export type AccountStatus = "NORMAL" | "MARGIN_CALL" | "CANCEL_OPEN" | "CANCEL_ALL" | "LIQUIDATING" | "TAKEOVER";

/** One wallet's positions and orders in one instrument. */
export interface Exposure {
  /** Its index in `World.exposures`. */
  readonly no: number;
  readonly wallet: Wallet;
  readonly instrument: Instrument;
  readonly positions: Map<PositionSide, Position>;
  /** Non-terminal orders, oldest first. */
  readonly open: OpenOrders;
  /** The totals of its open orders in ticks and lots. */
  readonly tally: OrderTally;
  /** Current sums; null if an input has changed. */
  held: HeldSums | null;
  bound: BoundSums | null;
}

/** The open orders of an exposure, oldest first; see `open-orders.ts`. */
export interface OpenOrders {
  size: number;
  first: Order | null;
  last: Order | null;
}

/** All stored orders, by number; see `order-store.ts`. */
export interface OrderKeeper {
  readonly size: number;
  add(order: Order): void;
  open(ref: number): Order | undefined;
  get(ref: number): Order | undefined;
  has(ref: number): boolean;
  close(order: Order): void;
  drop(ref: number): boolean;
}

/** The executions of a portfolio; see `executions.ts`. */
export interface ExecutionKeeper {
  readonly length: number;
  add(execution: Execution): void;
  since(fromMs: number, exposures: readonly Exposure[]): Execution[];
  forget(keep: number, olderThanMs: number): void;
}

/** A position that has ended, with the figures at its end. */
export interface ClosedPosition {
  readonly exposure: Exposure;
  readonly position: Position;
  readonly long: boolean;
  /** The kind of order that ended it. */
  readonly endedBy: Order["origin"];
  readonly leverage: number;
  readonly mode: "BOTH" | "NET";
}

/** An order, with its links to others. */
export interface Order extends OrderTerms, OrderProgress, OrderCount {
  /** Its number, which its id contains; `ref` of its book order. */
  readonly ref: number;
  readonly orderId: string;
  /** Its order id if the participant sent none. */
  readonly clientOrderId: string;
  readonly exposure: Exposure;
  resting: BookOrder | null;
  /** Its neighbours among the open orders of its exposure. */
  openBefore: Order | null;
  openNext: Order | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

/** An algo order; records §6.4, §6.5. */
export interface AlgoOrder extends AlgoTerms, AlgoProgress {
  readonly algoOrderId: string;
  readonly clientOrderId: string;
  readonly exposure: Exposure;
  child: Order | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

/** One fill of a participant's order. `ticks` is its price, `fee` what it cost; `no` ascends over the whole venue. */
export interface Execution {
  readonly no: number;
  readonly orderRef: number;
  readonly exposure: Exposure;
  readonly buy: boolean;
  readonly ticks: number;
  readonly lots: number;
  readonly fee: Money;
  readonly realisedPnl: Money;
  readonly maker: boolean;
  readonly atMs: number;
}

/** `before` and `after` are the available USDT, not the balance; see `statements.ts`. */
export interface StatementLine {
  readonly statementId: string;
  readonly requestId: string;
  readonly wallet: Wallet;
  readonly coin: string;
  readonly sym: string;
  readonly statementType: string;
  readonly before: Decimal;
  readonly after: Decimal;
  readonly atMs: number;
}

/** An hourly reading of a portfolio's equity. */
export interface NavMark {
  readonly atMs: number;
  readonly equity: Decimal;
}

/** Counts for the score: all trades, and the closed positions that are no longer stored. */
export interface Scored {
  trades: number;
  /** Ticks x lots by instrument, which are whole numbers. */
  readonly units: Map<Instrument, Sum>;
  closed: number;
  won: number;
  /** Number of stored closed positions that belong to earlier phases. */
  skipClosed: number;
}

export interface Portfolio {
  /** Owner number in the books, from 1. */
  readonly no: number;
  readonly accountId: string;
  readonly teamName: string;
  readonly feeTier: string;
  readonly initialUsdt: Decimal;
  readonly wallets: Map<string, Wallet>;
  /** Leverage by symbol where set. */
  readonly leverage: Map<string, number>;
  /** Numbers of its stored orders, ascending. */
  readonly orders: number[];
  /** The newest order of each clientOrderId that a participant chose. */
  readonly byClientId: Map<string, number>;
  readonly executions: ExecutionKeeper;
  readonly statements: StatementLine[];
  readonly closedPositions: ClosedPosition[];
  readonly algos: AlgoOrder[];
  /** Those that have not ended, in the same order. */
  readonly liveAlgos: Set<AlgoOrder>;
  readonly algosByClientId: Map<string, AlgoOrder>;
  readonly navs: NavMark[];
  scored: Scored;
  frozen: boolean;
  eliminatedAtMs: number | null;
}

/** The whole venue, one object per exchange, passed to every function of the exchange. `nowMs` never goes back. */
export interface World {
  readonly settings: { -readonly [Key in keyof ExchangeSettings]: ExchangeSettings[Key] };
  phase: Phase;
  readonly entropy: Entropy | null;
  readonly exchanges: readonly string[];
  readonly instruments: Map<string, Instrument>;
  readonly portfolios: Map<string, Portfolio>;
  readonly byOwner: Portfolio[];
  readonly orders: OrderKeeper;
  /** By their numbers. */
  readonly exposures: Exposure[];
  readonly algosById: Map<string, AlgoOrder>;
  readonly ledger: Ledger;
  readonly steps: StepQueue;
  readonly counters: Record<CounterName, number>;
  /** Instruments whose last price moved since the triggers were checked. */
  readonly lastMoved: Instrument[];
  /** Instruments whose book changed since the market was notified. */
  readonly booksMoved: Instrument[];
  /** Wallets whose figures changed since the risk engine checked them. */
  readonly atRisk: Wallet[];
  readonly userOut: UserPush[];
  readonly publicOut: PublicEvent[];
  readonly userListeners: Set<UserListener>;
  readonly planListeners: Set<() => void>;
  readonly publicListeners: Set<(event: PublicEvent) => void>;
  /** Called when a command is done and before its pushes are delivered; null if nothing is saved. */
  commit: ((wrote: boolean) => void) | null;
  nowMs: number;
  nextSnapshotAtMs: number;
  /** Before this time only steps are due; lowered when anything earlier is scheduled. */
  quietUntilMs: number;
}

export type CounterName = "id" | "long" | "transaction" | "trade";
