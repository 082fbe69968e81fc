/** What the ledger knows at a start: the rows of the last days, with what a crash left open booked at its bound. */
import { DAY_MS } from "../../core/time.ts";
import * as budgeting from "./budget.ts";
import type { Report } from "./key-info.ts";
import {
  isUnknown,
  learnMargin,
  type BudgetEntry,
  type LedgerState,
  marginFor,
  readEntry,
  writeEntry,
} from "./entries.ts";

/** Older rows cannot matter: a day for the window, a day for clock steps, a day of margin. */
const LOOK_BACK_MS = 3 * DAY_MS;

/**
 * The newest rows are read regardless of the clock, which may have been set ahead by weeks during a question. Far
 * more than can be in flight at once. Fault C2.
 */
const LOOK_BACK_ROWS = 1_000;

/** Called once, before anything is reserved. */
export function restore(state: LedgerState): void {
  const rows = state.store.rowsSince(state.env.clock.nowMs() - LOOK_BACK_MS, LOOK_BACK_ROWS);
  for (const row of rows) {
    const entry = readEntry(row);
    if (entry) restoreEntry(state, entry);
  }
  for (const attemptId of budgeting.openAttempts(state.budget)) {
    writeEntry(state, attemptId, { costUsd: null, how: "crash" });
  }
}

function restoreEntry(state: LedgerState, { kind, body }: BudgetEntry): void {
  const { budget, asked } = state;
  const at = { wallMs: body.atMs, monotonicMs: null };
  if (kind === "model-reserve") {
    const { attemptId, model, decisionId } = body;
    asked.set(attemptId, { model, decisionId, margin: marginFor(state, model, at) });
    return budgeting.restoreReservation(budget, body.attemptId, body.boundUsd, body.atMs);
  }
  if (body.how === "boundary") {
    if (!state.followsGateway) return;
    state.boundaryKeptMs = body.atMs;
    return budgeting.moveBoundary(budget, body.boundaryMs ?? 0);
  }
  const charge = budget.charges.get(body.attemptId);
  const { costUsd } = body;
  if (body.how === "corrected") return budgeting.correct(budget, body.attemptId, costUsd);
  if (charge?.open) {
    const unknown = isUnknown(body.how);
    if (!unknown) learnMargin(state, { attemptId: body.attemptId, boundUsd: charge.amountUsd }, costUsd);
    budgeting.settle(budget, body.attemptId, unknown ? null : costUsd, at);
  } else if (!charge) budgeting.book(budget, body.attemptId, costUsd, at);
  if (body.reportedUsd) measureFrom(state, { spendUsd: body.reportedUsd, atMs: body.atMs });
}

/** Bookings since the baseline are compared with the counter's growth, so that a pause of days loses nothing. */
export function measureFrom(state: LedgerState, baseline: Report | null): void {
  state.baseline = baseline;
  state.budget.keptFromMs = baseline?.atMs ?? Infinity;
}
