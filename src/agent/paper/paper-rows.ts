/** A paper account as a journal row and back, so that scores outlive the process. */
import { dec, type Decimal, toWire } from "../../core/decimal.ts";
import { legKey } from "../../domain/position.ts";
import { PaperAccount, type PaperLeg } from "./paper-account.ts";

/** Sums carry more digits than a row takes back. */
const plain = (value: Decimal): string => toWire(value.toDecimalPlaces(16));

/** The account as a journal row's body; decimals as text. */
export function paperRow(account: PaperAccount): Record<string, unknown> {
  const { totals } = account;
  return {
    sinceMs: account.sinceMs,
    balance: plain(account.balance),
    legs: [...account.legs.values()].map((leg) => ({
      ...leg,
      qty: plain(leg.qty),
      avgPrice: plain(leg.avgPrice),
      stopPrice: leg.stopPrice && plain(leg.stopPrice),
      targetPrice: leg.targetPrice && plain(leg.targetPrice),
      contractSize: plain(leg.contractSize),
    })),
    totals: {
      ...totals,
      fees: plain(totals.fees),
      spread: plain(totals.spread),
      funding: plain(totals.funding),
      modelUsd: plain(totals.modelUsd),
    },
    day: {
      name: account.day.name,
      startEquity: plain(account.day.startEquity),
      fees: plain(account.day.fees),
      modelUsd: plain(account.day.modelUsd),
    },
    peak: account.peak,
    maxDrawdown: account.maxDrawdown,
    returns: { ...account.returns },
    closes: [...account.closes.entries()],
  };
}

type Written = Record<string, unknown>;
/** Throws on anything but a plain decimal: then the whole row is not believed. */
const money = (value: unknown): Decimal => dec(String(value));
const moneyOrNull = (value: unknown): Decimal | null => (typeof value === "string" ? dec(value) : null);

/** The account of an earlier run, from its last row; null when the row is not one. */
export function paperFromRow(body: unknown): PaperAccount | null {
  try {
    const row = body as Written;
    const account = new PaperAccount(Number(row["sinceMs"]));
    account.balance = money(row["balance"]);
    for (const leg of row["legs"] as readonly Written[]) {
      const read: PaperLeg = {
        symbol: String(leg["symbol"]),
        side: leg["side"] === "SHORT" ? "SHORT" : "LONG",
        qty: money(leg["qty"]),
        avgPrice: money(leg["avgPrice"]),
        stopPrice: moneyOrNull(leg["stopPrice"]),
        targetPrice: moneyOrNull(leg["targetPrice"]),
        openedAtMs: Number(leg["openedAtMs"]),
        thesis: String(leg["thesis"]),
        contractSize: money(leg["contractSize"]),
      };
      account.legs.set(legKey(read.symbol, read.side), read);
    }
    const totals = row["totals"] as Written;
    for (const name of ["decisions", "failed", "trades", "wins"] as const) account.totals[name] = Number(totals[name]);
    for (const name of ["fees", "spread", "funding", "modelUsd"] as const) account.totals[name] = money(totals[name]);
    const day = row["day"] as Written;
    account.day = {
      name: String(day["name"]),
      startEquity: money(day["startEquity"]),
      fees: money(day["fees"]),
      modelUsd: money(day["modelUsd"]),
    };
    account.peak = Number(row["peak"]);
    account.maxDrawdown = Number(row["maxDrawdown"]);
    Object.assign(account.returns, row["returns"]);
    for (const [key, atMs] of row["closes"] as readonly [string, number][]) account.closes.set(key, atMs);
    const figures = [account.sinceMs, account.peak, account.maxDrawdown, account.returns.lastEquity];
    return figures.every(Number.isFinite) ? account : null;
  } catch {
    return null;
  }
}
