/**
 * One minute of a fast run. Prices are set wherever they touch an order or a stop. The agent ticks when a decision may be
 * due, while one of its writes is pending, when a followed price or its equity has moved, and every five minutes.
 */
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { Decimal } from "../../core/decimal.ts";
import type { ClosedTradeRow } from "../../rows/trade.ts";
import type { FailedDecisions } from "../figures/run-figures.ts";
import type { BarMarket, PriceWatch } from "./bar-market.ts";
import type { BareExchange } from "./bare-exchange.ts";
import { type DecisionTimes, withTimes } from "./decision-times.ts";
import type { DirectLoop } from "./direct-loop.ts";

/** Greatest age of the account's read at a decision. */
const READ_AHEAD_MS = 500;
const BUSY_MS = 9 * SECOND_MS;
/** The agent ticks at least this often, even in a quiet market. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;
const READY_WITHIN_S = 40;

/** A run in progress. */
export interface FastRunState {
  readonly market: BarMarket;
  readonly bare: BareExchange;
  readonly counts: { decisions: number; tradedUsdt: number };
  readonly trades: ClosedTradeRow[];
  failures: FailedDecisions | null;
  /** Whether the next tick gets order books. */
  books: boolean;
  readonly startUsdt: Decimal;
  nowMs: number;
  lookedMs: number;
  readonly busyStepMs: number;
  readonly decides: DecisionTimes | null;
  /** Balance of the insurance fund at the start. */
  readonly insuranceUsdt: Decimal;
  readonly watch: PriceWatch;
  /** At the end of the last minute. */
  equityUsdt: number;
}

/** Simulates a minute; false if the agent had no reason to tick. */
export function playMinute(run: FastRunState, loop: DirectLoop, openMs: number): boolean {
  const { market } = run;
  const endMs = openMs + MINUTE_MS;
  market.openMinute(openMs);
  const workUntil = (atMs: number): void => {
    while (isBusy(loop) && run.nowMs + run.busyStepMs < atMs) {
      goTo(run, loop, run.nowMs + run.busyStepMs);
      look(run, loop, true);
    }
  };
  const due = run.decides?.within(openMs) ?? [];
  for (const atMs of withTimes(market.instants(openMs, run.watch), due)) {
    const decides = due.includes(atMs);
    workUntil(atMs);
    if (decides) readAhead(run, loop, atMs);
    goTo(run, loop, atMs);
    if (decides || isBusy(loop) || market.ranFar(run.watch)) look(run, loop, true);
  }
  workUntil(endMs);
  const decides = run.decides ? run.decides.at(endMs) : loop.agent.isDecisionDue(endMs);
  if (decides) readAhead(run, loop, endMs);
  goTo(run, loop, endMs);
  loop.context.sink.received(endMs);
  market.closeMinute(loop.context.sink, openMs);
  const looks =
    decides ||
    loop.agent.isMarkoutDue(endMs) ||
    isBusy(loop) ||
    market.ranFar(run.watch) ||
    endMs - run.lookedMs >= LOOK_EVERY_MS;
  if (looks) look(run, loop, true);
  else market.quote(loop.context.sink, endMs, false);
  return looks || market.atStake();
}

/** The agent reads its account shortly before it decides. */
function readAhead(run: FastRunState, loop: DirectLoop, atMs: number): void {
  if (run.nowMs >= atMs - READ_AHEAD_MS) return;
  loop.pass(atMs - READ_AHEAD_MS - run.nowMs);
  run.nowMs = atMs - READ_AHEAD_MS;
  loop.refresh();
}

/** Advances time and sets prices to their values then. */
function goTo(run: FastRunState, loop: DirectLoop, atMs: number): void {
  if (atMs <= run.nowMs) return;
  loop.pass(atMs - run.nowMs);
  run.nowMs = atMs;
  run.market.putPrices(atMs);
}

function look(run: FastRunState, loop: DirectLoop, books: boolean): void {
  run.books = books;
  run.lookedMs = run.nowMs;
  loop.look();
}

/** Whether a write, or a consequence of one, may be pending. */
const isBusy = ({ agent, clock, lastActMs, pending }: DirectLoop): boolean =>
  pending() || (clock.nowMs() - lastActMs() < BUSY_MS && agent.isWorking(clock.nowMs()));

/** Passes seconds until the agent would trade; throws if it never would. */
export function becomeReady(run: FastRunState, loop: DirectLoop): void {
  for (let second = 1; second <= READY_WITHIN_S; second++) {
    goTo(run, loop, run.nowMs + SECOND_MS);
    look(run, loop, true);
    if (loop.agent.status(run.nowMs).stage === "ready") return;
    // An account without a past is believed once a second reading confirms the first.
    loop.refresh();
  }
  throw new Error("the agent did not become ready: half of its symbols have no bar at the start of the run");
}
