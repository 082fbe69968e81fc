/**
 * Decodes the outside records of a run: writes that reached the venue (W), the venue's own facts (V), model charges
 * (L).
 */
import { type Num, NIL, num } from "./decimal.ts";
import { decimal, flag, isRec, list, type Rec, rec, text, timeIn } from "./fields.ts";
import { readObject } from "./rows.ts";

/** One write as the venue received it. */
export interface Frame {
  readonly seq: number;
  /** Arrival by the venue's clock. */
  readonly atMs: number;
  readonly accountId: string | null;
  /** `POST /api/v1/trading/order`, or an action's name on the user stream. */
  readonly call: string;
  readonly params: Rec;
  readonly result: string;
}

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

/** The active faults by name, and the kinds of call (`METHOD path`) of which none, or not every one, is served; null if not recorded. */
interface FaultsFact {
  readonly on: readonly string[];
  readonly barred: readonly string[] | null;
  readonly touched: readonly string[] | null;
}

/** The end of a call that a fault may have struck; `atMs` is its end, `sinceMs` its arrival. */
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

/** The actual cost of one call, from the gateway; `requestId` is empty if it had no id of ours. */
export interface Charge {
  readonly atMs: number;
  readonly startedMs: number;
  /** The trading account whose key paid; null if not recorded. */
  readonly accountId: string | null;
  readonly model: string;
  readonly requestId: string;
  readonly costUsd: Num;
}

/** The objects of an export: JSON lines, one array, or an object with `entries`. Null for anything else. */
export function readEntries(content: string): readonly Rec[] | null {
  const whole = readJson(content);
  if (Array.isArray(whole)) return whole.filter(isRec);
  if (isRec(whole) && Array.isArray(whole["entries"])) return list(whole, "entries").filter(isRec);
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const objects = lines.map(readObject);
  return objects.every((object) => object !== null) ? objects : null;
}

function readJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

const need = (from: Rec, name: string): Num => decimal(from, name) ?? NIL;
const words = (from: Rec, name: string): readonly string[] => list(from, name).filter((one) => typeof one === "string");
const word = (from: Rec, name: string): string => text(from, name) ?? "";

/** Accepts anything: missing words read as empty, a missing time as NaN. */
export const decodeFrame = (from: Rec): Frame => ({
  seq: Number(from["seq"]),
  atMs: timeIn(from, "atMs") ?? NaN,
  accountId: text(from, "accountId"),
  call: word(from, "call"),
  params: rec(from, "params") ?? {},
  result: word(from, "result"),
});

/** Accepts anything; a call without a start time started when it was charged. */
export const decodeCharge = (from: Rec): Charge => ({
  atMs: timeIn(from, "atMs") ?? NaN,
  startedMs: timeIn(from, "startedMs") ?? timeIn(from, "atMs") ?? NaN,
  accountId: text(from, "accountId"),
  model: word(from, "model"),
  requestId: word(from, "requestId"),
  costUsd: need(from, "costUsd"),
});

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
        qty: need(from, "positionQty"),
        avgPrice: decimal(from, "avgPrice"),
      };
    case "algo":
      return { ...base, fact: "algo", algo: algoIn(from) };
    case "mark":
      return { ...base, fact: "mark", symbol, mark: need(from, "mark") };
    case "account": {
      const [equity, maintenance] = [need(from, "equity"), need(from, "maintainMargin")];
      return { ...base, fact: "account", equity, maintenance, modes: rec(from, "modes") ?? {} };
    }
    case "funding":
      return { ...base, fact: "funding", symbol, amount: need(from, "amount") };
    case "leverage":
      return { ...base, fact: "leverage", symbol, leverage: need(from, "leverage") };
    case "rules":
      return { ...base, fact: "rules", symbol, rules: rulesIn(from, ["tickSize", "lotSize"]) };
    case "faults":
      return {
        ...base,
        fact: "faults",
        on: words(from, "on"),
        barred: from["barred"] === undefined ? null : words(from, "barred"),
        touched: from["touched"] === undefined ? null : words(from, "touched"),
      };
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
  qty: need(from, "orderQty"),
  price: num(from["limitPrice"]),
  state: word(from, "orderState"),
  executed: need(from, "executedQty"),
  reduceOnly: flag(from, "reduceOnly"),
});

const executionIn = (from: Rec): VenueExecution => ({
  transactionId: word(from, "transactionId"),
  orderId: word(from, "orderId"),
  clientOrderId: word(from, "clientOrderId"),
  symbol: word(from, "sym"),
  side: word(from, "side"),
  qty: need(from, "quantity"),
  price: need(from, "price"),
  fee: need(from, "fee"),
  realized: need(from, "rpnl"),
});

/** A lone trigger of an order with a stop-loss is none: a stop-loss says itself that it is one. */
const stopIn = (from: Rec): Num | null => decimal(from, "slTriggerPrice") ?? decimal(from, "conditionalTriggerPrice");

const algoIn = (from: Rec): VenueAlgo => ({
  algoOrderId: word(from, "algoOrderId"),
  clientOrderId: word(from, "clientOrderId"),
  symbol: word(from, "sym"),
  side: word(from, "side"),
  positionSide: word(from, "positionSide"),
  qty: need(from, "orderQty"),
  state: word(from, "orderState"),
  stops: text(from, "slTriggerPrice") !== null || text(from, "conditionalTriggerPrice") !== null,
  stopPrice: stopIn(from),
});

/** A symbol's rules; the names of tick and lot differ between the venue's facts and the journal. */
export const rulesIn = (from: Rec, [tick, lot]: readonly [string, string]): Rules => ({
  tick: need(from, tick),
  lot: need(from, lot),
  minNotional: need(from, "minNotional"),
  contractSize: decimal(from, "contractSize") ?? { digits: 1n, scale: 0 },
});
