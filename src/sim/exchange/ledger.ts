/**
 * Double entry: every movement of money is one entry whose amounts sum to zero, so the whole sum is zero after every
 * event. Balances of participants are the balances of their ledger accounts; there is no second copy of them.
 */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import { invariant } from "../../core/invariant.ts";
import type { LedgerDump } from "./api.ts";

export interface LedgerAccount {
  readonly name: string;
  readonly coin: string;
  balance: Decimal;
}

export type EntryKind =
  | "initial-credit"
  | "reset"
  | "fee"
  | "realised-pnl"
  | "funding"
  | "liquidation-fee"
  | "insurance"
  | "transfer"
  | "spot";

interface Posting {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly ref: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amount: Decimal;
}

export interface Ledger {
  readonly accounts: Map<string, LedgerAccount>;
  readonly postings: Posting[];
}

export const newLedger = (): Ledger => ({ accounts: new Map(), postings: [] });

/** The account of this name and coin, opened at zero when it is new. */
export function ledgerAccount(ledger: Ledger, name: string, coin: string): LedgerAccount {
  const key = `${coin}|${name}`;
  const found = ledger.accounts.get(key);
  if (found !== undefined) return found;
  const account = { name, coin, balance: ZERO };
  ledger.accounts.set(key, account);
  return account;
}

/** Moves an amount of one coin; a negative amount moves the other way. Nothing is written for zero. */
export function move(
  ledger: Ledger,
  amount: Decimal,
  way: { readonly from: LedgerAccount; readonly to: LedgerAccount },
  why: { readonly kind: EntryKind; readonly ref: string; readonly atMs: number },
): void {
  invariant(way.from.coin === way.to.coin, "a posting stays within one coin");
  if (amount.isZero()) return;
  way.from.balance = way.from.balance.sub(amount);
  way.to.balance = way.to.balance.add(amount);
  const { kind, ref, atMs } = why;
  const { from, to } = way;
  ledger.postings.push({ seq: ledger.postings.length + 1, atMs, kind, ref, from, to, amount });
}

/** The exact sum over all accounts of each coin. */
export function ledgerTotals(ledger: Ledger): Map<string, Decimal> {
  const totals = new Map<string, Decimal>();
  for (const { coin, balance } of ledger.accounts.values()) {
    totals.set(coin, (totals.get(coin) ?? ZERO).add(balance));
  }
  return totals;
}

export function dumpLedger(ledger: Ledger): LedgerDump {
  const balances: Record<string, Record<string, string>> = {};
  for (const { coin, name, balance } of ledger.accounts.values()) (balances[coin] ??= {})[name] = toWire(balance);
  return {
    entries: ledger.postings.map(({ seq, atMs, kind, ref, from, to, amount }) => ({
      seq,
      atMs,
      kind,
      ref,
      coin: from.coin,
      lines: [
        [from.name, toWire(amount.neg())],
        [to.name, toWire(amount)],
      ],
    })),
    balances,
    totals: Object.fromEntries([...ledgerTotals(ledger)].map(([coin, total]) => [coin, toWire(total)])),
  };
}
