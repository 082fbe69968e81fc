/** What the venue says about stops: the reply to a new one, its state, and the stop of an earlier run that was looked up by its id. */
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { toWire } from "../../core/decimal.ts";
import { type AlgoOrder, isAlgoOver } from "../../domain/algo-order.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { AgentEvent, Sent } from "../contract/events.ts";
import type { HeldPosition, StopForm } from "../positions/held-position.ts";
import { type AgentState, isHedged } from "../state/state.ts";
import { protectionRow } from "../../rows/protection.ts";
import type { RefusalReason } from "../../core/outcome.ts";
import { coverOf, mostToHold } from "../view/stop-cover.ts";
import { algoPosition, ASK_AGAIN_MS, isRequested } from "../positions/held-stop.ts";
import { isOver } from "../books/amending.ts";

/** What to ask for after a refusal: less, until the venue's refusal cannot be for the form. Null where no simpler form is left. */
function simplerForm(state: AgentState, held: HeldPosition): StopForm | null {
  const { stopForm, meta, position } = held;
  if (stopForm === "entire") return "sized";
  if (stopForm === "sized" && mostToHold(state, held).gt(position.qty)) return "exact";
  return (stopForm === "sized" || stopForm === "exact") && meta.targetPrice !== null ? "one-sided" : null;
}

/** A push or a reading of one stop. If a safer one exists, it is cancelled; without a position it is watched as an orphan. */
export function onAlgo(state: AgentState, algo: AlgoOrder, { nowMs, out }: At): void {
  const before = state.positions
    .all()
    .map((held) => ({ held, protection: held.protection, requested: isRequested(held, algo) }));
  state.pastStops.reported(algo.clientOrderId);
  const spare = state.positions.algo(algo, nowMs);
  if (spare) {
    state.positions.stopEnded(spare.algoOrderId, nowMs);
    state.orphans.cancel(spare.algoOrderId, { nowMs, out });
  }
  if (isAlgoOver(algo.state) && state.orphans.ended(algo.algoOrderId)) noteEnd(algo, algoPosition(algo), null, out);
  // Requested while there was a position, and in place when there is none any more: the position may still appear.
  const lone = state.positions.lone(algo, nowMs);
  if (lone?.unconfirmed) state.orphans.missed(algo.algoOrderId, algoPosition(algo), nowMs);
  else if (lone) state.orphans.left(algo.algoOrderId, nowMs);
  for (const { held, protection, requested } of before) {
    if (held.protection === "live" && protection !== "live") protectedNow(state, held, out);
    else if (held.protection === "none" && protection === "live" && state.positions.get(held.key)) {
      const why = algo.reason ? `, ${algo.reason}` : "";
      stopEnded(held, algo, `its stop is ${algo.state.toLowerCase()}${why}`, out);
    }
    if (requested && algo.state === "REJECTED" && protection !== "none" && held.protection === "none")
      rejectedLater(state, held, algo.reason || "no reason given", { nowMs, out });
  }
}

/** Stops are registered after the reply: what the venue refuses then may be the form, or figures that have changed. */
function rejectedLater(state: AgentState, held: HeldPosition, reason: string, at: At): void {
  state.staleRules.raise(held.symbol, `the venue rejected a stop (${reason})`, at);
  notPlaced(state, held, { isAboutForm: true, why: `rejected: ${reason}` }, at);
}

type EndedStop = Readonly<Record<"algoOrderId" | "state", string>>;

/** For the next run: it must neither take an old list's word that the stop stands nor ask for its end. */
const noteEnd = ({ algoOrderId, state }: EndedStop, leg: string, decisionId: string | null, out: Outbox): void =>
  out.record(protectionRow({ leg, over: true, algoOrderId, state }), decisionId);

/** The stop of a held position is over. */
function stopEnded({ key, symbol, side, meta }: HeldPosition, stop: EndedStop, why: string, out: Outbox): void {
  noteEnd(stop, key, meta.decisionId, out);
  out.log("warn", "position.unprotected", `${symbol} ${side}: ${why}`, { leg: key });
}

/** Reports stops that an account snapshot found in place. */
export function reportProtected(before: ReadonlyMap<string, string>, state: AgentState, out: Outbox): void {
  for (const held of state.positions.all()) {
    if (held.protection === "live" && before.get(held.key) !== "live") protectedNow(state, held, out);
  }
}

function protectedNow(state: AgentState, held: HeldPosition, out: Outbox): void {
  const stop = held.standingStop ? toWire(held.standingStop) : "?";
  const { decisionId } = held.meta;
  const bareMs = Math.round(held.bare.lastMs);
  if (bareMs > 0) state.unprotected.ended(bareMs);
  const { key: leg, algoOrderId, standingStop: stopPrice, stopIsOurs } = held;
  const row = { leg, algoOrderId, standing: true, stopPrice, unprotectedMs: bareMs } as const;
  out.record(protectionRow({ ...row, ...(stopIsOurs ? {} : { external: true }) }), decisionId);
  out.log(
    "info",
    "position.protected",
    `${held.symbol} ${held.side}: a stop at ${stop} is live at the venue${bareMs > 0 ? `, after ${(bareMs / 1_000).toFixed(1)} s without one` : ""}`,
    {
      leg: held.key,
      algoOrderId: held.algoOrderId,
      stopPrice: stop,
      ...(decisionId ? { decision: decisionId } : {}),
    },
  );
}

/** The venue has not looked at what was asked for. */
const ABOUT_REQUEST: ReadonlySet<RefusalReason> = new Set(["unauthorized", "clock", "not-served"]);

/** It was wanted no more, its row could not be written, or the connection was down: the venue received nothing. Faults D1, D8. */
const neverLeft = ({ kind }: Sent<unknown>): boolean => kind === "blocked" || kind === "not-sent";

/** The venue has not compared it with what it has: if it repeats an unanswered request, that one may stand. */
const notLookedAt = (sent: Sent<unknown>): boolean =>
  neverLeft(sent) || sent.kind === "rate-limited" || (sent.kind === "rejected" && ABOUT_REQUEST.has(sent.reason));

/** The reply to a new stop. `done` is acceptance: the position counts as unprotected until the stop is seen. */
export function onProtectSent(
  state: AgentState,
  { positionKey, clientOrderId, sent }: Extract<AgentEvent, { kind: "protect-sent" }>,
  { nowMs, out }: At,
): void {
  if (sent.kind === "done") state.positions.placedStop(clientOrderId, sent.value.algoOrderId);
  if (neverLeft(sent)) state.stopSlots.giveBack(clientOrderId);
  const held = state.positions.get(positionKey);
  const request = held?.stopRequest;
  if (!held || request?.clientOrderId !== clientOrderId) {
    // Its position is flat by now, not known yet or another one, or waits for another stop: unless this one is found to protect
    // one, nothing else will cancel it.
    if (sent.kind === "done") state.orphans.left(sent.value.algoOrderId, nowMs);
    if (sent.kind !== "unknown" && !notLookedAt(sent)) state.pastStops.reported(clientOrderId);
    // The stop may exist under an id that nobody knows: the list shows it.
    if (sent.kind === "unknown") state.reads.wantStops(nowMs + SHOWN_WITHIN_MS);
    return;
  }
  const isUnknown = sent.kind === "unknown" || (request.isRepetition && notLookedAt(sent));
  // A push may have shown the stop before its answer was given up.
  if (request.fate === "sent") held.stopRequest = { ...request, fate: isUnknown ? "unknown" : "answered" };
  if (sent.kind === "done") {
    held.repliedAlgoId = sent.value.algoOrderId;
    // What one-way mode asks for says nothing about hedge mode.
    if (held.stopForm !== null && (isHedged(state, held.symbol) || held.stopForm === "one-sided"))
      state.stopForm = held.stopForm;
  }
  if (sent.kind === "done" || sent.kind === "unknown") return;
  // The venue has a stop of that id: the first request arrived although its answer did not. What became of it is looked up.
  if (sent.kind === "rejected" && sent.reason === "duplicate-id")
    return out.ask({ kind: "read-algo", positionKey, clientOrderId });
  if (held.protection === "asked") held.protection = "none";
  if (sent.kind === "rejected") state.staleRules.refused(held.symbol, sent, { nowMs, out });
  const isAboutForm = sent.kind === "rejected" && sent.reason !== "nothing-to-close" && !ABOUT_REQUEST.has(sent.reason);
  notPlaced(state, held, { isAboutForm, why: `${sent.kind}: ${sent.message}` }, { nowMs, out });
}

/** The requested stop is refused, or it did not leave. */
function notPlaced(
  state: AgentState,
  held: HeldPosition,
  { isAboutForm, why }: { readonly isAboutForm: boolean; readonly why: string },
  { nowMs, out }: At,
): void {
  const simpler = isAboutForm ? simplerForm(state, held) : null;
  if (simpler !== null) {
    held.stopForm = simpler;
    held.protectAskedMs = nowMs - ASK_AGAIN_MS;
  }
  const about = `${held.symbol} ${held.side}`;
  // Venues differ in the forms that they take: the first stop of a run may be refused, and nobody has to act.
  if (simpler !== null)
    out.log("info", "position.unprotected", `${about}: asking for a simpler form of stop at once (${why})`, {
      leg: held.key,
    });
  else if (held.protection !== "live")
    out.log("warn", "position.unprotected", `${about}: the stop was not placed (${why})`, { leg: held.key });
}

/**
 * The reply to a change of a stop. The push or the list shows what stands. After a refusal the list is read soon and the
 * stop watched here; if the venue refuses because the stop is over, that is its end.
 */
export function onStopAmended(
  state: AgentState,
  { positionKey: key, algoOrderId, sent }: Extract<AgentEvent, { kind: "protection-amended" }>,
  { nowMs, out }: At,
): void {
  if (neverLeft(sent)) state.amendSlots.giveBack(algoOrderId);
  const held = state.positions.get(key);
  if (sent.kind === "rejected" && isOver(sent)) {
    const stood = held?.protection === "live" && held.algoOrderId === algoOrderId;
    state.positions.stopOver(key, algoOrderId, nowMs);
    if (stood) stopEnded(held, { algoOrderId, state: sent.reason }, "the venue says that its stop is over", out);
  }
  if (!held) return;
  held.amending = false;
  if (sent.kind === "done") return;
  // A refusal of the key or the clock is none of the change, which may be asked for again as soon as the venue hears us.
  const isAboutRequest = sent.kind === "rejected" && ABOUT_REQUEST.has(sent.reason);
  if (sent.kind === "rejected") state.staleRules.refused(held.symbol, sent, { nowMs, out });
  if (sent.kind === "unknown" || isAboutRequest) {
    held.amendUnheardMs = nowMs;
    // It is asked at once whether it does.
    state.reads.wantAccount();
  }
  if (sent.kind !== "unknown") held.shrinking = null;
  // It was to cover more than is held, and was refused: as of a new stop, no more than that is asked for.
  const { protectedQty, position } = held;
  const cover = coverOf(state, held);
  const wasLarger = !protectedQty.isZero() && protectedQty.lt(cover) && cover.gt(position.qty);
  if (sent.kind === "rejected" && !isOver(sent) && !isAboutRequest && wasLarger) {
    held.stopForm = "exact";
    held.amendAskedMs = -Infinity;
  }
  // The venue has not looked at the change: of size or price, it is asked for again as if it were the first.
  if (notLookedAt(sent)) {
    held.amendAskedMs = nowMs;
    held.amendedTo = null;
  }
  // Refused by the venue, or lost on the way: read soon what stands there now.
  else state.reads.wantStops(nowMs + SHOWN_WITHIN_MS);
  out.log("warn", "stop.refused", `${held.symbol} ${held.side}: ${sent.kind}: ${sent.message}`, { leg: held.key });
}

/** Refusals about the order; all others are about the request: its signature, its clock, its path. */
const ABOUT_ORDER: ReadonlySet<RefusalReason> = new Set([
  "already-ended",
  "nothing-to-close",
  "duplicate-id",
  "stale-rules",
]);

/** A look-up without an answer is repeated after this time. */
const AGAIN_MS = 3_000;

/** Adopts the stop if the venue has it and drops it if not; any other refusal, such as a wrong clock's, proves nothing. */
export function onAlgoFound(state: AgentState, event: Extract<AgentEvent, { kind: "algo-found" }>, at: At): void {
  const { positionKey, clientOrderId, found } = event;
  if (found.kind === "done") {
    if (clientOrderId !== undefined) state.pastStops.reported(clientOrderId);
    onAlgo(state, found.value, at);
  }
  const held = state.positions.get(positionKey);
  if (found.kind === "rejected" && found.reason === "not-found") return state.pastStops.absent(held, at.nowMs);
  if (found.kind === "done" || (found.kind === "rejected" && ABOUT_ORDER.has(found.reason)))
    return state.pastStops.forget(held, at.nowMs);
  state.pastStops.unanswered(positionKey, found.kind === "rate-limited" ? found.retryAtMs : at.nowMs + AGAIN_MS);
}
