/** A paper account as a journal row and back, so that scores outlive the process. */
import type { Decimal } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { PaperAccountRow } from "../../rows/shadow.ts";
import { PaperAccount } from "./paper-account.ts";

/** Sums carry more digits than a row keeps. */
const plain = (value: Decimal): Decimal => value.toDecimalPlaces(16);

/** The account as it stands in a row. */
export function paperRow(account: PaperAccount): PaperAccountRow {
  const { totals, day } = account;
  const { traded, ...others } = totals;
  return {
    sinceMs: account.sinceMs,
    balance: plain(account.balance),
    legs: [...account.positions.values()].map((held) => ({
      ...held,
      qty: plain(held.qty),
      avgPrice: plain(held.avgPrice),
      stopPrice: held.stopPrice && plain(held.stopPrice),
      targetPrice: held.targetPrice && plain(held.targetPrice),
      contractSize: plain(held.contractSize),
    })),
    totals: {
      ...others,
      fees: plain(totals.fees),
      spread: plain(totals.spread),
      funding: plain(totals.funding),
      modelUsd: plain(totals.modelUsd),
      ...(traded === null ? {} : { traded: plain(traded) }),
    },
    day: {
      name: day.name,
      startEquity: plain(day.startEquity),
      fees: plain(day.fees),
      modelUsd: plain(day.modelUsd),
    },
    peak: account.peak,
    maxDrawdown: account.maxDrawdown,
    score: { ...account.score },
    closes: [...account.closes.entries()],
    openings: account.recentOpenings,
  };
}

/** The account of an earlier run, from its last row. */
export function paperFromRow(row: PaperAccountRow): PaperAccount {
  const account = new PaperAccount(row.sinceMs);
  account.balance = row.balance;
  for (const held of row.legs) account.positions.set(positionKeyOf(held.symbol, held.side), held);
  Object.assign(account.totals, { ...row.totals, traded: row.totals.traded ?? null });
  account.day = { ...row.day };
  account.peak = row.peak;
  account.maxDrawdown = row.maxDrawdown;
  if (row.score) Object.assign(account.score, row.score);
  for (const [key, atMs] of row.closes) account.closes.set(key, atMs);
  account.recentOpenings = row.openings ?? [];
  return account;
}
