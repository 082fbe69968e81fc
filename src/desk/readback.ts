/**
 * Reads the result of a write from the venue, because a submit's answer is never the final state. The command line
 * and the tool server read after every write; the daemon relies on pushes and reads when they are missing. Spec: 3
 * §4, end.
 */
import type { Clock } from "../core/clock.ts";
import type { Outcome } from "../core/outcome.ts";
import { isTerminal, type Execution, type Order, type OrderState } from "../domain/order.ts";
import type { Position } from "../domain/position.ts";
import type { OrderKey, VenuePort } from "../domain/venue-calls.ts";

/** How often and how long an asynchronous result is polled. */
export interface Patience {
  readonly everyMs: number;
  readonly forMs: number;
}

/** Many order queries are allowed per second, but a cancel rarely takes long. */
export const CANCEL_PATIENCE: Patience = { everyMs: 500, forMs: 10_000 };

/**
 * "Not confirmed" means that the polling timed out: the order may still fill. A null state means that no read
 * succeeded.
 */
export interface CancelReadBack {
  readonly cancelAccepted: true;
  /** True if the order was seen in a terminal state, whether cancelled or filled. */
  readonly terminalStateConfirmed: boolean;
  readonly lastObservedOrderState: OrderState | null;
  readonly order: Order | null;
}

/** The order as read once after the reply; its state need not be final. */
export interface PlaceReadBack {
  readonly order: Outcome<Order>;
  /** Present only if something was filled. */
  readonly executions: Outcome<readonly Execution[]> | null;
}

/** `flat` is also false if no read succeeded; `position` is then null. */
export interface CloseReadBack {
  /** True if the venue no longer shows the position. */
  readonly flat: boolean;
  readonly position: Position | null;
}

/** Polls until `enough` or until the time is over; returns the last answer. */
async function askUntil<T>(
  clock: Clock,
  patience: Patience,
  ask: () => Promise<Outcome<T>>,
  enough: (value: T) => boolean,
): Promise<T | null> {
  const startedMs = clock.monotonicMs();
  let last: T | null = null;
  for (;;) {
    const answer = await ask();
    if (answer.kind === "done") {
      last = answer.value;
      if (enough(last)) return last;
    }
    if (clock.monotonicMs() - startedMs + patience.everyMs > patience.forMs) return last;
    await clock.sleep(patience.everyMs);
  }
}

/** After a placement: the order, and its executions if it has any. */
export async function readBackPlaced(venue: VenuePort, orderId: string): Promise<PlaceReadBack> {
  const order = await venue.order({ orderId });
  const filled = order.kind === "done" && order.value.executedQty.gt(0);
  return { order, executions: filled ? await venue.executions({ orderId }) : null };
}

/** After an accepted cancel: polls until the order is terminal. Until then its remaining quantity can still fill. */
export async function readBackCancel(
  clock: Clock,
  venue: Pick<VenuePort, "order">,
  key: OrderKey,
  patience: Patience = CANCEL_PATIENCE,
): Promise<CancelReadBack> {
  const order = await askUntil(
    clock,
    patience,
    () => venue.order(key),
    ({ state }) => isTerminal(state),
  );
  return {
    cancelAccepted: true,
    terminalStateConfirmed: order !== null && isTerminal(order.state),
    lastObservedOrderState: order?.state ?? null,
    order,
  };
}

/** After a close: polls until the position is gone. */
export async function readBackClose(
  clock: Clock,
  venue: Pick<VenuePort, "positions">,
  { symbol, leg: positionSide }: { readonly symbol: string; readonly leg: "LONG" | "SHORT" },
  patience: Patience = CANCEL_PATIENCE,
): Promise<CloseReadBack> {
  const ofPosition = (positions: readonly Position[]): Position | undefined =>
    positions.find((position) => position.symbol === symbol && position.side === positionSide && position.qty.gt(0));
  const positions = await askUntil(
    clock,
    patience,
    () => venue.positions(symbol),
    (found) => !ofPosition(found),
  );
  const position = positions ? (ofPosition(positions) ?? null) : null;
  return { flat: positions !== null && position === null, position };
}

/** After set-leverage, which the venue applies asynchronously: polls until the setting is the wanted one. */
export async function readBackLeverage(
  clock: Clock,
  venue: Pick<VenuePort, "leverage">,
  { symbol, leverage }: { readonly symbol: string; readonly leverage: number },
  patience: Patience = CANCEL_PATIENCE,
): Promise<{ readonly confirmed: boolean; readonly leverage: number | null }> {
  const settingOf = (found: readonly { symbol: string; leverage: number }[]): number | null =>
    found.find((setting) => setting.symbol === symbol)?.leverage ?? null;
  const found = await askUntil(
    clock,
    patience,
    () => venue.leverage(symbol),
    (all) => settingOf(all) === leverage,
  );
  const setting = found && settingOf(found);
  return { confirmed: setting === leverage, leverage: setting };
}
