/**
 * The budget with its durable side: every change is a row first. Reservations that a crash left open are booked at
 * their bound. Faults L1-L4, L12; invariants I19, I20.
 */
import { type Decimal, dec, maxDecimal, ONE, toWire, ZERO } from "../core/decimal.ts";
import type { Stop } from "../core/clock.ts";
import type { Env } from "../core/env.ts";
import type { Log } from "../core/log.ts";
import { err, ok } from "../core/result.ts";
import { DAY_MS } from "../core/time.ts";
import { type Books, instant, writeSettle, writeWaiting } from "./bookings.ts";
import * as purse from "./budget.ts";
import { provenCosts } from "./corrections.ts";
import type { Counted, Report } from "./key-info.ts";
import { isUnknown, type Ledger, type Reservation, type ReserveRequest } from "./purse.ts";
import type { SpendLedgerStore } from "./port.ts";
import { modelReserveRow } from "../rows/model-reserve.ts";
import { modelSettleRow, type ModelSettleRow } from "../rows/model-settle.ts";
import { bookedUsd, readSpendRow, type SpendEntry, shownUsd, usdText } from "./spend-rows.ts";

/** Older rows cannot matter: a day for the window, a day for clock steps, a day of margin. */
const LOOK_BACK_MS = 3 * DAY_MS;
/**
 * The newest rows are read regardless of the clock, which may have been set ahead by weeks during a question. Far
 * more than can be in flight at once. Fault C2.
 */
const LOOK_BACK_ROWS = 1_000;
const never: Stop = () => undefined;

interface State extends Books {
  readonly margins: Map<string, Decimal>;
  /** Whether the budget day follows the gateway's reset. */
  readonly followsGateway: boolean;
  report: Report | null;
  baseline: Report | null;
}

/** `store` is read at the start; the day starts where `rules` say until a row or the gateway moves it. */
export interface LedgerDeps {
  readonly env: Env;
  readonly log: Log;
  readonly store: SpendLedgerStore;
  readonly rules: purse.BudgetRules;
  /** True: rows that moved the start of the day still apply after a restart. */
  readonly followsGateway?: boolean;
}

/** Reads the rows of the last days, books what a crash left open, and maintains the budget from then on. */
export function createLedger({ env, log, store, rules, followsGateway = false }: LedgerDeps): Ledger {
  const state: State = {
    env,
    log,
    store,
    budget: purse.newBudget(rules),
    followsGateway,
    models: new Map(),
    margins: new Map(),
    unwritten: new Map(),
    again: null,
    report: null,
    baseline: null,
  };
  restore(state);
  return {
    reserve: (request) => reserve(state, request),
    settle: (reservation, costUsd, known) => settle(state, reservation, { costUsd, known }),
    correct: (counted) => correct(state, counted),
    unknownUsd: () => purse.unknownToday(state.budget),
    adopt: (extraUsd, { report, baseline }) => adopt(state, extraUsd, report, baseline),
    used: () => purse.used(state.budget, instant(state)),
    dayStartMs: () => {
      purse.advance(state.budget, instant(state));
      return purse.dayStartMs(state.budget);
    },
    moveBoundary: (boundaryMs) => moveBoundary(state, boundaryMs),
    spentSince: (sinceMs) => purse.spentSince(state.budget, sinceMs),
    meanCallUsd: () => purse.meanCallUsd(state.budget, (id) => !id.startsWith("adopt")),
    lastReport: () => state.report,
    baseline: () => state.baseline,
    marginFor: (model) => state.margins.get(model) ?? ONE,
    close: () => {
      writeWaiting(state);
      state.again?.();
      state.again = never;
    },
  };
}

function restore(state: State): void {
  const rows = state.store.rowsSince(state.env.clock.nowMs() - LOOK_BACK_MS, LOOK_BACK_ROWS);
  for (const row of rows) {
    const entry = readSpendRow(row);
    if (entry) restoreEntry(state, entry);
  }
  for (const attemptId of purse.openAttempts(state.budget)) {
    writeSettle(state, attemptId, { costUsd: null, how: "crash" });
  }
}

function restoreEntry(state: State, { kind, body }: SpendEntry): void {
  const { budget, models } = state;
  if (kind === "model-reserve") {
    models.set(body.attemptId, { model: body.model, decisionId: body.decisionId });
    return purse.restoreReservation(budget, body.attemptId, body.boundUsd, body.atMs);
  }
  if (body.how === "boundary") {
    if (state.followsGateway) purse.moveBoundary(budget, body.boundaryMs ?? 0);
    return;
  }
  const at = { wallMs: body.atMs, monotonicMs: null };
  const charge = budget.charges.get(body.attemptId);
  const { costUsd } = body;
  if (body.how === "corrected") return purse.correct(budget, body.attemptId, costUsd);
  if (charge?.open) {
    learnMargin(state, { attemptId: body.attemptId, boundUsd: charge.amountUsd }, costUsd);
    purse.settle(budget, body.attemptId, isUnknown(body.how) ? null : costUsd, at);
  } else if (!charge) purse.book(budget, body.attemptId, costUsd, at);
  if (body.reportedUsd) measureFrom(state, { spendUsd: body.reportedUsd, atMs: body.atMs });
}

/** Bookings since the baseline are compared with the counter's growth, so that a pause of days loses nothing. */
function measureFrom(state: State, baseline: Report | null): void {
  state.baseline = baseline;
  state.budget.keptFromMs = baseline?.atMs ?? Infinity;
}

function reserve(state: State, request: ReserveRequest): ReturnType<Ledger["reserve"]> {
  const { env, budget, store } = state;
  writeWaiting(state);
  const attemptId = env.ids.next("ask");
  const boundUsd = bookedUsd(request.boundUsd);
  if (!purse.reserve(budget, attemptId, boundUsd, instant(state))) {
    const { leftUsd, dayUsd, rollingUsd } = purse.used(budget, instant(state));
    const found = `may cost ${toWire(boundUsd)} USD, ${toWire(leftUsd)} is left`;
    const why = `${toWire(dayUsd)} used today and ${toWire(rollingUsd)} in 24 hours of ${toWire(budget.rules.limitUsd)}`;
    return err({ kind: "over-budget", reason: `${found} (${why})` });
  }
  const { decisionId, purpose, model } = request;
  const row = modelReserveRow({ attemptId, decisionId, purpose, model, atMs: env.clock.nowMs(), boundUsd });
  try {
    store.append(row, decisionId);
  } catch (error) {
    purse.withdraw(budget, attemptId);
    return err({ kind: "ledger", reason: `the reservation could not be written: ${String(error)}` });
  }
  state.models.set(attemptId, { model, decisionId });
  return ok({ attemptId, boundUsd });
}

interface Invoice {
  readonly costUsd: Decimal | null;
  readonly known: "stated" | "estimated" | undefined;
}

function settle(state: State, reservation: Reservation, { costUsd, known }: Invoice): Decimal {
  const { attemptId } = reservation;
  if (costUsd === null) return writeSettle(state, attemptId, { costUsd, how: "bound" });
  learnMargin(state, reservation, costUsd);
  const how = costUsd.isZero() ? "nothing" : known === "estimated" ? "estimated" : "actual";
  return writeSettle(state, attemptId, { costUsd: bookedUsd(costUsd), how });
}

/** Writes a row for each lowered charge; if the disk refuses it, the charge stays. */
function correct(state: State, counted: Counted): void {
  const { env, budget, store, log } = state;
  const nowMs = env.clock.nowMs();
  for (const { attemptId, fromUsd, toUsd } of provenCosts(budget, counted, nowMs)) {
    const costUsd = bookedUsd(toUsd);
    const provenUsd = bookedUsd(counted.spendUsd);
    const figures = { attemptId, fromUsd: usdText(fromUsd), toUsd: usdText(toUsd) };
    try {
      store.append(modelSettleRow({ attemptId, atMs: nowMs, costUsd, how: "corrected", provenUsd }));
    } catch (error) {
      log.event("error", "budget.corrected", "A correction could not be written.", { error: String(error), attemptId });
      return;
    }
    purse.correct(budget, attemptId, costUsd);
    const text = `A call of unknown outcome cost ${figures.toUsd} USD by the gateway's counter, not its bound of ${figures.fromUsd}.`;
    log.event("info", "budget.corrected", text, figures);
  }
}

/** A bill above its bound means that the price table or the token count is wrong: raise the bounds. */
function learnMargin({ models, margins, log }: State, { attemptId, boundUsd }: Reservation, costUsd: Decimal): void {
  const model = models.get(attemptId)?.model ?? "";
  if (costUsd.lte(boundUsd)) return;
  const ratio = costUsd.div(maxDecimal(boundUsd, dec("0.000001")));
  margins.set(
    model,
    maxDecimal(margins.get(model) ?? ONE, ONE)
      .mul(ratio)
      .mul(dec("1.1")),
  );
  const fields = { model, ratio: toWire(ratio.toDecimalPlaces(4)) };
  log.event(
    "warn",
    "budget.spent",
    `A bill of ${model} was ${fields.ratio} times its bound; bounds are raised.`,
    fields,
  );
}

function moveBoundary(state: State, boundaryMs: number): void {
  const { budget, env } = state;
  if (budget.rules.boundaryMs === boundaryMs) return;
  purse.moveBoundary(budget, boundaryMs);
  append(state, {
    attemptId: env.ids.next("adopt"),
    atMs: env.clock.nowMs(),
    costUsd: ZERO,
    how: "boundary",
    boundaryMs,
  });
}

/** Writes a row with the gateway's figures. If that fails, logs it; the figures count until the next start. */
function append({ store, log }: State, row: ModelSettleRow): void {
  try {
    store.append(modelSettleRow(row));
  } catch (error) {
    log.event("error", "budget.reconciled", `The gateway's own figure could not be written: ${String(error)}`, {
      error: String(error),
    });
  }
}

/** Writes one row if there is something to charge or a new baseline; none for a figure that agrees. */
function adopt(state: State, extraUsd: Decimal, report: Report, baseline: Report | null): void {
  const { env, budget, log } = state;
  const moved = baseline !== state.baseline;
  state.report = report;
  measureFrom(state, baseline);
  const found = { adoptedUsd: usdText(extraUsd), reportedUsd: usdText(report.spendUsd) };
  const level = extraUsd.isZero() ? "debug" : "warn";
  const text = `reconciled: +${shownUsd(extraUsd)} USD; the gateway reports ${shownUsd(report.spendUsd)} USD spent`;
  log.event(level, "budget.reconciled", text, found);
  if (extraUsd.isZero() && !moved) return;
  const attemptId = env.ids.next("adopt");
  // Booked at the figure's own time, so that it is not compared with later growth.
  if (!extraUsd.isZero()) purse.book(budget, attemptId, extraUsd, { ...instant(state), wallMs: report.atMs });
  const how = extraUsd.isZero() ? "reported" : "adopted";
  const reportedUsd = moved && baseline ? bookedUsd(baseline.spendUsd) : null;
  append(state, { attemptId, atMs: report.atMs, costUsd: bookedUsd(extraUsd), how, reportedUsd });
}
