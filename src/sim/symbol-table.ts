/**
 * The instruments of the service, with their trading rules. Steps are those of the live service; sizes, brackets and
 * contract values that are not public are the defaults of records §9.1 and §9.4. The first exchange counts in base
 * units, the others in contracts (records §0.3).
 */
import { dec, type Decimal, ONE, roundToStep } from "../core/decimal.ts";
import { PHASE_ONE_BASES, type Phase } from "../domain/competition.ts";
import { parseSymbol, type SymbolRules } from "../domain/symbol.ts";
import type { SymbolSpec } from "./exchange/contract/market-api.ts";
import { referenceFor } from "./market/reference-prices.ts";

/** base, tickSize, lotSize, minNotional. */
const BASE_UNIT_ROWS = `
BTC 0.10 0.001 50|ETH 0.01 0.001 20|BNB 0.010 0.01 5|USDC 0.0000010 1 5|XRP 0.0001 0.1 5|SOL 0.0100 0.01 5
TRX 0.00001 1 5|HYPE 0.00100 0.01 5|DOGE 0.000010 1 5|ZEC 0.01 0.001 5|XLM 0.00001 1 5|ADA 0.00010 1 5
XMR 0.01 0.001 5|LINK 0.001 0.01 20|CC 0.0000100 1 5|BCH 0.01 0.001 20|LTC 0.01 0.001 20|HBAR 0.00001 1 5
SUI 0.000100 0.1 5|LAB 0.0001000 1 5|AVAX 0.0010 1 5|XAUT 0.01 0.001 5|NEAR 0.0010 1 5|1000SHIB 0.000001 1 5
M 0.0001000 1 5|TAO 0.01 0.001 5|UNI 0.0010 1 5|PAXG 0.0100 0.001 5|WLFI 0.0000100 1 5|ASTER 0.0001000 1 5
ONDO 0.0001000 0.1 5|WLD 0.0001000 1 5|DOT 0.000100 0.1 5|SKY 0.0000100 1 5|AAVE 0.010 0.1 5|MORPHO 0.0001000 0.1 5
ICP 0.001000 1 5|ETC 0.001 0.01 20|DEXE 0.001000 0.01 5|1000PEPE 0.0000001 1 5|QNT 0.010000 0.1 5|BEAT 0.0010000 1 5
KAS 0.0000100 1 5|STABLE 0.0000100 1 5|RENDER 0.0010000 0.1 5|ATOM 0.001 0.01 5|JUP 0.0001000 1 5|POL 0.0000100 1 5
ALGO 0.000010 0.1 5|JST 0.0000100 1 5`;

/** base, tickSize, lotSize in contracts, base units per contract. */
const CONTRACT_ROWS = `
BTC 0.1 0.01 0.01|ETH 0.01 0.01 0.1|BNB 0.1 1 0.01|XRP 0.0001 0.01 100|SOL 0.01 0.01 1|TRX 0.00001 0.01 1000
HYPE 0.001 1 0.1|DOGE 0.00001 0.01 1000|ZEC 0.01 1 1|ADA 0.0001 0.1 100|LINK 0.001 0.1 1|BCH 0.1 0.1 0.1
LTC 0.01 0.1 1|SUI 0.0001 1 1|LAB 0.0001 0.1 1|AVAX 0.001 0.1 1|NEAR 0.001 0.1 10|TAO 0.1 1 0.01
UNI 0.001 1 1|WLFI 0.00001 1 1|ASTER 0.0001 1 1|WLD 0.0001 1 1|DOT 0.0001 1 1|SKY 0.00001 1 1
AAVE 0.01 0.1 0.1|MORPHO 0.0001 1 1|ICP 0.001 1 0.01|ETC 0.001 0.01 10|BEAT 0.0001 0.1 1|STABLE 0.00001 1 1
RENDER 0.001 1 1|ATOM 0.001 1 1|POL 0.00001 1 10|ALGO 0.00001 1 10`;

const SPOT_ROWS = "BTC 0.01 0.00001 5|ETH 0.01 0.0001 5";
const MAJORS: ReadonlySet<string> = new Set(["BTC", "ETH"]);

type Row = readonly [base: string, tick: string, lot: string, last: string];

const rowsOf = (table: string): readonly Row[] =>
  table
    .trim()
    .split(/[|\n]/)
    .map((row): Row => {
      const [base = "", tick = "1", lot = "1", last = "1"] = row.split(" ");
      return [base, tick, lot, last];
    });

/** The instruments of a service from its start; a change of phase does not change them. */
export interface SymbolSelection {
  /** The first one counts in base units and has the competition's perpetuals. */
  readonly exchanges: readonly string[];
  readonly phase: Phase;
  /** Only these, in either phase; throws if one of them is unknown. */
  readonly only?: readonly string[];
  /** For every symbol; default 5. Records §7.5. */
  readonly defaultLeverage?: number;
}

/**
 * In phase 1 the fifty perpetuals of the first exchange, plus BTC and ETH elsewhere and one spot pair for practice with
 * the other forms. In phase 2 everything in the tables.
 */
export function symbolSpecs({ exchanges, phase, only, defaultLeverage = 5 }: SymbolSelection): readonly SymbolSpec[] {
  const all = exchanges
    .flatMap((exchange, place) => specsOfExchange(exchange, place === 0))
    .map((spec) => ({ ...spec, rules: { ...spec.rules, defaultLeverage } }));
  if (only) return only.map((symbol) => all.find((spec) => spec.rules.symbol === symbol) ?? unknownSymbol(symbol));
  return phase === 2 ? all : all.filter((spec) => inPhaseOne(spec, exchanges[0] ?? ""));
}

function unknownSymbol(symbol: string): never {
  throw new RangeError(`the simulated service has no rules for ${symbol}: name an instrument of its exchanges`);
}

function inPhaseOne({ rules }: SymbolSpec, firstExchange: string): boolean {
  const parts = parseSymbol(rules.symbol);
  if (!parts.ok) return false;
  const { exchange, type, base } = parts.value;
  if (type === "SPOT") return base === "BTC" && exchange === firstExchange;
  return exchange === firstExchange ? PHASE_ONE_BASES.includes(base) : MAJORS.has(base);
}

function specsOfExchange(exchange: string, inBaseUnits: boolean): readonly SymbolSpec[] {
  const perps = inBaseUnits
    ? rowsOf(BASE_UNIT_ROWS).map(([base, tick, lot, minNotional]) => perp({ exchange, base, tick, lot, minNotional }))
    : rowsOf(CONTRACT_ROWS).map(([base, tick, lot, contract]) => perp({ exchange, base, tick, lot, contract }));
  return [...perps, ...rowsOf(SPOT_ROWS).map((row) => spot(exchange, row, inBaseUnits))];
}

interface PerpRow {
  readonly exchange: string;
  readonly base: string;
  readonly tick: string;
  readonly lot: string;
  readonly minNotional?: string;
  /** Base units per contract; absent where quantities are in base units. */
  readonly contract?: string;
}

function perp({ exchange, base, tick, lot, minNotional = "0", contract }: PerpRow): SymbolSpec {
  const symbol = `${exchange}_PERP_${base}_USDT`;
  const contractSize = dec(contract ?? "1");
  return {
    rules: rulesOf({ symbol, base, tick: dec(tick), lot: dec(lot), minNotional: dec(minNotional), contractSize }),
    maxLeverage: 20,
    brackets: [
      { minNotional: dec(0), maxLeverage: 20, maintenanceRate: dec(MAJORS.has(base) ? "0.008" : "0.02") },
      { minNotional: dec(15_000_000), maxLeverage: 10, maintenanceRate: dec("0.05") },
      { minNotional: dec(30_000_000), maxLeverage: 4, maintenanceRate: dec("0.125") },
    ],
    originalSymbol: contract === undefined ? `${base}USDT` : `${base}-USDT-SWAP`,
  };
}

function spot(exchange: string, [base, tick, lot, minNotional]: Row, inBaseUnits: boolean): SymbolSpec {
  const symbol = `${exchange}_SPOT_${base}_USDT`;
  return {
    rules: rulesOf({ symbol, base, tick: dec(tick), lot: dec(lot), minNotional: dec(minNotional), contractSize: ONE }),
    maxLeverage: 1,
    brackets: [],
    originalSymbol: inBaseUnits ? `${base}USDT` : `${base}-USDT`,
  };
}

interface RuleRow {
  readonly symbol: string;
  readonly base: string;
  readonly tick: Decimal;
  readonly lot: Decimal;
  readonly minNotional: Decimal;
  readonly contractSize: Decimal;
}

/** Largest sizes: 1,000,000 USDT for a LIMIT order and a fifth of it for MARKET, at the reference price. */
function rulesOf({ symbol, base, tick, lot, minNotional, contractSize }: RuleRow): SymbolRules {
  const price = dec(referenceFor(base).price);
  const maxLimitSize = roundToStep(dec(1_000_000).div(price.mul(contractSize)), lot, "up");
  return {
    symbol,
    state: "live",
    tickSize: tick,
    pricePrecision: tick.decimalPlaces(),
    lotSize: lot,
    qtyPrecision: lot.decimalPlaces(),
    minSize: lot,
    minNotional,
    maxLimitSize,
    maxMarketSize: roundToStep(maxLimitSize.div(5), lot, "up"),
    maxNumOrders: 200,
    contractSize,
    defaultLeverage: 5,
  };
}
