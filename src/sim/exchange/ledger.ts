/**
 * Double entry: every movement of money is one entry whose amounts sum to zero, so the whole sum is zero after every
 * event. Balances of participants are the balances of their ledger accounts; there is no second copy of them.
 */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import { invariant } from "../../core/invariant.ts";
import { isNothing, type Money, negated, Sum, toDecimal } from "./amount.ts";
import type { LedgerDump, LedgerEntry } from "./api.ts";

export class LedgerAccount {
  readonly name: string;
  readonly coin: string;
  readonly sum = new Sum();

  constructor(name: string, coin: string) {
    this.name = name;
    this.coin = coin;
  }

  get balance(): Decimal {
    return this.sum.value;
  }
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

/** One entry; its number is its place behind those that were carried forward. */
interface Posting {
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly ref: string | number;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amount: Money;
}

/** What the entries that are no longer kept one by one have moved, account by account. */
interface Carried {
  entries: number;
  atMs: number;
  readonly moved: Map<LedgerAccount, Sum>;
}

export interface Ledger {
  readonly accounts: Map<string, LedgerAccount>;
  readonly postings: Posting[];
  readonly carried: Carried;
  /** Entries that are kept at least; null keeps all. */
  readonly keep: number | null;
}

export const newLedger = (keep: number | null = null): Ledger => ({
  accounts: new Map(),
  postings: [],
  carried: { entries: 0, atMs: 0, moved: new Map() },
  keep,
});

/** The account of this name and coin, opened at zero when it is new. */
export function ledgerAccount(ledger: Ledger, name: string, coin: string): LedgerAccount {
  const key = `${coin}|${name}`;
  const found = ledger.accounts.get(key);
  if (found !== undefined) return found;
  const account = new LedgerAccount(name, coin);
  ledger.accounts.set(key, account);
  return account;
}

function carry(carried: Carried, account: LedgerAccount, amount: Money): void {
  let moved = carried.moved.get(account);
  if (moved === undefined) carried.moved.set(account, (moved = new Sum()));
  moved.add(amount);
}

/** Sums the oldest entries up, a quarter more than are kept at a time, so that an entry costs the same on average. */
function carryForward({ postings, carried, keep }: Ledger): void {
  if (keep === null || postings.length < keep * 1.25 + 1) return;
  for (const { from, to, amount, atMs } of postings.splice(0, postings.length - keep)) {
    carry(carried, from, negated(amount));
    carry(carried, to, amount);
    carried.entries++;
    carried.atMs = atMs;
  }
}

/** Moves an amount of one coin; a negative amount moves the other way. Nothing is written for zero. */
export function move(
  ledger: Ledger,
  amount: Money,
  way: { readonly from: LedgerAccount; readonly to: LedgerAccount },
  why: { readonly kind: EntryKind; readonly ref: string | number; readonly atMs: number },
): void {
  const { from, to } = way;
  invariant(from.coin === to.coin, "a posting stays within one coin");
  if (isNothing(amount)) return;
  from.sum.add(negated(amount));
  to.sum.add(amount);
  ledger.postings.push({ atMs: why.atMs, kind: why.kind, ref: why.ref, from, to, amount });
  carryForward(ledger);
}

/** The exact sum over all accounts of each coin. */
export function ledgerTotals(ledger: Ledger): Map<string, Decimal> {
  const totals = new Map<string, Decimal>();
  for (const { coin, balance } of ledger.accounts.values()) {
    totals.set(coin, (totals.get(coin) ?? ZERO).add(balance));
  }
  return totals;
}

/** One entry for each coin that holds all that was carried forward; it sums to zero as they did. */
function carriedEntries({ entries, atMs, moved }: Carried): LedgerEntry[] {
  const byCoin = new Map<string, [string, string][]>();
  for (const [{ name, coin }, sum] of moved) {
    const lines = byCoin.get(coin) ?? [];
    byCoin.set(coin, lines);
    lines.push([name, toWire(sum.value)]);
  }
  return [...byCoin].map(([coin, lines]) => {
    return { seq: entries, atMs, kind: "carried-forward", ref: `entries 1 to ${entries}`, coin, lines };
  });
}

export function dumpLedger(ledger: Ledger): LedgerDump {
  const { accounts, carried, postings } = ledger;
  const balances: Record<string, Record<string, string>> = {};
  for (const { coin, name, balance } of accounts.values()) (balances[coin] ??= {})[name] = toWire(balance);
  const kept = postings.map(({ atMs, kind, ref, from, to, amount }, i): LedgerEntry => {
    const moved = toDecimal(amount);
    const lines = [
      [from.name, toWire(moved.neg())],
      [to.name, toWire(moved)],
    ] as const;
    return { seq: carried.entries + i + 1, atMs, kind, ref: String(ref), coin: from.coin, lines };
  });
  return {
    entries: [...carriedEntries(carried), ...kept],
    balances,
    totals: Object.fromEntries([...ledgerTotals(ledger)].map(([coin, total]) => [coin, toWire(total)])),
  };
}
