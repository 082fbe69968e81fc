/**
 * The state that a venue stores of its accounts to continue in another process: plain JSON, money as text. The market
 * is not included, because a tape starts again. Ended orders, executions, statements and similar never change, so they
 * are saved once.
 */
import type { AlgoOrder, Execution, NavMark, Order, Portfolio } from "../state/state.ts";

/** Owner, exchange and symbol of each exposure, by its number. */
export type SavedExposure = readonly [accountId: string, exchange: string, symbol: string];

export type SavedOrder = Omit<
  Order,
  "exposure" | "fee" | "orderId" | "resting" | "openBefore" | "openNext" | "countedTicks" | "talliedLots"
> & { readonly x: number; readonly fee: string | null };

export interface SavedTrigger {
  readonly price: string;
  readonly type: NonNullable<AlgoOrder["stopLoss"]>["type"];
  readonly orderPrice: string;
  readonly above: boolean;
}

export type SavedAlgo = Omit<AlgoOrder, "exposure" | "child" | "conditional" | "takeProfit" | "stopLoss"> & {
  readonly x: number;
  /** Number of the order that it fired. */
  readonly child: number | null;
  readonly conditional: SavedTrigger | null;
  readonly takeProfit: SavedTrigger | null;
  readonly stopLoss: SavedTrigger | null;
};

/** Sums and decimals of a position as text, in the order of `position.ts`. */
export interface SavedPosition {
  readonly x: number;
  readonly [field: string]: string | number | null;
}

export type SavedExecution = Omit<Execution, "exposure" | "fee" | "realisedPnl"> & {
  readonly x: number;
  readonly fee: string;
  readonly realisedPnl: string;
};

export interface SavedStatement {
  readonly exchange: string;
  readonly before: string;
  readonly after: string;
  readonly [field: string]: string | number;
}

export interface SavedClosed {
  readonly position: SavedPosition;
  readonly long: boolean;
  readonly endedBy: Order["origin"];
  readonly leverage: number;
  readonly mode: "BOTH" | "NET";
}

/** The parts of a portfolio that grow and never change. */
export interface SavedHistory {
  readonly accountId: string;
  readonly orders: readonly SavedOrder[];
  readonly algos: readonly SavedAlgo[];
  readonly executions: readonly SavedExecution[];
  readonly statements: readonly SavedStatement[];
  readonly closed: readonly SavedClosed[];
  readonly navs: readonly (readonly [atMs: NavMark["atMs"], equity: string])[];
}

export interface SavedWallet {
  readonly exchange: string;
  readonly mode: "BOTH" | "NET";
  readonly coins: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The parts of a portfolio that change: each save has all of them. */
export interface SavedPortfolio extends Pick<
  Portfolio,
  "accountId" | "teamName" | "feeTier" | "frozen" | "eliminatedAtMs"
> {
  readonly initialUsdt: string;
  readonly wallets: readonly SavedWallet[];
  readonly leverage: readonly (readonly [symbol: string, leverage: number])[];
  readonly positions: readonly SavedPosition[];
  readonly openOrders: readonly SavedOrder[];
  readonly liveAlgos: readonly SavedAlgo[];
  readonly scored: {
    readonly trades: number;
    readonly units: readonly (readonly [symbol: string, units: string])[];
    readonly closed: number;
    readonly won: number;
    readonly skipClosed: number;
  };
}

/** Balances by ledger account: name, coin, amount. */
export type SavedBalance = readonly [name: string, coin: string, amount: string];

/** One save: everything that changes, and the history since the previous save. */
export interface Saved {
  readonly phase: 1 | 2;
  readonly counters: Readonly<Record<string, number>>;
  readonly exposures: readonly SavedExposure[];
  readonly balances: readonly SavedBalance[];
  readonly portfolios: readonly SavedPortfolio[];
  readonly history: readonly SavedHistory[];
}

/** Later saves have the newer state; their histories are concatenated. */
export function joined(saves: readonly Saved[]): Saved | null {
  const last = saves.at(-1);
  if (!last) return null;
  const byAccount = new Map<string, SavedHistory>();
  for (const { history } of saves)
    for (const more of history) {
      const known = byAccount.get(more.accountId);
      byAccount.set(more.accountId, known ? appended(known, more) : more);
    }
  return { ...last, history: [...byAccount.values()] };
}

const appended = (known: SavedHistory, more: SavedHistory): SavedHistory => ({
  accountId: known.accountId,
  orders: [...known.orders, ...more.orders],
  algos: [...known.algos, ...more.algos],
  executions: [...known.executions, ...more.executions],
  statements: [...known.statements, ...more.statements],
  closed: [...known.closed, ...more.closed],
  navs: [...known.navs, ...more.navs],
});
