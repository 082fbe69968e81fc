/**
 * What the venue remembers: instruments, portfolios with their exchange accounts (wallets), orders, positions. Data
 * only; the files beside this one change it. Prices are whole ticks, quantities whole lots; money is `Decimal`.
 */
import type { Decimal } from "../../core/decimal.ts";
import type { Entropy } from "../../core/entropy.ts";
import type { Phase } from "../../domain/competition.ts";
import type { AlgoCondition, AlgoState, TriggerType } from "../../domain/algo-order.ts";
import type { OrderState, PositionSide, Side, TimeInForce } from "../../domain/order.ts";
import type { SymbolParts, SymbolRules } from "../../domain/symbol.ts";
import type { Money, Sum } from "./amount.ts";
import type { PublicEvent, SymbolSpec, UserListener, UserPush } from "./api.ts";
import type { Book } from "./book.ts";
import type { BookOrder } from "./book-level.ts";
import type { Ledger, LedgerAccount } from "./ledger.ts";
import type { ExchangeSettings, SettingFloats } from "./settings.ts";
export type { AttachedProtection } from "./protection.ts";
import type { AttachedProtection } from "./protection.ts";
import type { StepQueue } from "./steps.ts";
import type {
  BoundSums,
  Estimate,
  FeeRate,
  Gauge,
  HeldSums,
  InstrumentFloats,
  Measures,
  OrderTally,
  WalletFigures,
} from "./sums.ts";

export interface Instrument {
  readonly symbol: string;
  readonly spec: SymbolSpec;
  readonly rules: SymbolRules;
  readonly parts: SymbolParts;
  readonly spot: boolean;
  /** One of the instruments that the first phase is traded in. */
  readonly phaseOne: boolean;
  readonly book: Book;
  /** Quote value of one lot at a price of one tick: tick x lot x contract size. */
  readonly unitValue: Decimal;
  /** Base units of one lot: lot x contract size. */
  readonly lotBase: Decimal;
  readonly measures: Measures;
  /** The same and the tiers of the brackets, for estimates. */
  readonly floats: InstrumentFloats;
  /** What fills cost here. */
  readonly fees: { readonly maker: FeeRate; readonly taker: FeeRate };
  readonly liquidationFee: Decimal;
  readonly fundingIntervalMs: number;
  state: string;
  mark: Decimal | null;
  index: Decimal | null;
  markAtMs: number;
  /** The mark in ticks; null until somebody asks. Set to null with every new mark. */
  gauge: Gauge | null;
  lastTicks: number | null;
  openInterest: Decimal | null;
  /** It stands in `World.booksMoved`, and in `World.lastMoved`. */
  bookMoved: boolean;
  lastMoved: boolean;
  fundingRate: Decimal;
  nextFundingAtMs: number;
  /** What participants have here, in the order in which they first came. */
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
  /** Sums over all exposures but for those that are stale. */
  readonly sums: { -readonly [Key in keyof (HeldSums & BoundSums)]: Decimal };
  readonly stale: Exposure[];
  /** Null when they have to be made anew. */
  figures: WalletFigures | null;
  /** The venue's side of its fills and fees. */
  readonly counterparty: LedgerAccount;
  readonly fees: LedgerAccount;
  /** It stands in `World.atRisk`. */
  atRisk: boolean;
  status: AccountStatus;
  /** When a MarginCall was last pushed in the present spell; null outside of one. */
  marginCallAtMs: number | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

export type AccountStatus = "NORMAL" | "MARGIN_CALL" | "CANCEL_OPEN" | "CANCEL_ALL" | "LIQUIDATING" | "TAKEOVER";

/** All that one wallet has in one instrument. */
export interface Exposure {
  /** Its place in `World.exposures`. */
  readonly no: number;
  readonly wallet: Wallet;
  readonly instrument: Instrument;
  readonly positions: Map<PositionSide, Position>;
  /** Non-terminal orders, oldest first. */
  readonly open: OpenOrders;
  /** What its open orders add up to in ticks and lots. */
  readonly tally: OrderTally;
  /** Sums of the moment; null when something they rest on has changed. */
  held: HeldSums | null;
  bound: BoundSums | null;
  readonly estimate: Estimate;
  /** It stands among the stale ones of its wallet. */
  stale: boolean;
  /** The sums that stand in those of the wallet. */
  readonly counted: { held: HeldSums; bound: BoundSums };
}

/** The open orders of an exposure, oldest first; see `open-orders.ts`. */
export interface OpenOrders {
  size: number;
  first: Order | null;
  last: Order | null;
}

/** All orders that are kept, by their number; see `order-store.ts`. */
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

export interface Position {
  readonly positionId: string;
  readonly side: PositionSide;
  /** Above zero for a long, below for a short. */
  lots: number;
  /** The average entry in ticks and trillionths (see `average.ts`), and as a decimal once somebody has asked. */
  avgTicks: number;
  avgRest: number;
  avg: Decimal | null;
  readonly fee: Sum;
  fundingFee: Decimal;
  liqFee: Decimal;
  readonly closedPnl: Sum;
  maxLots: number;
  openedLots: number;
  closedLots: number;
  /** Sum of ticks x lots over openings and closings, for the averages of the history. */
  openedUnits: number;
  closedUnits: number;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

/** A position that has ended, with what held at its end. */
export interface ClosedPosition {
  readonly exposure: Exposure;
  readonly position: Position;
  readonly long: boolean;
  /** What kind of order ended it. */
  readonly endedBy: Order["origin"];
  readonly leverage: number;
  readonly mode: "BOTH" | "NET";
}

export interface Order {
  /** Its number, which its id shows; `ref` of its book order. */
  readonly ref: number;
  readonly orderId: string;
  /** Its own id where the participant sent none. */
  readonly clientOrderId: string;
  readonly exposure: Exposure;
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly type: "LIMIT" | "MARKET";
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  readonly leverage: number;
  /** The algo order that fired it, or "". */
  readonly algoOrderId: string;
  /** `DMA` for a participant's own; others say which of the venue's procedures sent it. */
  readonly origin: "DMA" | "ALGO" | "CLOSE" | "LIQUIDATION" | "ADL";
  readonly protection: AttachedProtection | null;
  /** Quote amount of a spot market buy, or "". */
  readonly quoteOrderQty: string;
  lots: number;
  /** Null for MARKET. */
  ticks: number | null;
  /** The price at which it is counted in the margin: its limit, or the mark when it came. */
  countedTicks: number;
  /** What of it stands in the tally of its exposure, at which price, and whether it loses against the mark. */
  talliedLots: number;
  talliedTicks: number;
  talliedLoss: boolean;
  state: OrderState;
  filledLots: number;
  /** Sum of ticks x lots over its fills. */
  filledUnits: number;
  lastLots: number;
  lastTicks: number;
  /** Null before the first fill. */
  fee: Sum | null;
  reason: string;
  action: "" | "CANCEL_PENDING" | "AMEND_PENDING" | "AMEND_COMPLETED";
  cancelType: "" | "SYSTEM" | "USER";
  amendType: "" | "SYSTEM" | "USER";
  resting: BookOrder | null;
  /** Its neighbours among the open orders of its exposure. */
  openBefore: Order | null;
  openNext: Order | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

/** One price to watch. */
export interface Trigger {
  price: Decimal;
  type: TriggerType;
  /** Text of the request: "0" means market, which is all that ever happens (document 1 §2.5). */
  readonly orderPrice: string;
  /** Fires at or above the price, or at or below it. */
  above: boolean;
}

/** An algo order; records §6.4, §6.5. */
export interface AlgoOrder {
  readonly algoOrderId: string;
  readonly clientOrderId: string;
  readonly exposure: Exposure;
  /** Null for ENTIRE_CLOSE_POSITION: it closes whatever side there is. */
  readonly side: Side | null;
  readonly positionSide: PositionSide;
  readonly condition: AlgoCondition;
  readonly reduceOnly: boolean;
  readonly attachedOrderId: string;
  /** Zero for ENTIRE_CLOSE_POSITION. */
  lots: number;
  conditional: Trigger | null;
  takeProfit: Trigger | null;
  stopLoss: Trigger | null;
  state: AlgoState;
  reason: string;
  child: Order | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

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

/** What a score counts that is no longer looked up: all trades, and the closed positions that are no longer kept. */
export interface Scored {
  trades: number;
  /** Ticks x lots by instrument, which keeps them whole. */
  readonly units: Map<Instrument, Sum>;
  closed: number;
  won: number;
  /** How many of the closed positions that are kept belong to earlier phases. */
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
  /** Leverage by symbol where it was set. */
  readonly leverage: Map<string, number>;
  /** Numbers of its orders that are kept, ascending. */
  readonly orders: number[];
  /** The newest order of each clientOrderId that a participant chose. */
  readonly byClientId: Map<string, number>;
  readonly executions: ExecutionKeeper;
  readonly statements: StatementLine[];
  readonly closedPositions: ClosedPosition[];
  readonly algos: AlgoOrder[];
  readonly algosByClientId: Map<string, AlgoOrder>;
  readonly navs: NavMark[];
  scored: Scored;
  frozen: boolean;
  eliminatedAtMs: number | null;
}

export interface World {
  readonly settings: { -readonly [Key in keyof ExchangeSettings]: ExchangeSettings[Key] };
  /** Those settings that estimates need. */
  readonly floats: SettingFloats;
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
  /** Instruments whose last price moved since the triggers were looked at. */
  readonly lastMoved: Instrument[];
  /** Instruments whose book changed since the market was told. */
  readonly booksMoved: Instrument[];
  /** Wallets whose figures changed since the risk engine looked at them. */
  readonly atRisk: Wallet[];
  readonly userOut: UserPush[];
  readonly publicOut: PublicEvent[];
  readonly userListeners: Set<UserListener>;
  readonly planListeners: Set<() => void>;
  readonly publicListeners: Set<(event: PublicEvent) => void>;
  nowMs: number;
  nextSnapshotAtMs: number;
  /** Nothing but steps is due before this time; set lower by whatever plans something earlier. */
  quietUntilMs: number;
}

export type CounterName = "id" | "long" | "transaction" | "trade";
