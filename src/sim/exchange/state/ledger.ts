/**
 * Double entry: every movement of money is one entry whose amounts sum to zero, so the total is zero after every event.
 * Balances of participants are the balances of their ledger accounts; there is no second copy.
 */
import { type Decimal, toWire, ZERO } from "../../../core/decimal.ts";
import { invariant } from "../../../core/invariant.ts";
import { isNothing, type Money, negated, Sum, toDecimal } from "./amount.ts";
import type { LedgerDump, LedgerEntry, LedgerKind } from "../contract/api.ts";
import { Rows } from "./rows.ts";

/** Changed only by `move`. `balance` is `sum` as a decimal, in whole units of the coin, computed when read. */
export class LedgerAccount {
  readonly name: string;
  readonly coin: string;
  readonly no: number;
  readonly sum = new Sum();

  constructor(name: string, coin: string, no: number) {
    this.name = name;
    this.coin = coin;
    this.no = no;
  }

  get balance(): Decimal {
    return this.sum.value;
  }
}

const KINDS = [
  "initial-credit",
  "reset",
  "fee",
  "realised-pnl",
  "funding",
  "liquidation-fee",
  "insurance",
  "transfer",
  "spot",
] as const satisfies readonly LedgerKind[];
/** Of a single posting. */
export type EntryKind = (typeof KINDS)[number];

/** Time, kind, reference, the two accounts, amount. */
const WIDTH = 6;

/** The parts of an entry that are not numbers, or too large for whole ones. */
interface Texts {
  readonly ref: string;
  readonly amount: Money;
}

/** The sums of entries that are no longer kept, by account. */
interface Carried {
  entries: number;
  atMs: number;
  readonly moved: Map<LedgerAccount, Sum>;
}

/** Entries are rows of numbers; `texts` holds the other parts, `carried` the sums of dropped entries. */
export interface Ledger {
  readonly accounts: Map<string, LedgerAccount>;
  /** The same accounts by number. */
  readonly byNo: LedgerAccount[];
  readonly rows: Rows;
  readonly texts: Map<number, Texts>;
  readonly carried: Carried;
  /** The least number of entries to keep; null keeps all. */
  readonly keep: number | null;
}

/**
 * `keep` is the least number of entries that stay readable one by one; null keeps all. Balances are exact either way.
 */
export const newLedger = (keep: number | null = null): Ledger => ({
  accounts: new Map(),
  byNo: [],
  rows: new Rows(WIDTH),
  texts: new Map(),
  carried: { entries: 0, atMs: 0, moved: new Map() },
  keep,
});

/** The account of this name and coin, opened at zero if new. */
export function ledgerAccount(ledger: Ledger, name: string, coin: string): LedgerAccount {
  const key = `${coin}|${name}`;
  const found = ledger.accounts.get(key);
  if (found !== undefined) return found;
  const account = new LedgerAccount(name, coin, ledger.byNo.length);
  ledger.accounts.set(key, account);
  ledger.byNo.push(account);
  return account;
}

function carry(carried: Carried, account: LedgerAccount, amount: Money): void {
  let moved = carried.moved.get(account);
  if (moved === undefined) carried.moved.set(account, (moved = new Sum()));
  moved.add(amount);
}

/** Gives an account its balance from before this ledger; all such balances must sum to zero. */
export function carryIn({ carried }: Ledger, account: LedgerAccount, amount: Money, atMs: number): void {
  account.sum.add(amount);
  carry(carried, account, amount);
  carried.entries++;
  carried.atMs = atMs;
}

interface Posting {
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly ref: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amount: Money;
}

/** The entry of a row; null if there is none. */
function readPosting({ rows, texts, byNo }: Ledger, row: number): Posting | null {
  const [atMs = 0, kindNo = 0, ref = 0, fromNo = 0, toNo = 0, amount = 0] = rows.read(row);
  const [kind, from, to, said] = [KINDS[kindNo], byNo[fromNo], byNo[toNo], texts.get(row)];
  if (kind === undefined || from === undefined || to === undefined) return null;
  return { atMs, kind, ref: said?.ref ?? String(ref), from, to, amount: said?.amount ?? amount };
}

/** Sums up the oldest entries, a block at a time, once there are more than must be kept. */
function carryForward(ledger: Ledger): void {
  const { rows, texts, carried, keep } = ledger;
  while (keep !== null && rows.hasMoreThan(keep)) {
    for (let row = rows.first; row <= rows.lastOfFirstBlock; row++) {
      const posting = readPosting(ledger, row);
      if (posting === null) continue;
      carry(carried, posting.from, negated(posting.amount));
      carry(carried, posting.to, posting.amount);
      carried.entries++;
      carried.atMs = posting.atMs;
      texts.delete(row);
    }
    rows.dropBlock();
  }
}

/** Moves an amount of one coin; a negative amount moves the other way. Zero writes nothing. */
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
  const { rows } = ledger;
  const row = rows.add();
  const { cells, at } = rows;
  const { ref } = why;
  cells[at] = why.atMs;
  cells[at + 1] = KINDS.indexOf(why.kind);
  cells[at + 3] = from.no;
  cells[at + 4] = to.no;
  if (typeof ref === "number" && typeof amount === "number") {
    cells[at + 2] = ref;
    cells[at + 5] = amount;
  } else {
    ledger.texts.set(row, { ref: String(ref), amount });
  }
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

/** One entry for each coin with all sums carried forward, which is balanced like the dropped entries. */
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

function entryOf({ atMs, kind, ref, from, to, amount }: Posting, seq: number): LedgerEntry {
  const moved = toDecimal(amount);
  const lines = [
    [from.name, toWire(moved.neg())],
    [to.name, toWire(moved)],
  ] as const;
  return { seq, atMs, kind, ref, coin: from.coin, lines };
}

/** Visits every kept entry: for `/control/ledger` and snapshots, not for the hot path. */
export function dumpLedger(ledger: Ledger): LedgerDump {
  const { accounts, carried, rows } = ledger;
  const balances: Record<string, Record<string, string>> = {};
  for (const { coin, name, balance } of accounts.values()) (balances[coin] ??= {})[name] = toWire(balance);
  const entries = carriedEntries(carried);
  for (let row = rows.first; row < rows.end; row++) {
    const posting = readPosting(ledger, row);
    if (posting !== null) entries.push(entryOf(posting, row + 1));
  }
  const totals = Object.fromEntries([...ledgerTotals(ledger)].map(([coin, total]) => [coin, toWire(total)]));
  return { entries, balances, totals };
}
