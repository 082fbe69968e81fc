/**
 * The budget with its durable side: every change is a row first. Reservations that a crash left open are booked at
 * their bound. Faults L1-L4, L12; invariants I19, I20.
 */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import type { Stop } from "../../core/clock.ts";
import type { Env } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import { err, ok, type Result } from "../../core/result.ts";
import * as budgeting from "./budget.ts";
import { provenCosts } from "./corrections.ts";
import type { Counted, Report } from "./key-info.ts";
import {
  bookedUsd,
  instant,
  learnMargin,
  type LedgerState,
  marginFor,
  type Reservation,
  type ReserveRequest,
  shownUsd,
  usdText,
  writeEntry,
  writeWaiting,
} from "./entries.ts";
import type { SpendLedgerStore } from "../contract/port.ts";
import { modelReserveRow } from "../../rows/model-reserve.ts";
import { modelSettleRow, type ModelSettleRow } from "../../rows/model-settle.ts";
import { measureFrom, restore } from "./restore.ts";
const never: Stop = () => undefined;

/** The one path to model money: nothing may be asked before the reservation's row is on disk. */
export interface BudgetLedger {
  /** A refusal names the figure and leaves no trace; "ledger" means that the row could not be written. */
  reserve(
    request: ReserveRequest,
  ): Result<Reservation, { readonly kind: "over-budget" | "ledger"; readonly reason: string }>;
  /** Returns the booked amount: the bound if the cost is unknown (null). */
  settle(reservation: Reservation, costUsd: Decimal | null, known?: "stated" | "estimated"): Decimal;
  /** Books what the gateway reports beyond our own figures, and stores the baseline of later comparisons. */
  adopt(extraUsd: Decimal, figures: { readonly report: Report; readonly baseline: Report | null }): void;
  /** Lowers charges booked at bounds if the gateway's counter proves a lower cost. */
  correct(counted: Counted): void;
  /** Amount booked at bounds in the running day. */
  unknownUsd(): Decimal;
  used(): budgeting.Used;
  dayStartMs(): number;
  /** Start of a budget day from now on, milliseconds after midnight UTC; a row keeps it for the next start. */
  moveBoundary(boundaryMs: number): void;
  /** Settled and open since an instant; open reservations always count. */
  spentSince(sinceMs: number): Decimal;
  /** Average cost of a paid call in the running day; null before the first. */
  meanCallUsd(): Decimal | null;
  /** The gateway's figure as last read by this process. */
  lastReport(): Report | null;
  baseline(): Report | null;
  /** Factor for bounds: 1, or more while a bill above its bound counts. */
  marginFor(model: string): Decimal;
  /** Retries pending bookings one last time. */
  close(): void;
}

/** `store` is read at the start; the day starts where `rules` say until a row or the gateway moves it. */
export interface LedgerDeps {
  readonly env: Env;
  readonly log: Log;
  readonly store: SpendLedgerStore;
  readonly rules: budgeting.BudgetRules;
  /** True: rows that moved the start of the day still apply after a restart. */
  readonly followsGateway?: boolean;
}

/** Reads the rows of the last days, books what a crash left open, and maintains the budget from then on. */
export function createLedger({ env, log, store, rules, followsGateway = false }: LedgerDeps): BudgetLedger {
  const state: LedgerState = {
    env,
    log,
    store,
    budget: budgeting.newBudget(rules),
    followsGateway,
    boundaryKeptMs: -Infinity,
    asked: new Map(),
    learned: new Map(),
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
    unknownUsd: () => budgeting.unknownToday(state.budget),
    adopt: (extraUsd, { report, baseline }) => adopt(state, extraUsd, report, baseline),
    used: () => budgeting.used(state.budget, instant(state)),
    dayStartMs: () => {
      budgeting.advance(state.budget, instant(state));
      return budgeting.dayStartMs(state.budget);
    },
    moveBoundary: (boundaryMs) => moveBoundary(state, boundaryMs),
    spentSince: (sinceMs) => budgeting.spentSince(state.budget, sinceMs),
    meanCallUsd: () => budgeting.meanCallUsd(state.budget, (id) => !id.startsWith("adopt")),
    lastReport: () => state.report,
    baseline: () => state.baseline,
    marginFor: (model) => marginFor(state, model, instant(state)),
    close: () => {
      writeWaiting(state);
      state.again?.();
      state.again = never;
    },
  };
}

function reserve(state: LedgerState, request: ReserveRequest): ReturnType<BudgetLedger["reserve"]> {
  const { env, budget, store } = state;
  writeWaiting(state);
  const attemptId = env.ids.next("ask");
  const boundUsd = bookedUsd(request.boundUsd);
  if (!budgeting.reserve(budget, attemptId, boundUsd, instant(state))) {
    const { leftUsd, dayUsd, rollingUsd } = budgeting.used(budget, instant(state));
    const found = `may cost ${toWire(boundUsd)} USD, ${toWire(leftUsd)} is left`;
    const why = `${toWire(dayUsd)} used today and ${toWire(rollingUsd)} in 24 hours of ${toWire(budget.rules.limitUsd)}`;
    return err({ kind: "over-budget", reason: `${found} (${why})` });
  }
  const { decisionId, purpose, model } = request;
  const row = modelReserveRow({ attemptId, decisionId, purpose, model, atMs: env.clock.nowMs(), boundUsd });
  try {
    store.append(row, decisionId);
  } catch (error) {
    budgeting.withdraw(budget, attemptId);
    return err({ kind: "ledger", reason: `the reservation could not be written: ${String(error)}` });
  }
  state.asked.set(attemptId, { model, decisionId, margin: marginFor(state, model, instant(state)) });
  return ok({ attemptId, boundUsd });
}

interface Invoice {
  readonly costUsd: Decimal | null;
  readonly known: "stated" | "estimated" | undefined;
}

function settle(state: LedgerState, reservation: Reservation, { costUsd, known }: Invoice): Decimal {
  const { attemptId } = reservation;
  if (costUsd === null) return writeEntry(state, attemptId, { costUsd, how: "bound" });
  learnMargin(state, reservation, costUsd);
  const how = costUsd.isZero() ? "nothing" : known === "estimated" ? "estimated" : "actual";
  return writeEntry(state, attemptId, { costUsd: bookedUsd(costUsd), how });
}

/** Writes a row for each lowered charge; if the disk refuses it, the charge stays. */
function correct(state: LedgerState, counted: Counted): void {
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
    budgeting.correct(budget, attemptId, costUsd);
    const text = `A call of unknown outcome cost ${figures.toUsd} USD by the gateway's counter, not its bound of ${figures.fromUsd}.`;
    log.event("info", "budget.corrected", text, figures);
  }
}

/** Its row is written again every day, because those who read the ledger look back a few days. */
function moveBoundary(state: LedgerState, boundaryMs: number): void {
  const { budget, env } = state;
  budgeting.advance(budget, instant(state));
  const isKept = state.boundaryKeptMs === -Infinity || state.boundaryKeptMs >= budgeting.dayStartMs(budget);
  if (budget.rules.boundaryMs === boundaryMs && isKept) return;
  budgeting.moveBoundary(budget, boundaryMs);
  state.boundaryKeptMs = env.clock.nowMs();
  append(state, {
    attemptId: env.ids.next("adopt"),
    atMs: env.clock.nowMs(),
    costUsd: ZERO,
    how: "boundary",
    boundaryMs,
  });
}

/** Writes a row with the gateway's figures. If that fails, logs it; the figures count until the next start. */
function append({ store, log }: LedgerState, row: ModelSettleRow): void {
  try {
    store.append(modelSettleRow(row));
  } catch (error) {
    log.event("error", "budget.reconciled", `The gateway's own figure could not be written: ${String(error)}`, {
      error: String(error),
    });
  }
}

/** Writes one row if there is something to charge or a new baseline; none for a figure that agrees. */
function adopt(state: LedgerState, extraUsd: Decimal, report: Report, baseline: Report | null): void {
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
  if (!extraUsd.isZero()) budgeting.book(budget, attemptId, extraUsd, { ...instant(state), wallMs: report.atMs });
  const how = extraUsd.isZero() ? "reported" : "adopted";
  const reportedUsd = moved && baseline ? bookedUsd(baseline.spendUsd) : null;
  append(state, { attemptId, atMs: report.atMs, costUsd: bookedUsd(extraUsd), how, reportedUsd });
}
