/** Own trades of earlier runs from the journal: the closed ones, and what the open legs have cost so far. */
import type { LegMeta } from "../agent/legs/legs.ts";
import type { PastFill, RestoredTrades } from "../agent/legs/trade-book.ts";
import { dec, type Decimal, DECIMAL_PATTERN, ZERO } from "../core/decimal.ts";
import { type ClosedTrade, isExitCause, isTradeBasis } from "../domain/closed-trade.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../journal/rows.ts";
import { text } from "./restore-fields.ts";

const TRADES_READ = 200;
const FILLS_READ = 5_000;
/** Our clock may have stood a little otherwise when the leg was opened. */
const EARLIER_MS = 1_000;

type Body = Readonly<Record<string, unknown>>;

const bodyOf = (row: JournalRow): Body => (row.body ?? {}) as Body;
/** Null for anything but the text of a plain decimal. */
export const money = (value: unknown): Decimal | null =>
  typeof value === "string" && DECIMAL_PATTERN.test(value) ? dec(value) : null;

/** `legs` are those that were open at the end. */
export function tradesOf(reader: JournalReader, legs: ReadonlyMap<string, LegMeta>): RestoredTrades {
  const rows = reader.rows({ kinds: ["trade"], limit: TRADES_READ, newest: true });
  const closed = new Map<string, ClosedTrade>();
  for (const row of rows) {
    const trade = bodyOf(row)["event"] === "closed" ? closedOf(bodyOf(row)) : null;
    if (trade) closed.set(trade.id, trade);
  }
  if (legs.size === 0) return { closed: [...closed.values()], fills: [], funding: [] };
  const isOfOpenLeg = (row: JournalRow): boolean => {
    const leg = legs.get(text(bodyOf(row)["leg"]) ?? "");
    return leg !== undefined && row.atMs >= leg.openedAtMs - EARLIER_MS;
  };
  const sinceMs = Math.min(...[...legs.values()].map((leg) => leg.openedAtMs)) - EARLIER_MS;
  const fills = reader.rows({ kinds: ["fill"], sinceMs, limit: FILLS_READ, newest: true }).filter(isOfOpenLeg);
  return {
    closed: [...closed.values()],
    fills: fills.map((row) => pastFill(bodyOf(row), row.atMs)),
    funding: rows
      .filter((row) => bodyOf(row)["event"] === "funding" && isOfOpenLeg(row))
      .map((row) => ({ leg: String(bodyOf(row)["leg"]), amountUsdt: money(bodyOf(row)["amountUsdt"]) ?? ZERO })),
  };
}

function closedOf(body: Body): ClosedTrade | null {
  const [id, symbol, qty, entryPrice] = [
    text(body["id"]),
    text(body["symbol"]),
    money(body["qty"]),
    money(body["entryPrice"]),
  ];
  if (id === null || symbol === null || !qty || !entryPrice) return null;
  return {
    id,
    symbol,
    side: body["side"] === "SHORT" ? "SHORT" : "LONG",
    qty,
    entryPrice,
    exitPrice: money(body["exitPrice"]),
    feesUsdt: money(body["feesUsdt"]) ?? ZERO,
    fundingUsdt: money(body["fundingUsdt"]) ?? ZERO,
    netUsdt: money(body["netUsdt"]),
    openedAtMs: Number(body["openedAtMs"]),
    closedAtMs: Number(body["closedAtMs"]),
    decisionId: text(body["decisionId"]),
    strategy: text(body["strategy"]),
    thesis: text(body["thesis"]),
    basis: isTradeBasis(body["basis"]) ? body["basis"] : "none",
    exit: isExitCause(body["exit"]) ? body["exit"] : "outside",
    exitReason: text(body["exitReason"]) ?? "",
  };
}

/** A fill as its row tells it. */
export const pastFill = (body: Body, rowAtMs: number): PastFill => ({
  leg: String(body["leg"]),
  opening: body["opening"] === true,
  execution: {
    transactionId: String(body["transactionId"]),
    orderId: String(body["orderId"]),
    clientOrderId: String(body["clientOrderId"]),
    symbol: String(body["symbol"]),
    side: body["side"] === "SELL" ? "SELL" : "BUY",
    qty: money(body["qty"]) ?? ZERO,
    price: money(body["price"]) ?? ZERO,
    fee: money(body["fee"]) ?? ZERO,
    realizedPnl: money(body["realizedPnl"]) ?? ZERO,
    liquidity: body["liquidity"] === "MAKER" ? "MAKER" : "TAKER",
    atMs: Number(body["atMs"]) || rowAtMs,
  },
});
