/** Compares our records with the venue's: at start, after every reconnect, and regularly. */
import { toFloat } from "../../core/decimal.ts";

import { isOpening, type Order } from "../../domain/order.ts";
import { positionKeyOf, type ExchangeAccount, type Position } from "../../domain/position.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { AccountSnapshot, AlgosRead } from "../contract/events.ts";
import { onHold, resumeIfAsked } from "./handle-hold.ts";
import { mustShow, READS_LAG_MS, SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { updateFromOrder } from "../books/order-evidence.ts";
import { cancelOrder } from "./cancel-order.ts";
import { adoptOrder, onOrderUpdate } from "./handle-orders.ts";
import { askStop, reportPosition, reportRecord } from "./report-position.ts";
import { showFills } from "./shown-fills.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { AgentState } from "../state/state.ts";
import { totalUnrealized } from "../state/worth.ts";
import { reconcileRow } from "../../rows/reconcile.ts";
import { counted } from "../../core/words.ts";
import type { HeldPosition, PositionChange } from "../positions/held-position.ts";
import { algoPosition } from "../positions/held-stop.ts";

/** Takes over what was read of equity, positions, orders and stops. Completes a reconciliation that was due. */
export function onAccountRead(state: AgentState, account: AccountSnapshot, at: At): void {
  const { nowMs } = at;
  const { startedAtMs } = account;
  state.reads.accountCame();
  if (account.account) takeAccount(state, account.account, at);
  const changes = account.positions ? takePositions(state, account.positions, startedAtMs, at) : [];
  // Equity rests on the positions too: their worth must be as new.
  if (account.account && account.positions) {
    const unrealized = totalUnrealized(state, nowMs);
    state.equity.applyAccount(account.account, unrealized, startedAtMs, nowMs);
    state.equity.anchors(nowMs, unrealized);
  }
  const differences = account.openOrders ? listOrders(state, account.openOrders, startedAtMs, at) : 0;
  if (account.openAlgos) onAlgosRead(state, account.openAlgos, startedAtMs, at);
  const isAnswered = account.account !== null && account.positions !== null && account.openOrders !== null;
  const whole = isAnswered && !state.positions.all().some(({ isUnconfirmed }) => isUnconfirmed);
  reconciled(state, { startedAtMs, changes, differences, whole }, at);
}

/** Margin and modes by exchange, and what the venue's risk engine says of the account. */
function takeAccount(state: AgentState, accounts: readonly ExchangeAccount[], { nowMs, out }: At): void {
  state.accounts = new Map(
    accounts.map(({ exchange, availableMargin, positionMode }) => [
      exchange,
      { availableUsdt: availableMargin, hedgeMode: positionMode === null ? null : positionMode === "BOTH" },
    ]),
  );
  for (const [exchange, { hedgeMode }] of state.accounts)
    if (hedgeMode !== null) state.hedgeModes.set(exchange, hedgeMode);
  onHold(state, { cause: "account", reason: restrictionOf(state, accounts), atMs: nowMs }, out);
}

function takePositions(
  state: AgentState,
  positions: readonly Position[],
  startedAtMs: number,
  at: At,
): readonly PositionChange[] {
  const { nowMs } = at;
  state.firstAccountReadMs ??= nowMs;
  state.answeredMs = Math.max(state.answeredMs, startedAtMs);
  const changes = state.positions.applyList(positions, startedAtMs, nowMs);
  for (const change of changes) reportPosition(state, change, at);
  for (const { symbol, markPrice, avgPrice } of positions)
    state.context.vouch(symbol, { mark: toFloat(markPrice), entry: toFloat(avgPrice) }, nowMs);
  for (const held of state.positions.all()) {
    // A list from before the position's newest fill was not taken over, and settles nothing.
    if (held.readAtMs === nowMs) showIfRead(state, held, startedAtMs, at);
  }
  showGone(state, positions, startedAtMs, at.out);
  return changes;
}

interface Compared {
  readonly startedAtMs: number;
  readonly changes: readonly PositionChange[];
  /** How many orders differed. */
  readonly differences: number;
  /**
   * All lists were answered, and what earlier runs held has been shown or is over: only then is a reconciliation that was due
   * complete.
   */
  readonly whole: boolean;
}

function reconciled(state: AgentState, { startedAtMs, changes, differences, whole }: Compared, { out }: At): void {
  const unlike = changes.filter((change) => change.kind !== "same").length;
  const differed = unlike + differences > 0;
  const completes = whole && state.reconcileDueMs !== null && startedAtMs >= state.reconcileDueMs;
  if (completes) state.reconcileDueMs = null;
  if (whole && (differed || completes)) {
    out.record(
      reconcileRow({
        event: "complete",
        startedAtMs,
        positions: state.positions.all().map((held) => ({ leg: held.key, qty: held.position.qty })),
        changes: changes.map((change) => ({ leg: change.held.key, kind: change.kind })),
        orders: differences,
      }),
    );
    if (completes) resumeIfAsked(state, out);
  }
  if (!differed) return;
  out.log(
    "info",
    "reconcile.done",
    `${counted(unlike, "position")} and ${counted(differences, "order")} confirmed, or new since the last read`,
    {},
  );
}

/** The venue's risk engine restricts an account that we trade on. Any status but NORMAL counts. Records §4.2. */
function restrictionOf({ settings }: AgentState, accounts: readonly ExchangeAccount[]): string | null {
  const isTraded = (exchange: string): boolean => settings.universe.some((symbol) => symbol.startsWith(`${exchange}_`));
  const found = accounts.find(({ exchange, status }) => status !== "NORMAL" && isTraded(exchange));
  return found ? `the venue says ${found.status} of the account on ${found.exchange}` : null;
}

/** A record of the position shows the fills that are older than it, and every list those that it must show. */
function showIfRead(
  state: AgentState,
  { key, symbol, side, position }: HeldPosition,
  startedAtMs: number,
  at: At,
): void {
  for (const tracked of state.orders.unsettled()) {
    if (tracked.symbol !== symbol || tracked.leg !== side) continue;
    const shown = tracked.filledMs <= position.updatedAtMs || mustShow(startedAtMs, tracked.grewMs);
    if (!shown) continue;
    reportRecord(state, key, at);
    showFills(tracked, tracked.order.executedQty, at.out);
  }
}

/** A position opened and closed between two lists appears in neither: a list that lags no more settles it. */
function showGone(
  { orders, positions }: AgentState,
  listed: readonly Position[],
  startedAtMs: number,
  out: Outbox,
): void {
  // What the list shows is not gone, even if the list was too old to be taken over.
  const shown = new Set(listed.map(({ symbol, side }) => positionKeyOf(symbol, side)));
  const unshown = orders
    .unsettled()
    .filter(({ symbol, leg }) => !positions.get(positionKeyOf(symbol, leg)) && !shown.has(positionKeyOf(symbol, leg)));
  const isYoung = ({ grewMs }: Tracked): boolean => startedAtMs - grewMs <= READS_LAG_MS;
  const young = new Set(
    unshown.filter(isYoung).map(({ symbol, leg: positionSide }) => positionKeyOf(symbol, positionSide)),
  );
  for (const tracked of unshown.filter((each) => !isYoung(each))) {
    showFills(tracked, tracked.order.executedQty, out);
    const key = positionKeyOf(tracked.symbol, tracked.leg);
    if (!young.has(key)) positions.neverCame(key);
  }
}

function listOrders(state: AgentState, openOrders: readonly Order[], startedAtMs: number, at: At): number {
  state.ordersListedMs = Math.max(state.ordersListedMs, startedAtMs);
  let differences = 0;
  const listed = new Set<string>();
  for (const order of openOrders) {
    listed.add(order.clientOrderId);
    // A second order of an id of ours is known by the venue's id alone.
    listed.add(order.orderId);
    if (!state.orders.get(order.clientOrderId) && !state.orders.byOrderId(order.orderId)) {
      differences += 1;
      adoptListed(state, order, at);
    } else onOrderUpdate(state, updateFromOrder(order), at);
  }
  for (const tracked of state.orders.live()) {
    if (tracked.fate !== "known" || listed.has(tracked.doubled ? tracked.order.orderId : tracked.clientOrderId))
      continue;
    if (tracked.order.updatedAtMs < startedAtMs - SHOWN_WITHIN_MS) state.orders.lookUpLater(tracked, at.nowMs, 0);
  }
  return differences;
}

/** The stops that stand at the venue: those without a position are cancelled. */
export function onAlgosRead(state: AgentState, algos: AlgosRead, startedAtMs: number, { nowMs, out }: At): void {
  // What was asked for is still wanted.
  if ("againMs" in algos) return state.reads.wantStops(algos.againMs ?? nowMs + state.pace.algoAgainMs);
  state.algosReadMs = nowMs;
  const unneeded = state.positions.applyAlgoList(algos, startedAtMs, nowMs);
  const listed = new Set(algos.map(({ algoOrderId }) => algoOrderId));
  // A stop that a push showed a moment ago need not be in a list; where it has ended, its own record says so.
  for (const held of state.positions.all())
    if (held.algoOrderId !== null && !listed.has(held.algoOrderId)) askStop(held, { nowMs, out });
  state.pastStops.listed(state.positions, startedAtMs, nowMs);
  for (const { order, unconfirmed } of unneeded) {
    const { symbol, algoOrderId } = order;
    if (unconfirmed) {
      state.orphans.missed(algoOrderId, algoPosition(order), nowMs);
      continue;
    }
    out.log("info", "stop.orphaned", `cancelling an unneeded stop on ${symbol}`, { algoOrderId });
    state.positions.stopEnded(algoOrderId, nowMs);
    state.orphans.cancel(algoOrderId, { nowMs, out });
  }
}

/** An open order from an earlier run is stale: an opening one is withdrawn, and the strategy decides afresh. */
function adoptListed(state: AgentState, order: Order, { nowMs, out }: At): void {
  const tracked = adoptOrder(state, order, updateFromOrder(order), { nowMs, out });
  const whose = tracked.ours ? "ours from an earlier run" : "not ours";
  out.log("warn", "reconcile.done", `found an open order on ${order.symbol}, ${whose}`, {
    clientOrderId: order.clientOrderId,
    orderId: order.orderId,
  });
  if (tracked.ours && isOpening(order))
    cancelOrder(state, tracked.clientOrderId, { nowMs, out, why: "an earlier run left it" });
}
