/** Journals and reports what became of a position, whichever message brought it first. */
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import type { At } from "../contract/effects.ts";
import { type HeldPosition, isTaken } from "../positions/held-position.ts";
import type { PositionChange, PositionMeta } from "../positions/positions.ts";
import { triggersOf } from "../view/measure-costs.ts";
import type { AgentState } from "../state/state.ts";
import { positionRow, type PositionRow } from "../../rows/position.ts";
import { protectionRow } from "../../rows/protection.ts";
import { countBare } from "../positions/held-stop.ts";

interface ReportedPosition {
  readonly key: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  readonly meta: PositionMeta;
}

const positionFields = (
  { key, symbol, side, qty, avgPrice, meta }: ReportedPosition,
  kind: PositionChange["kind"],
) => ({
  leg: key,
  symbol,
  side,
  qty: kind === "closed" ? "0" : toWire(qty),
  avgPrice: toWire(avgPrice),
  ...(meta.decisionId ? { decision: meta.decisionId } : {}),
});

const bodyOf = (held: ReportedPosition, kind: PositionRow["kind"]): PositionRow => ({
  leg: held.key,
  symbol: held.symbol,
  side: held.side,
  qty: kind === "closed" ? ZERO : held.qty,
  avgPrice: held.avgPrice,
  ...(held.meta.decisionId ? { decision: held.meta.decisionId } : {}),
  kind,
  strategy: held.meta.strategy,
  thesis: held.meta.thesis,
  basis: held.meta.basis ?? "none",
  stopPrice: held.meta.stopPrice,
  targetPrice: held.meta.targetPrice,
  openedAtMs: held.meta.openedAtMs,
  ...(held.meta.trail ? { trail: held.meta.trail } : {}),
});

/** It closed while nothing protected it: this span counts like one that a stop ended. */
function reportBare(state: AgentState, held: HeldPosition, { nowMs, out }: At): void {
  countBare(held, nowMs);
  const unprotectedMs = Math.round(held.bare.lastMs);
  state.unprotected.ended(unprotectedMs);
  out.record(protectionRow({ leg: held.key, ended: "closed", unprotectedMs }), held.meta.decisionId);
}

/** The venue's time of the fill that closed the last of it; null where none is known. */
const closedAt = (held: HeldPosition): number | null =>
  isTaken(held) && held.takenMs > -Infinity ? held.takenMs : null;

/** Journals and reports a change of a position, and settles the fills that it now includes. */
export function reportPosition(state: AgentState, change: PositionChange, { nowMs, out }: At): void {
  const { held, kind } = change;
  if (change.unsure || change.shrank) state.reads.wantAccount();
  if (change.stopUnsure) askStop(held, { nowMs, out });
  if (change.shrank) state.shrankMs = nowMs;
  if (kind === "same") return;
  if (change.back) state.trades.back(held.key);
  const { position, meta } = held;
  const reported = { ...held, qty: position.qty, avgPrice: position.avgPrice };
  const fields = positionFields(reported, kind);
  // The next run must know how sure it is that the position is closed.
  const stop = kind === "closed" ? ((held.stopIsOurs ? held.algoOrderId : null) ?? held.repliedAlgoId) : null;
  const filledMs = kind === "closed" ? closedAt(held) : state.positions.filledMs(held.key);
  const row = {
    ...bodyOf(reported, kind),
    ...(change.missed ? { missed: true } : {}),
    ...(change.unsure ? { doubted: true } : {}),
    ...(kind !== "closed" && held.proven.atMs > 0 ? { provenMs: held.proven.atMs } : {}),
    ...(kind !== "closed" && held.begunMs > 0 ? { begunMs: held.begunMs } : {}),
    ...(filledMs !== null ? { filledMs } : {}),
    ...(stop ? { stop } : {}),
  };
  held.reportedMs = held.proven.atMs;
  out.record(positionRow(row), meta.decisionId);
  if (kind === "closed") {
    if (stop !== null && change.missed) state.orphans.missed(stop, change.held.key, nowMs);
    else if (stop !== null) state.orphans.left(stop, nowMs);
    state.costs.left(held.key, triggersOf(held));
    if (held.unprotectedSinceMs !== null && !change.unsure) reportBare(state, held, { nowMs, out });
    // The next position here is another one, and does not inherit an earlier stop.
    if (!change.missed && !change.unsure) state.pastStops.forget(held, nowMs);
    // Its stop may have outlived it: check before the stop becomes an old orphan. Fault V6.
    state.reads.wantStops(nowMs + SHOWN_WITHIN_MS);
    const { avgPrice, qty } = position;
    const missed = change.missed === true;
    if (!change.unsure) state.trades.flat(held.key, { meta, avgPrice, qty, begunMs: held.begunMs, missed }, nowMs);
    if (held.isUnconfirmed) state.pastStops.over(held.key);
    const request = held.stopRequest;
    if (request !== null && request.fate !== "answered")
      state.pastStops.outlived({ positionKey: held.key, clientOrderId: request.clientOrderId }, nowMs);
    const [level, how] = held.isUnconfirmed
      ? (["warn", "was closed while the agent was away"] as const)
      : (["info", `is flat; its entry was ${fields.avgPrice}`] as const);
    out.log(level, "position.closed", `${held.symbol} ${held.side} ${how}`, fields);
  } else if (kind === "opened" && state.stage === "starting") {
    out.log(
      "info",
      "position.adopted",
      `${held.symbol} ${held.side} ${fields.qty} at ${fields.avgPrice} was already held`,
      fields,
    );
  } else if (kind === "opened") {
    out.log("info", "position.opened", `${held.symbol} ${held.side} ${fields.qty} at ${fields.avgPrice}`, fields);
  }
}

/** Fills count as included because of the newest record of the position: the next run must know its time too. */
export function reportRecord(state: AgentState, key: string, at: At): void {
  const held = state.positions.get(key);
  if (held && held.proven.atMs > held.reportedMs) reportPosition(state, { held, kind: "resized", grown: true }, at);
}

/** Requests are scarce, and a list and several fills that report the same close are one event. */
const ASKED_EVERY_MS = 12_000;

/** Asks for the stop by its id, if one is known and was not requested a moment ago. */
export function askStop(held: HeldPosition, { nowMs, out }: At): void {
  const { key, algoOrderId } = held;
  if (algoOrderId === null || nowMs - held.stopAskedMs < ASKED_EVERY_MS) return;
  held.stopAskedMs = nowMs;
  out.ask({ kind: "read-algo", positionKey: key, algoOrderId });
}
