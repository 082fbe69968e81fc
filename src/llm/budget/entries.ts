/**
 * The entries of the ledger: each is a row first and then in the budget. A disk that takes no row is asked again, and until
 * then the reservation stays charged at its bound. Faults L1-L4; invariants I19, I20.
 */
import { type Decimal, dec, maxDecimal, ONE, toWire, ZERO } from "../../core/decimal.ts";
import type { Stop } from "../../core/clock.ts";
import type { Env } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import * as budgeting from "./budget.ts";
import type { Report } from "./key-info.ts";
import type { SpendLedgerStore } from "../contract/port.ts";
import { type ModelReserveRow, readModelReserve } from "../../rows/model-reserve.ts";
import { modelSettleRow, type ModelSettleRow, readModelSettle } from "../../rows/model-settle.ts";
import type { WrittenRow } from "../../rows/row.ts";

/** A row of the ledger: a reservation, or how it ended. */
export type BudgetEntry =
  | { readonly kind: "model-reserve"; readonly body: ModelReserveRow }
  | { readonly kind: "model-settle"; readonly body: ModelSettleRow };

/** Null for a row of another kind. Throws RowError for an invalid row of the budget: money is never guessed. */
export function readEntry(row: WrittenRow): BudgetEntry | null {
  if (row.kind === "model-reserve") return { kind: row.kind, body: readModelReserve(row) };
  return row.kind === "model-settle" ? { kind: row.kind, body: readModelSettle(row) } : null;
}

/** As booked: twelve decimals, rounded up, on the safe side. */
export const bookedUsd = (amount: Decimal): Decimal => amount.toDecimalPlaces(12, 0);
/** The same as text. */
export const usdText = (amount: Decimal): string => toWire(bookedUsd(amount));
/** For display: four places, and two significant digits below a cent. */
export const shownUsd = (amount: Decimal): string =>
  toWire(amount.abs().lt("0.01") ? amount.toSignificantDigits(2) : amount.toDecimalPlaces(4));

/** Money reserved for a question and its repair; `attemptId` names it in the rows. */
export interface Reservation {
  readonly attemptId: string;
  readonly boundUsd: Decimal;
}

/** Content of a reservation's row; `boundUsd` is the worst case, a repair included. */
export interface ReserveRequest {
  readonly decisionId: string;
  readonly purpose: string;
  readonly model: string;
  readonly boundUsd: Decimal;
}

/** How a reservation ends; `crash` is the bound of one that an ended process left open. */
export type SettlementKind = "actual" | "estimated" | "nothing" | "bound" | "crash";

/** Whether an entry says nothing about the true cost. */
export const isUnknown = (how: string): boolean => how === "bound" || how === "crash";

/** Wait before a failed row is retried. */
const AGAIN_MS = 5_000;

/** A reservation's model and decision, and what the bounds of that model were multiplied by as it was made. */
interface Asked {
  readonly model: string;
  readonly decisionId: string;
  readonly margin: Decimal;
}

/** The budget and its rows. */
export interface LedgerState {
  readonly env: Env;
  readonly log: Log;
  readonly store: SpendLedgerStore;
  readonly budget: budgeting.Budget;
  /** The reservations without an entry. */
  readonly asked: Map<string, Asked>;
  /** Entries that the disk refused: retried soon, before the next reservation, and at the end. */
  readonly unwritten: Map<string, { readonly costUsd: Decimal | null; readonly how: SettlementKind }>;
  again: Stop | null;
  /** By call that cost more than its plain bound, the margin that its bill proves to be needed. */
  readonly learned: Map<string, { readonly model: string; readonly margin: Decimal }>;
  /** Whether the budget day follows the gateway's reset. */
  readonly followsGateway: boolean;
  /** Time of the row that last kept the start of the day; -Infinity before any, when the day starts as the rules say. */
  boundaryKeptMs: number;
  /** The gateway's own figure as last read, and the one that later figures are compared with. */
  report: Report | null;
  baseline: Report | null;
}

/** Now, by wall clock and monotonic clock. */
export const instant = ({ env }: LedgerState): budgeting.Instant => ({
  wallMs: env.clock.nowMs(),
  monotonicMs: env.clock.monotonicMs(),
});

const BECAUSE: Readonly<Record<SettlementKind, string>> = {
  actual: " (actual)",
  nothing: " (nothing)",
  estimated: ", counted by our tokenizer because the gateway stated no usage",
  bound: ", its upper bound: the outcome is unknown",
  crash: ", its upper bound: the process ended during the call",
};

/** A row that cannot be written leaves the reservation open, which charges its bound: never too little. */
export function writeEntry(
  state: LedgerState,
  attemptId: string,
  entry: { readonly costUsd: Decimal | null; readonly how: SettlementKind },
): Decimal {
  const { budget, store, log, env } = state;
  const bound = budget.charges.get(attemptId)?.amountUsd ?? ZERO;
  const costUsd = entry.costUsd ?? bound;
  try {
    const { how } = entry;
    store.append(modelSettleRow({ attemptId, atMs: env.clock.nowMs(), costUsd: bookedUsd(costUsd), how }));
  } catch (error) {
    state.unwritten.set(attemptId, entry);
    writeAgainSoon(state);
    log.event(
      "error",
      "budget.spent",
      `A ledger entry could not be written (${String(error)}); its bound stays charged.`,
      {
        error: String(error),
      },
    );
    return maxDecimal(bound, costUsd);
  }
  state.unwritten.delete(attemptId);
  budgeting.settle(budget, attemptId, entry.costUsd, instant(state));
  const decision = state.asked.get(attemptId)?.decisionId;
  state.asked.delete(attemptId);
  const { dayUsd, leftUsd } = budgeting.used(budget, instant(state));
  const today = `${shownUsd(dayUsd)} USD used today, ${shownUsd(leftUsd)} USD left`;
  log.event("info", "budget.spent", `Booked ${shownUsd(costUsd)} USD${BECAUSE[entry.how]}; ${today}.`, {
    decision,
    attemptId,
    how: entry.how,
    costUsd: usdText(costUsd),
    usedTodayUsd: usdText(dayUsd),
    leftUsd: usdText(leftUsd),
  });
  return costUsd;
}

/** Retries the entries that wait for the disk. */
export function writeWaiting(state: LedgerState): void {
  for (const [attemptId, entry] of [...state.unwritten]) writeEntry(state, attemptId, entry);
}

/** Without a further question the reservation would stay open until the next start, which books it at its bound. */
function writeAgainSoon(state: LedgerState): void {
  state.again ??= state.env.clock.after(AGAIN_MS, () => {
    state.again = null;
    writeWaiting(state);
  });
}

/**
 * What bounds of a model are multiplied by: the most that one of its bills proves to be needed, as long as that bill counts in the
 * budget. A margin that outlived its day could ask for more than a whole day's money and stop the model for ever.
 */
export function marginFor({ budget, learned }: LedgerState, model: string, now: budgeting.Instant): Decimal {
  let most = ONE;
  for (const [attemptId, one] of learned) {
    if (!budgeting.counts(budget, attemptId, now)) learned.delete(attemptId);
    else if (one.model === model) most = maxDecimal(most, one.margin);
  }
  return most;
}

/**
 * A cost above its bound means that the price table or the token count is wrong: raise the bounds. The ratio is one to the bound of
 * that question, so it raises the margin of that question, not what others have learned since.
 */
export function learnMargin(
  { asked, learned, log }: LedgerState,
  { attemptId, boundUsd }: Reservation,
  costUsd: Decimal,
): void {
  const { model, margin } = asked.get(attemptId) ?? { model: "", margin: ONE };
  const ratio = costUsd.div(maxDecimal(boundUsd, dec("0.000001")));
  if (margin.mul(ratio).gt(ONE)) learned.set(attemptId, { model, margin: margin.mul(ratio).mul(dec("1.1")) });
  if (costUsd.lte(boundUsd)) return;
  const fields = { model, ratio: toWire(ratio.toDecimalPlaces(4)) };
  log.event(
    "warn",
    "budget.spent",
    `A call of ${model} cost ${fields.ratio} times its bound; bounds are raised.`,
    fields,
  );
}
