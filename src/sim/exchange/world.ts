/** Creates the initial state of a venue. */
import { dec, ZERO } from "../../core/decimal.ts";
import { invariant } from "../../core/invariant.ts";
import { overridable } from "../../core/overridable.ts";
import { type Phase, PHASE_ONE_BASES } from "../../domain/competition.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import type { SymbolSpec } from "./contract/market-api.ts";
import { newBook } from "./book/book.ts";
import { nextOnGrid } from "./accounts/funding.ts";
import { feeRate, measuresOf } from "./positions/gauge.ts";
import { newLedger } from "./state/ledger.ts";
import { OrderStore } from "./state/order-store.ts";
import { DEFAULT_SETTINGS, type ExchangeSettings } from "./contract/settings.ts";
import type { Exposure, Instrument, World } from "./state/state.ts";
import type { Entropy } from "../../core/entropy.ts";
import type { Saved } from "./persistence/saved.ts";

/** The options of `createExchange`; the operator's commands can change the phase and some settings later. */
export interface ExchangeOptions {
  /**
   * The exchange of the first symbol is the first exchange: Phase I is open there, and the initial money arrives there.
   */
  readonly symbols: readonly SymbolSpec[];
  readonly phase: Phase;
  /** Overrides the defaults of `settings.ts`. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Draws the jitter of the asynchronous delays; without it they are exact. */
  readonly entropy?: Entropy;
  readonly startMs: number;
  /** Accounts of an earlier venue, to continue with. */
  readonly saved?: Saved;
  /** Receives changes before anyone is notified, so that everything acknowledged survives the process. */
  readonly keep?: (saved: Saved) => void;
}

const HOUR_MS = 3_600_000;
const FUNDING_INTERVAL_MS = 8 * HOUR_MS;
const LIQUIDATION_FEE = dec("0.03");

function newInstrument(spec: SymbolSpec, settings: ExchangeSettings, startMs: number): Instrument {
  const { rules } = spec;
  const parts = parseSymbol(rules.symbol);
  invariant(parts.ok, `symbol spec with a malformed symbol: ${rules.symbol}`);
  const fundingIntervalMs = spec.fundingIntervalMs ?? FUNDING_INTERVAL_MS;
  const lotBase = rules.lotSize.mul(rules.contractSize);
  const unitValue = rules.tickSize.mul(lotBase);
  const spot = parts.value.type === "SPOT";
  const rates = spot ? settings.spotFees : settings.perpFees;
  const instrument: Instrument = {
    symbol: rules.symbol,
    spec,
    rules,
    parts: parts.value,
    spot,
    phaseOne: PHASE_ONE_BASES.includes(parts.value.base),
    book: newBook(),
    unitValue,
    lotBase,
    measures: measuresOf(spec, unitValue),
    fees: { maker: feeRate(rates.maker, unitValue), taker: feeRate(rates.taker, unitValue) },
    liquidationFee: spec.liquidationFee ?? LIQUIDATION_FEE,
    fundingIntervalMs,
    state: rules.state,
    trading: overridable({ state: rules.state }, ({ state }) => void (instrument.state = state)),
    mark: null,
    index: null,
    markAtMs: startMs,
    gauge: null,
    lastTicks: null,
    openInterest: null,
    bookMoved: false,
    lastMoved: false,
    fundingRate: ZERO,
    nextFundingAtMs: spot ? Infinity : nextOnGrid(startMs, fundingIntervalMs),
    exposures: [],
    liveAlgos: new Set(),
  };
  return instrument;
}

/**
 * Throws on a malformed symbol. No accounts, empty books, no mark prices; readings begin with the next full hour UTC.
 */
export function newWorld(options: ExchangeOptions): World {
  const { startMs, phase } = options;
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const instruments = options.symbols.map((spec) => newInstrument(spec, settings, startMs));
  const exposures: Exposure[] = [];
  return {
    settings,
    phase,
    entropy: options.entropy ?? null,
    exchanges: [...new Set(instruments.map(({ parts }) => parts.exchange))],
    instruments: new Map(instruments.map((instrument) => [instrument.symbol, instrument])),
    portfolios: new Map(),
    byOwner: [],
    orders: new OrderStore(exposures),
    exposures,
    algosById: new Map(),
    ledger: newLedger(settings.retention?.ledgerEntries ?? null),
    steps: [],
    counters: { id: 0, long: 0, transaction: 0, trade: 0 },
    lastMoved: [],
    booksMoved: [],
    atRisk: [],
    userOut: [],
    publicOut: [],
    userListeners: new Set(),
    planListeners: new Set(),
    publicListeners: new Set(),
    commit: null,
    nowMs: startMs,
    nextSnapshotAtMs: Math.floor(startMs / HOUR_MS) * HOUR_MS + HOUR_MS,
    quietUntilMs: startMs,
  };
}
