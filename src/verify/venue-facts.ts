/** The venue's own account of a run (V): each fact of its ledger, decoded independently of the agent. */
import { type Num, NIL, num } from "./decimal.ts";
import { decimal, flag, type Rec, rec, text, texts, timeIn, word } from "./fields.ts";

interface Fact {
  readonly atMs: number;
  /** Place in the export, from 0. */
  readonly at: number;
  readonly accountId: string | null;
}

/** One line of the venue ledger; `atMs` is the venue's clock, NaN for a line without a time. */
export type VenueFact =
  | (Fact & { readonly fact: "order"; readonly order: VenueOrder })
  | (Fact & { readonly fact: "execution"; readonly execution: VenueExecution })
  | (Fact & { readonly fact: "position" } & HeldFact)
  | (Fact & { readonly fact: "algo"; readonly algo: VenueAlgo })
  | (Fact & { readonly fact: "mark"; readonly symbol: string; readonly mark: Num })
  | (Fact & { readonly fact: "account"; readonly equity: Num; readonly maintenance: Num; readonly modes: Rec })
  | (Fact & { readonly fact: "funding"; readonly symbol: string; readonly amount: Num })
  | (Fact & { readonly fact: "leverage"; readonly symbol: string; readonly leverage: Num })
  | (Fact & { readonly fact: "rules"; readonly symbol: string; readonly rules: Rules })
  | (Fact & { readonly fact: "faults" } & FaultsFact)
  | (Fact & { readonly fact: "received"; readonly call: string })
  | (Fact & { readonly fact: "call" } & CallFact)
  | (Fact & { readonly fact: "uptime"; readonly doors: Rec })
  | (Fact & { readonly fact: "alarm"; readonly channel: string });

interface HeldFact {
  readonly symbol: string;
  readonly side: string;
  readonly qty: Num;
  /** Average entry price; null if not recorded. */
  readonly avgPrice: Num | null;
}

/** The active faults by name, and the kinds of call (`METHOD path`) that the venue serves never or not always; null if not recorded. */
interface FaultsFact {
  readonly on: readonly string[];
  readonly barred: readonly string[] | null;
  readonly touched: readonly string[] | null;
}

/** The end of a call that a fault may have struck; `atMs` is its end, `sinceMs` its arrival, when it was `received`. */
interface CallFact {
  readonly call: string;
  readonly sinceMs: number;
  readonly served: boolean;
  /** How long a refusal asks the client to stay away; zero otherwise. */
  readonly retryAfterMs: number;
}

/** An order after one change; quantities in the symbol's order unit, price null if not recorded. */
export interface VenueOrder {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly algoOrderId: string | null;
  readonly symbol: string;
  readonly side: string;
  readonly positionSide: string;
  readonly qty: Num;
  readonly price: Num | null;
  readonly state: string;
  readonly executed: Num;
  readonly reduceOnly: boolean;
}

/** A fill; a positive fee was paid, `realized` is before the fee. Missing figures read as zero. */
export interface VenueExecution {
  readonly transactionId: string;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: string;
  readonly qty: Num;
  readonly price: Num;
  readonly fee: Num;
  readonly realized: Num;
}

/** An algo order after one change; `stops` is true if it has a stop-loss or a conditional trigger. */
export interface VenueAlgo {
  readonly algoOrderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: string;
  readonly positionSide: string;
  /** Zero: the whole position. */
  readonly qty: Num;
  readonly state: string;
  readonly stops: boolean;
  /** The price at which it gives the position up; null if it does not stop. */
  readonly stopPrice: Num | null;
}

/** Price and quantity steps, minimum value in quote currency, and base units per order unit. */
export interface Rules {
  readonly tick: Num;
  readonly lot: Num;
  readonly minNotional: Num;
  readonly contractSize: Num;
}

const amount = (from: Rec, name: string): Num => decimal(from, name) ?? NIL;

/** Null for an unknown kind of fact. */
export function decodeFact(from: Rec, at: number): VenueFact | null {
  const base = { atMs: timeIn(from, "atMs") ?? NaN, at, accountId: text(from, "accountId") };
  const symbol = word(from, "sym");
  switch (from["fact"]) {
    case "order":
      return { ...base, fact: "order", order: orderIn(from) };
    case "execution":
      return { ...base, fact: "execution", execution: executionIn(from) };
    case "position":
      return {
        ...base,
        fact: "position",
        symbol,
        side: word(from, "positionSide"),
        qty: amount(from, "positionQty"),
        avgPrice: decimal(from, "avgPrice"),
      };
    case "algo":
      return { ...base, fact: "algo", algo: algoIn(from) };
    case "mark":
      return { ...base, fact: "mark", symbol, mark: amount(from, "mark") };
    case "account": {
      const [equity, maintenance] = [amount(from, "equity"), amount(from, "maintainMargin")];
      return { ...base, fact: "account", equity, maintenance, modes: rec(from, "modes") ?? {} };
    }
    case "funding":
      return { ...base, fact: "funding", symbol, amount: amount(from, "amount") };
    case "leverage":
      return { ...base, fact: "leverage", symbol, leverage: amount(from, "leverage") };
    case "rules":
      return { ...base, fact: "rules", symbol, rules: rulesIn(from, ["tickSize", "lotSize"]) };
    case "faults":
      return {
        ...base,
        fact: "faults",
        on: texts(from, "on"),
        barred: from["barred"] === undefined ? null : texts(from, "barred"),
        touched: from["touched"] === undefined ? null : texts(from, "touched"),
      };
    case "received":
      return { ...base, fact: "received", call: word(from, "call") };
    case "call": {
      const sinceMs = timeIn(from, "sinceMs") ?? base.atMs;
      const retryAfterMs = timeIn(from, "retryAfterMs") ?? 0;
      return { ...base, fact: "call", call: word(from, "call"), sinceMs, served: flag(from, "served"), retryAfterMs };
    }
    case "uptime":
      return { ...base, fact: "uptime", doors: from };
    case "alarm":
      return { ...base, fact: "alarm", channel: word(from, "channel") };
    default:
      return null;
  }
}

const orderIn = (from: Rec): VenueOrder => ({
  orderId: word(from, "orderId"),
  clientOrderId: word(from, "clientOrderId"),
  algoOrderId: text(from, "algoOrderId"),
  symbol: word(from, "sym"),
  side: word(from, "side"),
  positionSide: word(from, "positionSide"),
  qty: amount(from, "orderQty"),
  price: num(from["limitPrice"]),
  state: word(from, "orderState"),
  executed: amount(from, "executedQty"),
  reduceOnly: flag(from, "reduceOnly"),
});

const executionIn = (from: Rec): VenueExecution => ({
  transactionId: word(from, "transactionId"),
  orderId: word(from, "orderId"),
  clientOrderId: word(from, "clientOrderId"),
  symbol: word(from, "sym"),
  side: word(from, "side"),
  qty: amount(from, "quantity"),
  price: amount(from, "price"),
  fee: amount(from, "fee"),
  realized: amount(from, "rpnl"),
});

/** A lone trigger of an order with a stop-loss is none: a stop-loss says itself that it is one. */
const stopIn = (from: Rec): Num | null => decimal(from, "slTriggerPrice") ?? decimal(from, "conditionalTriggerPrice");

const algoIn = (from: Rec): VenueAlgo => ({
  algoOrderId: word(from, "algoOrderId"),
  clientOrderId: word(from, "clientOrderId"),
  symbol: word(from, "sym"),
  side: word(from, "side"),
  positionSide: word(from, "positionSide"),
  qty: amount(from, "orderQty"),
  state: word(from, "orderState"),
  stops: text(from, "slTriggerPrice") !== null || text(from, "conditionalTriggerPrice") !== null,
  stopPrice: stopIn(from),
});

/** A symbol's rules; the names of tick and lot differ between the venue's facts and the journal. */
export const rulesIn = (from: Rec, [tick, lot]: readonly [string, string]): Rules => ({
  tick: amount(from, tick),
  lot: amount(from, lot),
  minNotional: amount(from, "minNotional"),
  contractSize: decimal(from, "contractSize") ?? { digits: 1n, scale: 0 },
});
