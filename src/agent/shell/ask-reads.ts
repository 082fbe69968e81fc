/** Regular reads of the venue: the account, executions, lost orders, the terms of trading, funding and the ranking. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { At } from "../contract/effects.ts";
import { isKnownById } from "../books/tracked.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import { mustShow, READS_LAG_MS, SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import type { AccountRhythm } from "../state/reads.ts";
import type { AgentState } from "../state/state.ts";
import { freshMark } from "../state/worth.ts";
import { isCovered } from "../view/watch-stops.ts";

/** Reads are cheap while nothing is at stake and needed while something is. */
const ACCOUNT_EAGER_MS = 3_500;
const ACCOUNT_BUSY_MS = 8_000;
const ACCOUNT_IDLE_MS = 15_000;
/** Until they are known for the first time. */
const FIRST_TERMS_EVERY_MS = 4_000;
/** A symbol may be listed, halted or resumed, and its steps may change, while we run. */
const RULES_EVERY_MS = 5 * MINUTE_MS;
/** A setting may be changed at the venue without our knowledge: an opening needs one that was read within a minute. */
const LEVERAGE_EVERY_MS = 20_000;
const FUNDING_EVERY_MS = 15_000;
/** The venue keeps about seven days of them. */
const KEPT_MS = 6.9 * DAY_MS;
/** The organiser publishes once a day, at a time of its own. */
const RANKING_EVERY_MS = HOUR_MS;

export function askAccount(state: AgentState, { nowMs, out }: At): void {
  const due = state.reads.account(nowMs, accountRhythm(state, nowMs));
  if (due) out.ask({ kind: "read-account", ...due });
}

/** No stop protects all of it, and no stream reports its mark: the list does. */
const isUnwatched = (state: AgentState, held: HeldPosition, nowMs: number): boolean =>
  !state.readOnly &&
  !isCovered(held) &&
  nowMs - (held.unprotectedSinceMs ?? held.outgrownSinceMs ?? -Infinity) >= SHOWN_WITHIN_MS &&
  freshMark(state, held.symbol, nowMs) === null;

function accountRhythm(state: AgentState, nowMs: number): AccountRhythm {
  const isStarting = state.stage === "starting";
  const isBusy = state.positions.all().length > 0 || state.orders.live().length > 0;
  // What an order of ours has opened needs a stop: where its push is lost, the list must report it. Fault U1; invariant I9.
  const isUnseen =
    state.positions.missingOnes().length > 0 ||
    state.positions.all().some((held) => held.isUnconfirmed || isUnwatched(state, held, nowMs)) ||
    state.orders.unsettled().length > 0;
  // The list of a start may be behind what the run before it did; the second is not. Fault R9.
  const atStart = nowMs - (state.firstAccountReadMs ?? nowMs) < 2 * READS_LAG_MS;
  return {
    everyMs: isStarting || isUnseen ? ACCOUNT_EAGER_MS : isBusy ? ACCOUNT_BUSY_MS : ACCOUNT_IDLE_MS,
    stopsEveryMs: atStart ? READS_LAG_MS : state.pace.algoSweepMs,
  };
}

/** The executions, wherever a push of one may have been missed. Faults U1, U4. */
export function askExecutions(state: AgentState, { nowMs, out }: At): void {
  const { fills, pace } = state;
  if (state.positions.all().length > 0 || state.orders.live().length > 0) fills.busyMs = nowMs;
  const unknownFate = state.orders.live().some((tracked) => tracked.fate === "unknown");
  if (!fills.due && !unknownFate && mustShow(fills.readMs, fills.busyMs)) return;
  const soon = fills.due || unknownFate || fills.readMs < fills.blindMs + READS_LAG_MS;
  if (!state.reads.executions(nowMs, soon ? pace.fillsSoonMs : pace.fillsEveryMs)) return;
  out.ask({
    kind: "read-fills",
    // A fill older than the newest one in the last list may have been missing from it.
    sinceMs: Math.max(fills.sinceMs, fills.throughMs - READS_LAG_MS, nowMs - KEPT_MS),
  });
}

/** Orders without any report are looked up by their ids. */
export function lookUps(state: AgentState, { nowMs, out }: At): void {
  for (const tracked of state.orders.live()) {
    if (tracked.nextLookUpMs > nowMs) continue;
    tracked.nextLookUpMs = Infinity;
    const { clientOrderId, order } = tracked;
    out.ask({ kind: "look-up", clientOrderId, ...(isKnownById(tracked) ? { orderId: order.orderId } : {}) });
  }
}

/** The terms of trading in each symbol: what must be known before the first decision, and may change after it. */
export function askTerms({ rules, leverage, reads }: AgentState, { nowMs, out }: At): void {
  if (reads.due("rules", nowMs, rules.size === 0 ? FIRST_TERMS_EVERY_MS : RULES_EVERY_MS))
    out.ask({ kind: "load-rules" });
  if (reads.due("leverage", nowMs, leverage.size === 0 ? FIRST_TERMS_EVERY_MS : LEVERAGE_EVERY_MS))
    out.ask({ kind: "read-leverage" });
}

export function askRanking({ settings, reads }: AgentState, { nowMs, out }: At): void {
  if (settings.competition && reads.due("ranking", nowMs, RANKING_EVERY_MS))
    out.ask({ kind: "read-ranking", phase: settings.phase });
}

/** Funding is read one symbol at a time, in rotation: its rate allows three calls in ten seconds. */
export function askFunding(state: AgentState, { nowMs, out }: At): void {
  if (!state.reads.due("funding", nowMs, FUNDING_EVERY_MS)) return;
  const symbol = state.settings.universe[state.fundingCursor % state.settings.universe.length];
  state.fundingCursor += 1;
  if (symbol && state.rules.has(symbol)) out.ask({ kind: "load-funding", symbol });
}
